import { type Figure, FIGURES } from '../../../domain/report-columns.ts';
import type { ReportSide } from '../../../domain/report.ts';
import { createTestApp, type TestApp } from '../../support/app.ts';
import { type ListOwners, seedLists } from '../../support/bulk-lists.ts';
import { type Caller, callerOf } from '../../support/call.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** Lists in the order of what their rows brought: the numbers that the report of the same days says. */
const ROWS = 44;
const OWNERS = 2;
const PAGE_SIZE = 7;
/** A day that is another one in half of the world: the rows of its last hours lie behind it in UTC. */
const DAYS = { start_date: '2026-11-18', end_date: '2026-11-19', timezone: 'America/New_York' };
const ASKED = Object.entries(DAYS)
  .map(([field, value]) => `figures_${field}=${value}`)
  .join('&');

const LISTS = [
  { side: 'advertiser', list: '/campaigns', by: 'campaign' },
  { side: 'advertiser', list: '/adgroups', by: 'adgroup' },
  { side: 'advertiser', list: '/ads', by: 'ad' },
  { side: 'advertiser', list: '/creatives', by: 'creative' },
  { side: 'publisher', list: '/sites', by: 'site' },
  { side: 'publisher', list: '/zones', by: 'zone' },
] as const;

let database: TestDatabase;
let app: TestApp;
let owners: ListOwners;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createTestApp(database);
  owners = await seedLists(database.pool, { rows: ROWS, owners: OWNERS });
  // Every third has none. Inside of these days, before them, and in the last hour of them there, a day later in UTC.
  const hours = [
    '2026-11-18T12:00Z',
    '2026-11-18T03:00Z',
    '2026-11-20T04:45Z',
    '2026-11-20T05:00Z',
  ];
  await database.pool.query(
    `INSERT INTO rollup_ad_hours (hour, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id,
       impressions, viewable, clicks, conversions, removed, spend_nanos, views)
     SELECT h, c.advertiser_id, c.id, c.id, c.id, c.id, c.id * 7 % 5 * n, c.id % 3 * n, c.id * 5 % 7, c.id % 5,
       c.id * n % 6, c.id * 11 % 8 * 1000000 * n, c.id % 7 FROM campaigns c, unnest($1::timestamptz[]) WITH ORDINALITY x(h, n)
     WHERE c.id % 3 > 0`,
    [hours],
  );
  await database.pool.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, requests, impressions, viewable, clicks,
       conversions, removed, revenue_nanos, views)
     SELECT h, z.publisher_id, z.id, z.id, z.id * 3 % 11 * n, z.id * 7 % 5 * n, z.id % 3, z.id * 5 % 7, z.id % 5,
       z.id * n % 6, z.id * 11 % 8 * 1000000 * n, z.id % 7 FROM zones z, unnest($1::timestamptz[]) WITH ORDINALITY x(h, n)
     WHERE z.id % 3 > 0`,
    [hours],
  );
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const as = (side: ReportSide): Caller =>
  callerOf(app, side, owners[`${side}Id`], () => app.passTime(1_000));

async function readIds(caller: Caller, address: string): Promise<number[]> {
  const ids: number[] = [];
  for (let page = 1; ; page += 1) {
    const { status, body } = await caller.get(`${address}&page_size=${PAGE_SIZE}&page=${page}`);
    expect([address, status]).toEqual([address, 200]);
    const { items } = (body as { data: { items: { id: number }[] } }).data;
    ids.push(...items.map(({ id }) => id));
    if (items.length < PAGE_SIZE) return ids;
  }
}

/** What the report of these days says of each. */
async function readFigures(
  caller: Caller,
  by: string,
): Promise<Map<number, Record<string, number>>> {
  const { body } = await caller.get('/statistics/report').query({ ...DAYS, group_by: by });
  const { items } = (body as { data: { items: Record<string, number>[] } }).data;
  return new Map(items.map((line) => [line[`${by}_id`] ?? 0, line]));
}

test.each(LISTS)(
  '$side · $list · by each figure · is in the order of its report',
  async ({ side, list, by }) => {
    const caller = as(side);
    const figures = await readFigures(caller, by);
    const all = await readIds(caller, `${list}?sort=created_at`);
    expect(all.length).toBe(ROWS / OWNERS);
    expect(figures.size).toBeGreaterThan(PAGE_SIZE);
    expect(figures.size).toBeLessThan(all.length);
    for (const figure of FIGURES[side]) {
      const value = (id: number) => figures.get(id)?.[figure] ?? noneOf(figure);
      expect(new Set(all.map(value)).size).toBeGreaterThan(1);
      for (const [sort, sign] of [
        [figure, 1],
        [`-${figure}`, -1],
      ] as const) {
        // A rate of nothing stands last either way; ids break ties.
        const expected = all.toSorted((a, b) => {
          const [one, other] = [value(a), value(b)];
          if (one === null || other === null)
            return one === other ? sign * (a - b) : one === null ? 1 : -1;
          return sign * (one === other ? a - b : one - other);
        });
        expect([sort, await readIds(caller, `${list}?sort=${sort}&${ASKED}`)]).toEqual([
          sort,
          expected,
        ]);
      }
    }
  },
);

const noneOf = (figure: Figure): number | null =>
  ['ctr', 'cvr', 'ecpm'].includes(figure) ? null : 0;

test('a list · in the order of a figure · is narrowed as ever, and holds its owner’s rows alone', async () => {
  const caller = as('advertiser');
  const narrow = await readIds(caller, `/campaigns?keyword=Campaign%201`);
  const ordered = await readIds(caller, `/campaigns?keyword=Campaign%201&sort=-spend&${ASKED}`);
  expect(ordered.length).toBeGreaterThan(1);
  expect(ordered.toSorted((a, b) => b - a)).toEqual(narrow);
  const figures = await readFigures(caller, 'campaign');
  const spent = ordered.map((id) => figures.get(id)?.['spend'] ?? 0);
  expect(spent).toEqual(spent.toSorted((a, b) => b - a));
  expect(ordered).not.toEqual(narrow);
});

test('a list · by figures of other days · is in another order', async () => {
  const caller = as('advertiser');
  const these = await readIds(caller, `/campaigns?sort=-spend&${ASKED}`);
  const before = 'figures_start_date=2026-11-01&figures_end_date=2026-11-02';
  const none = await readIds(caller, `/campaigns?sort=-spend&${before}`);
  expect(none).toEqual(none.toSorted((a, b) => b - a));
  expect(these).not.toEqual(none);
});

test.each([
  [
    'figures_start_date=2026-11-01&figures_timezone=UTC',
    ['figures_start_date', 'figures_timezone'],
  ],
  ['sort=name&figures_end_date=2026-11-01', ['figures_end_date']],
  ['sort=-spend&figures_timezone=Nowhere', ['figures_timezone']],
  ['sort=spend&figures_start_date=2026-11-02&figures_end_date=2026-11-01', ['figures_end_date']],
  ['sort=spend&figures_start_date=2020-11-02&figures_end_date=2026-11-01', ['figures_start_date']],
  ['sort=spend&figures_start_date=yesterday', ['figures_start_date']],
  ['sort=revenue', ['sort']],
  ['sort=requests', ['sort']],
])('a list · asked for %s · is refused by the names of its fields', async (query, fields) => {
  const { status, body } = await as('advertiser').get(`/campaigns?${query}`);
  expect(status).toBe(422);
  const { errors } = (body as { data: { errors: { field: string }[] } }).data;
  expect(errors.map(({ field }) => field).sort()).toEqual(fields);
});
