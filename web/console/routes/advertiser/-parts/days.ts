/** Days of a report as `YYYY-MM-DD`. */
const DAY_MS = 86_400_000;

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Today in a zone, as its calendar says. */
export const todayIn = (timeZone: string, now = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now);

export const shiftDay = (day: string, by: number): string =>
  dayOf(Date.parse(`${day}T00:00:00Z`) + by * DAY_MS);

/** Both ends are part of it. */
export function daysFrom(first: string, last: string): string[] {
  const count = countDays(first, last);
  return Array.from({ length: Math.max(count, 0) }, (_each, index) => shiftDay(first, index));
}

export const countDays = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
