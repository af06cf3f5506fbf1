import { TextInput } from '@mantine/core';
import { dayOf } from './report-range.ts';

export interface DayRange {
  start_date?: string | undefined;
  end_date?: string | undefined;
}

/** Whole days of a list, both ends included; either may be left open. */
export function DayRangeFields(props: {
  from: string;
  to: string;
  value: DayRange;
  onChange: (change: DayRange) => void;
}) {
  const { from, to, value, onChange } = props;
  const field = (name: keyof DayRange, label: string) => (
    <TextInput
      type="date"
      size="sm"
      label={label}
      value={value[name] ?? ''}
      onChange={(event) => onChange({ [name]: dayOf(event.currentTarget.value) })}
    />
  );
  return (
    <>
      {field('start_date', from)}
      {field('end_date', to)}
    </>
  );
}
