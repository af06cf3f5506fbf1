import { NumberInput, Select, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { UNIT_SECONDS, type Unit, unitOf } from './duration.ts';
import { type FieldProps, useField } from './fields.tsx';

/** A length of time in the unit that its writer chooses; seconds for the API, empty is null. */
export function DurationField(
  props: FieldProps & { unitLabel: string; units: Readonly<Record<Unit, string>>; first: Unit },
) {
  const { field, own } = useField(props);
  const { unitLabel, units, first } = props;
  const seconds = field.value as number | null | undefined;
  const given = typeof seconds === 'number' ? unitOf(seconds) : first;
  const [unit, setUnit] = useState<Unit>(given);
  // Seconds only where somebody has set some already.
  const offered = (Object.keys(units) as Unit[]).filter(
    (each) => each !== 'second' || unit === 'second',
  );
  return (
    <SimpleGrid cols={2} spacing="xs">
      <NumberInput
        {...own}
        step={1}
        clampBehavior="none"
        value={typeof seconds === 'number' ? seconds / UNIT_SECONDS[unit] : ''}
        onChange={(value) =>
          field.onChange(value === '' ? null : Math.round(Number(value) * UNIT_SECONDS[unit]))
        }
        hideControls
      />
      <Select
        label={unitLabel}
        description={own.description === undefined ? undefined : ' '}
        disabled={own.disabled}
        data={offered.map((value) => ({ value, label: units[value] }))}
        value={unit}
        onChange={(value) => {
          const next = (value ?? unit) as Unit;
          setUnit(next);
          if (typeof seconds !== 'number') return;
          field.onChange((seconds / UNIT_SECONDS[unit]) * UNIT_SECONDS[next]);
        }}
        allowDeselect={false}
      />
    </SimpleGrid>
  );
}
