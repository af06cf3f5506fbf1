import fc from 'fast-check';
import {
  dayAt,
  daysOfPeriod,
  dueRun,
  nextRun,
  PERIODS,
  type Rhythm,
} from '../../domain/report-schedule.ts';
import { daysOfRange } from '../../web/console/parts/report-range.ts';

const rhythm = (given: Partial<Rhythm> = {}): Rhythm => ({
  frequency: 'DAILY',
  weekday: null,
  monthDay: null,
  hour: 8,
  timezone: 'UTC',
  ...given,
});
const next = (given: Partial<Rhythm>, after: string): string =>
  nextRun(rhythm(given), new Date(after)).toISOString();

test.each([
  ['daily, before its hour', {}, '2026-11-29T07:59:59Z', '2026-11-29T08:00:00.000Z'],
  ['daily, at its hour', {}, '2026-11-29T08:00:00Z', '2026-11-30T08:00:00.000Z'],
  ['daily, at midnight', { hour: 0 }, '2026-12-31T23:00:00Z', '2027-01-01T00:00:00.000Z'],
  [
    'ahead of UTC, whose day began before',
    { hour: 0, timezone: 'Asia/Shanghai' },
    '2026-11-29T15:59:00Z',
    '2026-11-29T16:00:00.000Z',
  ],
  [
    'three quarters of an hour off',
    { timezone: 'Asia/Kathmandu' },
    '2026-11-29T00:00:00Z',
    '2026-11-29T02:15:00.000Z',
  ],
  [
    'weekly, on Monday',
    { frequency: 'WEEKLY', weekday: 1 },
    '2026-11-29T09:00:00Z',
    '2026-11-30T08:00:00.000Z',
  ],
  [
    'weekly, on Sunday and over',
    { frequency: 'WEEKLY', weekday: 7 },
    '2026-11-29T09:00:00Z',
    '2026-12-06T08:00:00.000Z',
  ],
  [
    'monthly, on the first',
    { frequency: 'MONTHLY', monthDay: 1 },
    '2026-11-29T09:00:00Z',
    '2026-12-01T08:00:00.000Z',
  ],
  [
    'monthly, on a day that the month has not',
    { frequency: 'MONTHLY', monthDay: 31 },
    '2027-02-01T09:00:00Z',
    '2027-02-28T08:00:00.000Z',
  ],
  [
    'monthly, on the 30th of a leap year',
    { frequency: 'MONTHLY', monthDay: 30 },
    '2028-02-01T09:00:00Z',
    '2028-02-29T08:00:00.000Z',
  ],
  [
    'an hour that Berlin leaves out',
    { hour: 2, timezone: 'Europe/Berlin' },
    '2027-03-27T12:00:00Z',
    '2027-03-28T01:00:00.000Z',
  ],
  [
    'after the one that was left out',
    { hour: 2, timezone: 'Europe/Berlin' },
    '2027-03-28T01:00:00Z',
    '2027-03-29T00:00:00.000Z',
  ],
  [
    'an hour that comes twice',
    { hour: 2, timezone: 'Europe/Berlin' },
    '2027-10-30T12:00:00Z',
    '2027-10-31T00:00:00.000Z',
  ],
  [
    'between both of them',
    { hour: 2, timezone: 'Europe/Berlin' },
    '2027-10-31T00:30:00Z',
    '2027-11-01T01:00:00.000Z',
  ],
  [
    'a midnight that Havana leaves out',
    { hour: 0, timezone: 'America/Havana' },
    '2027-03-13T12:00:00Z',
    '2027-03-14T05:00:00.000Z',
  ],
  [
    'half an hour that Lord Howe leaves out',
    { hour: 2, timezone: 'Australia/Lord_Howe' },
    '2027-10-02T12:00:00Z',
    '2027-10-02T15:30:00.000Z',
  ],
] as const)('next run · %s', (_what, given, after, expected) => {
  expect(next(given, after)).toBe(expected);
});

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'America/Havana', 'Australia/Lord_Howe'];

test('a year of a daily one · any hour and zone · one run for each day', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), fc.integer({ min: 0, max: 23 }), (timezone, hour) => {
      let at = new Date('2027-01-01T12:00:00Z');
      const days: string[] = [];
      for (let run = 0; run < 365; run += 1) {
        at = nextRun(rhythm({ hour, timezone }), at);
        days.push(dayAt(timezone, at));
      }
      expect(new Set(days).size).toBe(365);
      expect(daysBetween(days[0] ?? '', days.at(-1) ?? '')).toBe(364);
    }),
    { numRuns: 8 },
  );
});
const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / 86_400_000;

test('three days missed · when it is back · the latest alone, then the next', () => {
  const { dueAt, nextAt } = dueRun(
    rhythm(),
    new Date('2026-11-25T08:00:00Z'),
    new Date('2026-11-28T10:00:00Z'),
  );
  expect([dueAt, nextAt].map((at) => at.toISOString())).toEqual([
    '2026-11-28T08:00:00.000Z',
    '2026-11-29T08:00:00.000Z',
  ]);
});

test('every period · on any day · the days that the report’s page means by it', () => {
  const ranges = ['today', 'yesterday', 'week', 'month', 'thisMonth', 'lastMonth'] as const;
  for (const day of ['2026-01-01', '2026-03-31', '2028-02-29', '2026-11-29']) {
    for (const [at, period] of PERIODS.entries()) {
      const { startDate, endDate } = daysOfPeriod(period, day);
      expect({ start_date: startDate, end_date: endDate }).toEqual(
        daysOfRange(ranges[at] ?? 'today', day),
      );
    }
  }
});
