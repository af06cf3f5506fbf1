import { AROUND_MS, DAY_MS, QUARTER_MS, wallOf } from './wall-clock.ts';

/** Reports that come by themselves (interface 5.24). */
export const SCHEDULES_PER_PERSON = 10;

export const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** Days as a report's page calls them; the day of the run is where they are counted from. */
export const PERIODS = [
  'TODAY',
  'YESTERDAY',
  'LAST_7_DAYS',
  'LAST_30_DAYS',
  'THIS_MONTH',
  'LAST_MONTH',
] as const;
export type Period = (typeof PERIODS)[number];

/** What a schedule narrows its report by, as the routes of reports call it. */
export type ScheduleFilter = Partial<
  Record<
    | 'campaign_id'
    | 'adgroup_id'
    | 'ad_id'
    | 'site_id'
    | 'zone_id'
    | 'advertiser_id'
    | 'publisher_id',
    number
  >
>;

export interface Rhythm {
  frequency: Frequency;
  /** Of a weekly one: 1 is Monday, 7 Sunday. */
  weekday: number | null;
  /** Of a monthly one; a month that is shorter has it on its last day. */
  monthDay: number | null;
  hour: number;
  /** Of the IANA database. */
  timezone: string;
}

/** Two months of the longest: every rhythm has come by then. */
const LOOKED_DAYS = 64;

const textOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const daysLater = (day: string, days: number): string => textOf(startOf(day) + days * DAY_MS);

/** The calendar day that a moment is of in a zone. */
export const dayAt = (timezone: string, at: Date): string =>
  wallOf(timezone)(at.getTime()).slice(0, 10);

function isDayOf({ frequency, weekday, monthDay }: Rhythm, day: string): boolean {
  if (frequency === 'DAILY') return true;
  const date = new Date(startOf(day));
  if (frequency === 'WEEKLY') return (date.getUTCDay() + 6) % 7 === (weekday ?? 1) - 1;
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.getUTCDate() === Math.min(monthDay ?? 1, last);
}

/**
 * The first moment of a day at which a clock says that hour or a later one: where the hour is left out it is
 * the one after the gap, where it comes twice the first of both. So each day has exactly one.
 */
function momentOf(wall: (at: number) => string, day: string, hour: number): number {
  const text = `${day} ${String(hour).padStart(2, '0')}`;
  const named = startOf(day) + hour * 3_600_000;
  for (let at = named - AROUND_MS; at <= named + AROUND_MS; at += QUARTER_MS) {
    if (wall(at) >= text) return at;
  }
  throw new Error(`no clock says ${text}`);
}

/** When it runs next, after a moment. */
export function nextRun(rhythm: Rhythm, after: Date): Date {
  const wall = wallOf(rhythm.timezone);
  const today = wall(after.getTime()).slice(0, 10);
  for (let ahead = 0; ahead <= LOOKED_DAYS; ahead += 1) {
    const day = daysLater(today, ahead);
    if (!isDayOf(rhythm, day)) continue;
    const at = momentOf(wall, day, rhythm.hour);
    if (at > after.getTime()) return new Date(at);
  }
  throw new Error('a rhythm without a day');
}

/** Of one that was due: the latest moment up to now, which makes up for those before it, and the next. */
export function dueRun(rhythm: Rhythm, due: Date, now: Date): { dueAt: Date; nextAt: Date } {
  let dueAt = due;
  for (;;) {
    const nextAt = nextRun(rhythm, dueAt);
    if (nextAt > now) return { dueAt, nextAt };
    dueAt = nextAt;
  }
}

/** Both days belong to it; `today` is the day of the run. */
export function daysOfPeriod(
  period: Period,
  today: string,
): { startDate: string; endDate: string } {
  const firstOfMonth = `${today.slice(0, 7)}-01`;
  const lastOfBefore = daysLater(firstOfMonth, -1);
  switch (period) {
    case 'TODAY':
      return { startDate: today, endDate: today };
    case 'YESTERDAY':
      return { startDate: daysLater(today, -1), endDate: daysLater(today, -1) };
    case 'LAST_7_DAYS':
      return { startDate: daysLater(today, -6), endDate: today };
    case 'LAST_30_DAYS':
      return { startDate: daysLater(today, -29), endDate: today };
    case 'THIS_MONTH':
      return { startDate: firstOfMonth, endDate: today };
    case 'LAST_MONTH':
      return { startDate: `${lastOfBefore.slice(0, 7)}-01`, endDate: lastOfBefore };
  }
}
