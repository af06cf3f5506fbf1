import { Input } from '@mantine/core';
import { useId } from 'react';
import { type FieldProps, useField } from './fields.tsx';
import { PickInput, type PickSource } from './pick.tsx';

/** One of very many, found by name as it is typed; the API takes its number. */
export function PickField(props: FieldProps & { source: PickSource }) {
  const { field, own } = useField(props);
  const id = useId();
  const { ref, name, label, description, error, withAsterisk, disabled } = own;
  const value = field.value as number | null | undefined;
  const said = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(error === undefined ? [] : [`${id}-error`]),
  ];
  return (
    <Input.Wrapper {...{ id, label, description, error, withAsterisk }}>
      <PickInput
        {...{ id, ref, name, label, disabled }}
        source={props.source}
        value={value?.toString() ?? null}
        onPick={(picked) => field.onChange(picked === null ? null : Number(picked.value))}
        onLeave={own.onBlur}
        isNeeded={props.required === true}
        unset=""
        aria-required={own['aria-required']}
        aria-invalid={error !== undefined}
        aria-describedby={said.length === 0 ? undefined : said.join(' ')}
      />
    </Input.Wrapper>
  );
}
