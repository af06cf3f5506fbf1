/** Days of a report: named stretches, so that a kept address means the same tomorrow. */
export const RANGES = [
  'today',
  'yesterday',
  'week',
  'month',
  'thisMonth',
  'lastMonth',
  'own',
] as const;
export type Range = (typeof RANGES)[number];

export interface Days {
  start_date: string;
  end_date: string;
}

const DAY_MS = 86_400_000;
const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** The calendar day that it is in a time zone. */
export const todayIn = (timeZone: string, now = Date.now()): string =>
  // The Swedes write dates as the API does.
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);

/** Both days belong to it. `today` is the day that it is where the report is read. */
export function daysOfRange(range: Exclude<Range, 'own'>, today: string): Days {
  const now = startOf(today);
  const back = (count: number): string => textOf(now - count * DAY_MS);
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const lastOfBefore = textOf(startOf(firstOfMonth) - DAY_MS);
  switch (range) {
    case 'today':
      return { start_date: today, end_date: today };
    case 'yesterday':
      return { start_date: back(1), end_date: back(1) };
    case 'week':
      return { start_date: back(6), end_date: today };
    case 'month':
      return { start_date: back(29), end_date: today };
    case 'thisMonth':
      return { start_date: firstOfMonth, end_date: today };
    case 'lastMonth':
      return { start_date: `${lastOfBefore.slice(0, 7)}-01`, end_date: lastOfBefore };
  }
}

/** As many days, just before. */
export function daysBefore({ start_date: start, end_date: end }: Days): Days {
  const count = (startOf(end) - startOf(start)) / DAY_MS + 1;
  return {
    start_date: textOf(startOf(start) - count * DAY_MS),
    end_date: textOf(startOf(start) - DAY_MS),
  };
}

/** Every day of it: one without a row had nothing. */
export function eachDay({ start_date: start, end_date: end }: Days): string[] {
  const days: string[] = [];
  for (let at = startOf(start); at <= startOf(end); at += DAY_MS) days.push(textOf(at));
  return days;
}

/** A day as an address may hold it, or nothing. */
export const dayOf = (raw: unknown): string | undefined =>
  typeof raw === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(raw) && !Number.isNaN(startOf(raw))
    ? raw
    : undefined;
