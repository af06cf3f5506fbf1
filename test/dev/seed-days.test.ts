import { demoDays, onSeedClock, endSeedClock } from '../../dev/seed-days.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const DAY_MS = 86_400_000;
const text = (dates: readonly Date[]): string[] => dates.map((date) => date.toISOString());

test.each([
  ['2026-11-01T00:59:59.999Z', '2026-09-01', '2026-10-01'],
  ['2026-11-01T01:00:00.000Z', '2026-10-01', '2026-11-01'],
  ['2026-11-15T12:00:00.000Z', '2026-10-01', '2026-11-01'],
  ['2027-01-31T23:59:59.000Z', '2026-12-01', '2027-01-01'],
  ['2027-03-01T12:00:00.000Z', '2027-02-01', '2027-03-01'],
])('the demo’s days · made at %s · the month from %s is closed', (now, from, end) => {
  const { monthFrom, monthEnd } = demoDays(new Date(now));
  expect(text([monthFrom, monthEnd])).toEqual([`${from}T00:00:00.000Z`, `${end}T00:00:00.000Z`]);
});

/** What is wrong with a demo that is made then. */
function faultsOf(now: Date): string[] {
  const { monthFrom, monthEnd, paidIn, takenBack, quiet, closed, open } = demoDays(now);
  const all = [...quiet, ...closed, ...open];
  const isRising = (dates: readonly Date[]): boolean =>
    dates.every((date, at) => at === 0 || date > (dates[at - 1] ?? date));
  const endOf = (day: Date | undefined): Date => new Date((day?.getTime() ?? 0) + DAY_MS - 60_000);
  const holds = {
    'the month may be closed': now.getTime() >= monthEnd.getTime() + 3_600_000,
    'each day once and in order': isRising(all),
    'two weeks and today': closed.length + open.length === 15 && open.length > 0,
    'eleven quiet days': quiet.length === 11,
    'money comes first': isRising([monthFrom, paidIn, ...quiet]),
    'what is closed is of the month': isRising([...quiet, ...closed, monthEnd]),
    'what is open is not': open.every((day) => day >= monthEnd),
    'taken back after all was settled': isRising([
      endOf([...quiet, ...closed].at(-1)),
      takenBack,
      monthEnd,
    ]),
  };
  return Object.entries(holds).flatMap(([what, is]) =>
    is ? [] : [`${now.toISOString()}: ${what}`],
  );
}

test('the demo’s days · on every day of three years, at any hour · each once, in order, and on its side', () => {
  const first = Date.UTC(2026, 0, 1);
  const days = Array.from({ length: 3 * 366 }, (_, day) => first + day * DAY_MS);
  const moments = days.flatMap((day) => [0, 0.99, 1, 12, 23.99].map((at) => day + at * 3_600_000));
  expect(moments.flatMap((at) => faultsOf(new Date(at)))).toEqual([]);
});

describe('the seed’s clock', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => await database?.close());

  const THEN = new Date('2026-02-03T09:00:00.000Z');
  const dated = async (key: string): Promise<number> => {
    const { rows } = await database.pool.query<{ created_at: Date }>(
      `INSERT INTO ledger_batches (idempotency_key, kind) VALUES ($1, 'test') RETURNING created_at`,
      [key],
    );
    return rows[0]?.created_at.getTime() ?? 0;
  };
  const isNow = async (key: string): Promise<boolean> => Date.now() - (await dated(key)) < 60_000;

  test('while it stands · what the application posts is dated by it · and afterwards by the database', async () => {
    await onSeedClock(database.ownerUrl, async (clock) => {
      await clock.at(THEN);
      expect(await dated('a')).toBe(THEN.getTime());
      await clock.at(new Date(THEN.getTime() + DAY_MS));
      expect(await dated('b')).toBe(THEN.getTime() + DAY_MS);
    });
    expect(await isNow('c')).toBe(true);
  });

  test('its work fails · nothing is dated by it afterwards', async () => {
    const work = onSeedClock(database.ownerUrl, async (clock) => {
      await clock.at(THEN);
      throw new Error('no');
    });
    await expect(work).rejects.toThrow('no');
    expect(await isNow('d')).toBe(true);
  });

  test('its process was killed · the next start ends it', async () => {
    await onSeedClock(database.ownerUrl, async (clock) => {
      await clock.at(THEN);
      await endSeedClock(database.ownerUrl);
      expect(await isNow('e')).toBe(true);
    });
  });
});
