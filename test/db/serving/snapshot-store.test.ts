import pg, { type QueryResultRow } from 'pg';
import { loadAdvertisers, type SnapshotSource } from '../../../db/serving/snapshot-store.ts';
import { seedInventory } from '../../support/bulk-inventory.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../../support/database.ts';
import { startServing } from '../../support/serving.ts';

/** More than a few portions of rows, so that what lies between two of them would be missed. */
const CAMPAIGNS = 430;

let database: TestDatabase;
let pool: pg.Pool;
let advertiserIds: number[];

beforeAll(async () => {
  database = await createTestDatabase();
  await seedInventory(database.pool, CAMPAIGNS, 1);
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM accounts WHERE kind = 'ADVERTISER'`,
  );
  advertiserIds = rows.map(({ id }) => Number(id));
});
afterAll(async () => {
  await pool.end();
  await database.close();
});

const idsOf = (rows: readonly { id: number }[]): number[] =>
  rows.map(({ id }) => id).sort((a, b) => a - b);

test('more rows than a portion · all are read, each once, and no portion is large', async () => {
  const { rows } = await database.pool.query<{ id: string }>('SELECT id FROM ads ORDER BY id');
  const portions = countRows();
  const { campaigns, ads } = await loadAdvertisers(pool, advertiserIds);
  expect(portions.end()).toBe(25);
  expect(idsOf(ads)).toEqual(rows.map(({ id }) => Number(id)));
  expect(new Set(idsOf(campaigns)).size).toBe(CAMPAIGNS);
});

test('a statement that fails in its third portion · is refused, and the next load is whole', async () => {
  const cut: SnapshotSource = {
    query: async <Row extends QueryResultRow>(asked: string | pg.QueryArrayConfig) => {
      const failing = 'SELECT 1 / (250 - n) AS id FROM generate_series(1, 430) n';
      return typeof asked === 'string'
        ? await pool.query<Row>(asked)
        : await pool.query<Row>({ ...asked, text: failing, values: [] });
    },
  };
  await expect(loadAdvertisers(cut, advertiserIds)).rejects.toThrow(/division by zero/);
  const { ads } = await loadAdvertisers(pool, advertiserIds);
  expect(ads).toHaveLength(CAMPAIGNS);
});

test('more advertisers than one statement brings · a process that comes up has all of them', async () => {
  let most = 0;
  const counted: SnapshotSource = {
    query: async <Row extends QueryResultRow>(
      asked: string | pg.QueryArrayConfig,
      values?: unknown[],
    ) => {
      if (typeof asked === 'string') return await database.pool.query<Row>(asked, values);
      const [ids] = asked.values ?? [];
      if (Array.isArray(ids)) most = Math.max(most, ids.length);
      return await database.pool.query<Row>(asked);
    },
  };
  const serving = await startServing({ sql: counted, redisUrl: serviceUrl('REDIS_URL') });
  expect(advertiserIds.length).toBeGreaterThan(most);
  expect(most).toBe(100);
  expect(serving.inventory.stats()).toMatchObject({ ads: CAMPAIGNS, servable: CAMPAIGNS });
  await serving.close();
});

/** The most rows that PostgreSQL has sent before it was asked for more. */
function countRows(): { end(): number } {
  let most = 0;
  let rows = 0;
  const { prototype } = pg.Query as unknown as { prototype: Record<string, Handler> };
  const before = { ...prototype };
  const watch = (name: string, note: () => void): void => {
    const handle = prototype[name];
    if (handle === undefined) throw new Error(`the driver has no ${name}`);
    before[name] = handle;
    prototype[name] = function watched(...args) {
      note();
      return handle.apply(this, args);
    };
  };
  watch('handleDataRow', () => (most = Math.max(most, (rows += 1))));
  watch('handlePortalSuspended', () => (rows = 0));
  watch('handleCommandComplete', () => (rows = 0));
  return {
    end: () => {
      Object.assign(prototype, before);
      return most;
    },
  };
}
type Handler = (...args: unknown[]) => unknown;
