import { type MountedRoute, mountedRoutes } from '../../api/openapi/route-list.ts';
import { createTestApp, type TestApp } from '../support/app.ts';
import { type ListOwners, seedLists } from '../support/bulk-lists.ts';
import { callerOf } from '../support/call.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

/** Of every list that offers orders: each page by page, nothing twice, nothing left out. */
const OWNERS = 2;
const ROWS = 40;
const PAGE_SIZE = 7;

type Item = Record<string, string | number | null> & { id: number };
interface Listed {
  items: Item[];
  next_cursor?: number | null;
}

let database: TestDatabase;
let app: TestApp;
let owners: ListOwners;
let lists: MountedRoute[];

beforeAll(async () => {
  database = await createTestDatabase();
  app = await createTestApp(database);
  owners = await seedLists(database.pool, { rows: ROWS, owners: OWNERS });
  await database.pool.query(`
    UPDATE campaigns SET bid_nanos = (id / 2 % 4) * 1000000000, name = CASE WHEN id % 3 = 0 THEN 'campaign z' ELSE name END,
      daily_budget_nanos = CASE WHEN id % 8 < 4 THEN (id % 5) * 1000000000 END, updated_at = now() - (id % 7) * interval '1 hour';
    UPDATE zones SET floor_price_cpm_nanos = (id / 2 % 4) * 1000000000;
    UPDATE deposits SET amount_nanos = (1 + id / 2 % 4) * 1000000000;
    UPDATE ads SET weight = 1 + id / 2 % 4;
    UPDATE conversions SET created_at = now() - (1000 - id) * interval '1 hour'`);
  lists = mountedRoutes(app.app).filter(
    ({ contract, path }) =>
      'sort' in (contract?.query?.fields ?? {}) && !path.startsWith('/api/admin/'),
  );
});
afterAll(async () => {
  await app.close();
  await database.close();
});

function ordersOf({ contract }: MountedRoute): string[] {
  const field = contract?.query?.describe().fields['sort'] as { oneOf: string[] };
  return field.oneOf;
}

async function readAll(
  { path }: MountedRoute,
  { sort, byCursor = false }: { sort?: string; byCursor?: boolean },
): Promise<Item[]> {
  const realm = path.startsWith('/api/advertiser') ? 'advertiser' : 'publisher';
  const caller = callerOf(app, realm, owners[`${realm}Id`], () => {
    app.passTime(1_000);
  });
  const address = path.slice(`/api/${realm}`.length).replace(':id', String(owners.thingId));
  const all: Item[] = [];
  let next = byCursor ? '' : '&page=1';
  for (let page = 1; ; page += 1) {
    const order = sort === undefined ? '' : `&sort=${sort}`;
    const { status, body } = await caller.get(`${address}?page_size=${PAGE_SIZE}${order}${next}`);
    expect([address, sort, status]).toEqual([address, sort, 200]);
    const { items, next_cursor: cursor } = (body as { data: Listed }).data;
    all.push(...items);
    if (items.length < PAGE_SIZE) return all;
    next = byCursor ? `&cursor=${String(cursor)}` : `&page=${page + 1}`;
  }
}

/** Null is the largest: of a cap it means none. */
function compare(a: string | number | null | undefined, b: typeof a): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return 1;
  if (b === null || b === undefined) return -1;
  const [x, y] = [a, b].map((value) => (typeof value === 'string' ? value.toLowerCase() : value));
  return (x ?? 0) < (y ?? 0) ? -1 : x === y ? 0 : 1;
}

test('every list of an owner · that grows · offers orders', () => {
  expect(lists.map(({ path }) => path).sort()).toEqual([
    '/api/advertiser/adgroups',
    '/api/advertiser/ads',
    '/api/advertiser/campaigns',
    '/api/advertiser/conversions',
    '/api/advertiser/creatives',
    '/api/advertiser/deposits',
    '/api/advertiser/deposits/transactions',
    '/api/advertiser/media',
    '/api/advertiser/trackers',
    '/api/advertiser/trackers/:id/conversions',
    '/api/publisher/sites',
    '/api/publisher/withdrawals',
    '/api/publisher/withdrawals/transactions',
    '/api/publisher/zones',
  ]);
});

test('a list · by each of its orders, page by page · is in that order, every row once', async () => {
  for (const list of lists) {
    const unsorted = await readAll(list, {});
    expect(unsorted.length).toBeGreaterThan(PAGE_SIZE);
    // Newest first. Ids of conversions are random: their times say it, and who stood where.
    const byId = !list.path.endsWith('/conversions');
    const newest = unsorted.map((item) =>
      byId ? item.id : Date.parse(String(item['created_at'])),
    );
    expect(newest).toEqual([...newest].sort((a, b) => b - a));
    const age = new Map(unsorted.map(({ id }, at) => [id, -at]));
    expect(age.size).toBe(unsorted.length);
    const hasCursor = 'cursor' in (list.contract?.query?.fields ?? {});
    for (const sort of ordersOf(list)) {
      const sign = sort.startsWith('-') ? -1 : 1;
      const field = sort.replace('-', '');
      const expected = [...unsorted].sort(
        (a, b) =>
          sign *
          ((hasCursor ? 0 : compare(a[field], b[field])) * ROWS * OWNERS +
            ((age.get(a.id) ?? 0) - (age.get(b.id) ?? 0))),
      );
      const shown = (items: Item[]) => items.map((item) => [list.path, sort, item.id, item[field]]);
      expect(shown(await readAll(list, { sort }))).toEqual(shown(expected));
      if (!hasCursor) continue;
      expect(shown(await readAll(list, { sort, byCursor: true }))).toEqual(shown(expected));
    }
  }
});

test('an order · that a list does not offer · is refused', async () => {
  const caller = callerOf(app, 'advertiser', owners.advertiserId);
  for (const sort of ['id', 'advertiser_id', '--name', 'name,id', 'lower(name)', 'NAME']) {
    const { status } = await caller.get(`/campaigns?sort=${encodeURIComponent(sort)}`);
    expect([sort, status]).toEqual([sort, 422]);
  }
});
