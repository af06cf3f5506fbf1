import {
  type ComboboxItem,
  MultiSelect,
  NumberInput,
  type OptionsFilter,
  PasswordInput,
  Select,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { common } from '../texts/common.ts';
import { rules } from '../texts/rules.ts';
import { useFieldRule } from './field-rule.ts';
import { useFieldLabel } from './form-faults.tsx';
import { useTexts } from './texts.ts';

/** Fields of a `Form`: named as the API names them, so that its refusals find them. */
export interface FieldProps {
  name: string;
  label: string;
  help?: ReactNode;
  /** Below its box: beside a field that has none, both boxes stand at one height. */
  isHelpBelow?: boolean;
  required?: boolean;
  disabled?: boolean;
  /** What is wrong with it beyond its route's own rules, true where nothing is. */
  fault?: (value: unknown) => string | true;
}

const BELOW = ['label', 'input', 'description', 'error'] as const;

export function useField(props: FieldProps) {
  const { name, label, help, isHelpBelow, required, disabled, fault } = props;
  const t = useTexts(common);
  const route = useFieldRule(name);
  useFieldLabel(name, label);
  const { field, fieldState } = useController({
    name,
    rules: {
      ...(required === true ? { required: t.required } : {}),
      validate: { ...(fault === undefined ? {} : { own: fault }), route },
    },
  });
  return {
    field,
    own: {
      ref: field.ref,
      name,
      label,
      description: help,
      ...(isHelpBelow === true ? { inputWrapperOrder: [...BELOW] } : {}),
      withAsterisk: required === true,
      required: false,
      'aria-required': required === true,
      disabled: disabled === true,
      error: fieldState.error?.message ?? (fieldState.error === undefined ? undefined : ' '),
      onBlur: field.onBlur,
    },
  };
}

/** As browsers let people write it: `shoes.example/new`. */
const isBareAddress = (value: unknown): value is string =>
  typeof value === 'string' && /^[\w-]+(\.[\w-]+)+([/:?#]\S*)?$/.test(value);

export function TextField(
  props: FieldProps & {
    type?: 'text' | 'email' | 'url' | 'search';
    autoComplete?: string;
    placeholder?: string;
    maxLength?: number;
    /** Of which keys a phone's keyboard is. */
    inputMode?: 'numeric';
  },
) {
  const { field, own } = useField(props);
  const { type = 'text', autoComplete, placeholder, maxLength, inputMode } = props;
  const complete = (): void => {
    if (type === 'url' && isBareAddress(field.value)) field.onChange(`https://${field.value}`);
  };
  return (
    <TextInput
      {...own}
      type={type}
      onBlur={() => {
        complete();
        own.onBlur();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Enter') complete();
      }}
      autoComplete={autoComplete}
      placeholder={placeholder}
      maxLength={maxLength}
      inputMode={inputMode}
      value={(field.value as string | null | undefined) ?? ''}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}

export function PasswordField(
  props: FieldProps & { autoComplete: 'current-password' | 'new-password' },
) {
  const { field, own } = useField(props);
  return (
    <PasswordInput
      {...own}
      // Mantine's own says so to the eye alone.
      aria-invalid={own.error !== undefined}
      autoComplete={props.autoComplete}
      visibilityToggleButtonProps={{ 'aria-label': useTexts(rules).showPassword }}
      value={(field.value as string | undefined) ?? ''}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}

export function TextAreaField(props: FieldProps & { rows?: number; maxLength?: number }) {
  const { field, own } = useField(props);
  return (
    <Textarea
      {...own}
      autosize
      minRows={props.rows ?? 3}
      maxRows={16}
      maxLength={props.maxLength}
      value={(field.value as string | null | undefined) ?? ''}
      onChange={(event) => field.onChange(event.currentTarget.value)}
    />
  );
}

/** Money and other numbers; an empty field is null, which the API reads as "none". */
export function NumberField(
  props: FieldProps & {
    min?: number;
    max?: number;
    step?: number;
    decimals?: number;
    prefix?: string;
    suffix?: string;
    /** What an empty one means. */
    placeholder?: string;
  },
) {
  const { field, own } = useField(props);
  const { min, max, step, decimals = 0, prefix, suffix, placeholder } = props;
  return (
    <NumberInput
      {...own}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      step={step ?? 1}
      decimalScale={decimals}
      clampBehavior="none"
      prefix={prefix ?? ''}
      suffix={suffix ?? ''}
      {...(placeholder === undefined ? {} : { placeholder })}
      value={(field.value as number | null | undefined) ?? ''}
      onChange={(value) => field.onChange(value === '' ? null : Number(value))}
      hideControls
    />
  );
}

export const MoneyField = (
  props: FieldProps & { min?: number; max?: number; placeholder?: string },
) => <NumberField {...props} decimals={6} step={0.01} prefix="$" />;

/** What begins with the words comes before what only has them: "India" before other territories. */
const beginningFirst: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase();
  const at = (option: (typeof options)[number]): number =>
    (option as ComboboxItem).label.toLowerCase().indexOf(sought);
  return options
    .filter((option) => at(option) >= 0)
    .toSorted((one, other) => Math.min(at(one), 1) - Math.min(at(other), 1));
};

/** No value of the API. */
const NONE = 'none of these';

export interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

/** `numeric` where the API wants something else than text; `none` is what null is called, where it may be chosen. */
export function SelectField(
  props: FieldProps & {
    options: readonly Option[];
    clearable?: boolean;
    numeric?: boolean;
    none?: string;
  },
) {
  const { field, own } = useField(props);
  const t = useTexts(common);
  const { options, clearable = false, numeric = false, none } = props;
  const unset = none === undefined ? null : NONE;
  const set = (value: string | null): void => {
    if (value === null || value === NONE) field.onChange(null);
    else field.onChange(numeric ? Number(value) : value);
  };
  return (
    <Select
      {...own}
      data={none === undefined ? [...options] : [...options, { value: NONE, label: none }]}
      value={(field.value as string | number | null | undefined)?.toString() ?? unset}
      onChange={set}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': t.clear }}
      allowDeselect={false}
      searchable={options.length > 10}
      // What was typed is chosen by Enter alone.
      selectFirstOptionOnChange={options.length > 10}
      filter={beginningFirst}
    />
  );
}

export function ManyField(
  props: FieldProps & { options: readonly Option[]; numeric?: boolean; placeholder?: string },
) {
  const { field, own } = useField(props);
  const t = useTexts(common);
  const { options, numeric = false, placeholder } = props;
  const values = ((field.value as (string | number)[] | null | undefined) ?? []).map(String);
  return (
    <MultiSelect
      {...own}
      data={[...options]}
      value={values}
      placeholder={values.length === 0 ? placeholder : undefined}
      onChange={(next) =>
        field.onChange(next.length === 0 ? null : numeric ? next.map(Number) : next)
      }
      clearable
      clearButtonProps={{ 'aria-label': t.clear }}
      searchable
      hidePickedOptions
    />
  );
}

/** Words of the writer's own, parted by Enter or a comma; none is null. */
export function WordsField(props: FieldProps) {
  const { field, own } = useField(props);
  const t = useTexts(common);
  return (
    <TagsInput
      {...own}
      value={(field.value as string[] | null | undefined) ?? []}
      onChange={(next) => field.onChange(next.length === 0 ? null : next)}
      splitChars={[',', ';', '，']}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': t.clear }}
    />
  );
}

export function SwitchField(props: FieldProps) {
  const { field, own } = useField(props);
  const { withAsterisk: _asterisk, 'aria-required': _required, ...rest } = own;
  return (
    <Switch
      {...rest}
      checked={field.value === true}
      onChange={(event) => field.onChange(event.currentTarget.checked)}
    />
  );
}
