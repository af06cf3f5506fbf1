import { useId } from 'react';
import { dayTexts } from '../texts/day.ts';
import fields from './choice.module.css';
import classes from './day-input.module.css';
import { usePreferences } from './preferences.tsx';
import { useTexts } from './texts.ts';
import { formatDay } from './time.tsx';

/**
 * A day above a list. A browser writes days in its own language, whatever the page's is: until somebody types
 * in it, the field shows the reader's words instead.
 */
export function DayInput({
  label,
  value,
  min,
  max,
  onChange,
}: {
  label: string;
  value: string | undefined;
  min?: string;
  max?: string;
  /** `YYYY-MM-DD`, or nothing. */
  onChange: (day: string) => void;
}) {
  const t = useTexts(dayTexts);
  const { language } = usePreferences();
  const id = useId();
  const day = value ?? '';
  return (
    <div className={fields['field']}>
      <label className={fields['label']} htmlFor={id}>
        {label}
      </label>
      <div className={classes['day']}>
        <input
          id={id}
          className={fields['input']}
          type="date"
          value={day}
          {...(min === undefined ? {} : { min })}
          {...(max === undefined ? {} : { max })}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
        <span className={classes['words']} data-empty={day === '' || undefined} aria-hidden>
          {day === '' ? t.any : formatDay(day, language)}
        </span>
      </div>
    </div>
  );
}
