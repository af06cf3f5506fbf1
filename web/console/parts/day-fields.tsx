import { Text, TextInput } from '@mantine/core';
import { type FieldProps, useField } from './fields.tsx';
import { usePreferences } from './preferences.tsx';
import { formatWeekday } from './time.tsx';

/**
 * A day as the API takes it, `YYYY-MM-DD`. Browsers write it their own way, whatever language the page is in: what
 * was chosen stands below in the reader's words, as 03/12 is two days.
 */
export function DayField(props: FieldProps) {
  const { field, own } = useField(props);
  const { language } = usePreferences();
  const day = (field.value as string | null | undefined) ?? '';
  return (
    <div>
      <TextInput
        {...own}
        type="date"
        value={day}
        onChange={(event) =>
          field.onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)
        }
      />
      {IS_DAY.test(day) && (
        <Text size="xs" c="dimmed" mt={4}>
          {formatWeekday(day, language)}
        </Text>
      )}
    </div>
  );
}
/** Of four digits: while a year is typed it is of fewer. */
const IS_DAY = /^[1-9]\d{3}-\d\d-\d\d$/;

/** A moment as the API takes it, `2026-03-01T00:00:00Z`, to the minute: its label says that it is UTC. */
export function MomentField(props: FieldProps) {
  const { field, own } = useField(props);
  return (
    <TextInput
      {...own}
      type="datetime-local"
      value={((field.value as string | null | undefined) ?? '').slice(0, MINUTES)}
      onChange={({ currentTarget: { value } }) =>
        field.onChange(value === '' ? null : `${value.slice(0, MINUTES)}:00Z`)
      }
    />
  );
}
const MINUTES = 'YYYY-MM-DDTHH:MM'.length;
