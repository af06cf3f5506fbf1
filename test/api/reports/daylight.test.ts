import type { Caller } from '../../support/call.ts';
import { makeOperator, makePublisher } from '../../support/make/account.ts';
import { makeSite, makeZone } from '../../support/make/place.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** One of each per hour; money is of no round sum. */
const PRICE = 1_234_567;

/** What each day has, where its clocks are changed; the Azores go back over midnight, Havana to it. */
const DAYS = [
  { zone: 'Europe/Berlin', day: '2026-10-25', hours: 25, twice: 2 },
  { zone: 'Europe/Berlin', day: '2026-03-29', hours: 23, never: 2 },
  { zone: 'America/New_York', day: '2026-11-01', hours: 25, twice: 1 },
  { zone: 'America/New_York', day: '2026-03-08', hours: 23, never: 2 },
  { zone: 'Atlantic/Azores', day: '2026-10-25', hours: 25, twice: 0 },
  { zone: 'America/Havana', day: '2026-11-01', hours: 25, twice: 0 },
  { zone: 'America/Santiago', day: '2026-09-06', hours: 23, never: 0 },
  { zone: 'Australia/Lord_Howe', day: '2026-04-05', hours: 24.5, twice: 1 },
];

const shifted = (day: string, by: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + by * 86_400_000).toISOString().slice(0, 10);

const byNumber = (one: number, other: number): number => one - other;

interface Line {
  date?: string;
  hour?: number;
  impressions: number;
}

describe('reports over days whose clocks are changed', () => {
  let stand: Stand;
  /** Who reads, and where. */
  const readers: Record<string, [who: Caller, path: string]> = {};

  beforeAll(async () => {
    stand = await createStand();
    const { database } = stand;
    const buyer = await stand.newAdvertiser();
    const seller = await makePublisher(database.db);
    const site = await makeSite(database.db, seller.id);
    const zone = await makeZone(database.db, site);
    const desk = stand.as('admin', (await makeOperator(database.db, 'FINANCE')).id);
    // Two in each hour of the year up to now, as the quarters of an hour are kept.
    const halves = `generate_series('2026-03-01T00:00Z'::timestamptz, '2026-11-05T00:00Z', '30 minutes') h`;
    await database.pool.query(
      `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, impressions, spend_nanos)
       SELECT h, $1, 1, 1, 1, 1, 1, $2 FROM ${halves}`,
      [buyer.id, PRICE],
    );
    await database.pool.query(
      `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, impressions, revenue_nanos)
       SELECT h, $1, $2, $3, 1, $4 FROM ${halves}`,
      [seller.id, site.id, zone.id, PRICE],
    );
    readers['advertiser'] = [buyer, '/statistics/report'];
    readers['publisher'] = [stand.as('publisher', seller.id), '/statistics/report'];
    readers['operators'] = [desk, '/statistics/report'];
  });
  afterAll(async () => {
    await stand.close();
  });

  async function report(reader: string, ask: object) {
    const [who, path] = readers[reader] ?? [];
    if (who === undefined) throw new Error(`nobody is ${reader}`);
    const { body } = await who.get(path ?? '').query(ask);
    return body.data as { items: Line[]; totals: Line & { spend?: number; revenue?: number } };
  }

  const CASES = ['advertiser', 'publisher', 'operators'].flatMap((reader) =>
    DAYS.map((each) => ({ reader, ...each })),
  );

  it.each(CASES)(
    '$reader · $day in $zone · $hours hours, each once',
    async ({ reader, zone: timezone, day, hours, twice, never }) => {
      const halves = hours * 2;
      const alone = { start_date: day, end_date: day, timezone };
      const byDay = await report(reader, { ...alone, group_by: 'date' });
      expect(byDay.items.map(({ date, impressions }) => [date, impressions])).toEqual([
        [day, halves],
      ]);
      const { items, totals } = await report(reader, { ...alone, group_by: 'date,hour' });
      const expected = Array.from({ length: 24 }, (_, hour) => hour).filter((at) => at !== never);
      expect(items.map(({ hour }) => Number(hour)).toSorted(byNumber)).toEqual(expected);
      expect(new Set(items.map(({ date }) => date))).toEqual(new Set([day]));
      expect(totals.impressions).toBe(halves);
      const more = items.filter(({ impressions }) => impressions !== 2);
      expect(more.map(({ hour }) => hour)).toEqual(twice === undefined ? [] : [twice]);
    },
  );

  it.each(CASES)(
    '$reader · $day in $zone and its neighbours · three reports of a day are the one of three days',
    async ({ reader, zone: timezone, day, hours }) => {
      const days = [shifted(day, -1), day, shifted(day, 1)];
      const alone = await Promise.all(
        days.map(
          async (each) => await report(reader, { start_date: each, end_date: each, timezone }),
        ),
      );
      const sums = alone.map(({ totals }) => totals.impressions);
      expect(sums).toEqual([48, hours * 2, 48]);
      const together = await report(reader, {
        start_date: days[0],
        end_date: days[2],
        timezone,
        group_by: 'date',
      });
      expect(together.items.map(({ impressions }) => impressions).toSorted(byNumber)).toEqual(
        sums.toSorted(byNumber),
      );
    },
  );

  it.each(Object.keys({ advertiser: 0, publisher: 0, operators: 0 }))(
    '%s · a year in each zone · as much as in UTC',
    async (reader) => {
      const year = { start_date: '2026-02-20', end_date: '2026-11-10', group_by: 'date' };
      const { totals } = await report(reader, { ...year, timezone: 'UTC' });
      expect(totals.impressions).toBe(249 * 48 + 1);
      for (const timezone of new Set(DAYS.map(({ zone }) => zone))) {
        expect((await report(reader, { ...year, timezone })).totals).toEqual(totals);
      }
    },
  );
});
