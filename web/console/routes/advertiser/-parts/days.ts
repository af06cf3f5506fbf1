import type { Days } from '../../../parts/report-range.ts';

/** Days of a report as `YYYY-MM-DD`. */
const DAY_MS = 86_400_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

export const shiftDay = (day: string, by: number): string =>
  dayOf(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS);

/** Both ends are part of it. */
export function daysFrom(first: string, last: string): string[] {
  const count = countDays(first, last);
  return Array.from({ length: Math.max(count, 0) }, (_each, index) => shiftDay(first, index));
}

const countDays = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;

const USUAL = 7;

/** The last days of UTC, today's among them. */
export function lastDays({ days = USUAL }: { days?: number }): Days & { group_by: 'date' } {
  const today = dayOf(Date.now());
  return { start_date: shiftDay(today, 1 - days), end_date: today, group_by: 'date' };
}
