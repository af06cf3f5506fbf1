import { agoFormat, dateFormat } from './formats.ts';
import { NONE } from './none.tsx';
import { usePreferences } from './preferences.tsx';

/** A moment in the reader's zone; the zone and the exact time are its title. */
export function When({ at }: { at: string | null }) {
  const { language, timeZone } = usePreferences();
  if (at === null) return NONE;
  return (
    <time dateTime={at} title={`${at} · ${timeZone}`}>
      {formatTime(at, language, timeZone)}
    </time>
  );
}

export const formatTime = (at: string, language: string, timeZone: string): string =>
  dateFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(at));

/** A day of a report, `2026-01-31`; it is of no zone any more. */
export const formatDay = (day: string, language: string): string =>
  dateFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

/** The same where somebody chooses one. */
export const formatWeekday = (day: string, language: string): string =>
  dateFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day));

/** The same beneath a chart, where there is little room. */
export const formatShortDay = (day: string, language: string): string =>
  dateFormat(language, { month: 'short', day: 'numeric', timeZone: 'UTC' }).format(new Date(day));

/** `2026-01`: `January 2026`. */
export function Month({ of: month }: { of: string | null }) {
  const { language } = usePreferences();
  if (month === null) return NONE;
  const words = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return <span className="words">{dateFormat(language, words).format(new Date(month))}</span>;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** How long ago, or until when: `3 hours ago`, `in 20 minutes`. */
export function Since({ at }: { at: string | null }) {
  const { language, timeZone } = usePreferences();
  if (at === null) return NONE;
  return (
    <time dateTime={at} title={`${formatTime(at, language, timeZone)} · ${timeZone}`}>
      {relative(at, language)}
    </time>
  );
}

export function relative(at: string, language: string, now = Date.now()): string {
  const seconds = (Date.parse(at) - now) / 1_000;
  const [unit, size] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return agoFormat(language).format(Math.trunc(seconds / size), unit);
}
