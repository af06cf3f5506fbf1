import { DayInput } from './day-input.tsx';
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
    <DayInput
      label={label}
      value={value[name]}
      onChange={(day) => onChange({ [name]: dayOf(day) })}
    />
  );
  return (
    <>
      {field('start_date', from)}
      {field('end_date', to)}
    </>
  );
}
