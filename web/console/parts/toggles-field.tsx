import { Button, Checkbox, Group, SimpleGrid } from '@mantine/core';
import { common } from '../texts/common.ts';
import { type FieldProps, type Option, useField } from './fields.tsx';
import { useMarks, useTexts } from './texts.ts';

interface Preset {
  label: string;
  values: readonly number[];
}

/** A few of a few numbers, all of them seen at once; none is null. */
export function TogglesField(
  props: FieldProps & { options: readonly Option[]; presets: readonly Preset[]; cols: number },
) {
  const { field, own } = useField(props);
  const t = useTexts(common);
  const marks = useMarks();
  const { options, presets, cols } = props;
  const { ref, withAsterisk: _asterisk, 'aria-required': _required, disabled, ...rest } = own;
  const set = (values: readonly number[]): void =>
    field.onChange(values.length === 0 ? null : values.toSorted((one, other) => one - other));
  return (
    <Checkbox.Group
      {...rest}
      value={((field.value as number[] | null | undefined) ?? []).map(String)}
      onChange={(next) => set(next.map(Number))}
    >
      <SimpleGrid cols={{ base: Math.ceil(cols / 2), xs: cols }} spacing="xs" my="xs">
        {options.map(({ value, label }, index) => (
          <Checkbox
            key={value}
            {...(index === 0 ? { ref } : {})}
            value={value}
            label={label}
            disabled={disabled}
          />
        ))}
      </SimpleGrid>
      <Group gap="xs">
        {[...presets, { label: t.clear, values: [] }].map(({ label, values }) => (
          <Button
            key={label}
            size="compact-xs"
            variant="default"
            aria-label={`${props.label}${marks.colon}${label}`}
            disabled={disabled}
            onClick={() => set(values)}
          >
            {label}
          </Button>
        ))}
      </Group>
    </Checkbox.Group>
  );
}
