import { preparedRunner } from '../../../db/postgres.ts';
import { type StoredReport, storeReports } from '../../../db/queries/conversion-reports.ts';
import { countedOf } from '../../../db/queries/conversions.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';

let database: TestDatabase;
let line: Line;
let trackerId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  line = await makeLine(database);
  trackerId = await insertRow(database, 'trackers', {
    advertiser_id: line.advertiserId,
    name: 'Sale',
    tracking_code: 'sale',
  });
  await database.pool.query(
    `INSERT INTO conversions (tracker_id, advertiser_id, click_id, dedupe_key, event_type, status)
     SELECT $1, $2, 'click-' || i, 'event', 'LEAD', CASE i % 2 WHEN 0 THEN 'BILLED' ELSE 'REJECTED' END
     FROM generate_series(1, 20000) i`,
    [trackerId, line.advertiserId],
  );
  await database.pool.query('ANALYZE conversions');
}, 60_000);
afterAll(async () => {
  await database.close();
});

it('countedOf · clicks among many · by the index of their keys, what counts alone', async () => {
  const plans: string[] = [];
  const explained = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN ${text}`,
        values,
      );
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      return await database.pool.query(text, values);
    },
  } as unknown as SqlRunner;
  const counted = await countedOf(explained, ['click-10', 'click-11', 'click-12', 'none']);
  expect(counted.map(({ clickId }) => clickId)).toEqual(
    expect.arrayContaining(['click-10', 'click-12']),
  );
  expect(counted).toHaveLength(2);
  expect(plans.join('\n')).toContain('conversions_once');
  expect(plans.join('\n')).not.toContain('Seq Scan');
});

it.each([
  ['deleted', 'DELETE FROM trackers WHERE id = $1'],
  ['renumbered', 'UPDATE trackers SET id = id + 1000000 WHERE id = $1'],
])(
  'a tracker that is %s by hand · refused, as its conversions name it',
  async (_what, statement) => {
    await expect(database.pool.query(statement, [trackerId])).rejects.toMatchObject({
      code: '23503',
    });
    const { rows } = await database.pool.query('SELECT id FROM trackers WHERE id = $1', [
      trackerId,
    ]);
    expect(rows).toHaveLength(1);
  },
);

it('a conversion of one click and key · once for each tracker, also where there is no click', async () => {
  const keys: (readonly [tracker: number | null, click: string | null])[] = [
    [trackerId, 'one'],
    [trackerId, 'one'],
    [null, 'one'],
    [null, 'one'],
    [trackerId, null],
    [trackerId, null],
    [null, null],
    [null, null],
  ];
  const counts = [];
  for (const [tracker, click] of keys) {
    const { rowCount } = await database.pool.query(
      `INSERT INTO conversions (tracker_id, advertiser_id, click_id, dedupe_key, event_type, status)
       VALUES ($1, $2, $3, 'event', 'LEAD', 'RECEIVED') ON CONFLICT DO NOTHING`,
      [tracker, line.advertiserId, click],
    );
    counts.push(rowCount);
  }
  expect(counts).toEqual([1, 0, 1, 0, 1, 0, 1, 0]);
});

describe('a public id that is taken', () => {
  const reportOf = (clickId: string): StoredReport => ({
    code: null,
    clickId,
    dedupeKey: 'tx:1',
    eventType: null,
    valueNanos: null,
    currency: null,
    source: 'api',
    isSigned: false,
    reporter: null,
    createdAt: null,
  });
  const drawFrom = async (sequence: string): Promise<void> => {
    await database.pool.query(
      `ALTER TABLE conversions ALTER COLUMN public_id SET DEFAULT ${sequence}`,
    );
  };

  it('once · is drawn anew, and all are stored once', async () => {
    await database.pool.query('CREATE SEQUENCE drawn START 5000');
    await database.pool.query('GRANT USAGE ON SEQUENCE drawn TO PUBLIC');
    await drawFrom(`nextval('drawn')`);
    const [first] = await storeReports(preparedRunner(database.db), [reportOf('taken-1')]);
    expect(first).toEqual({ id: 5_000, isDuplicate: false });
    await database.pool.query(`ALTER SEQUENCE drawn RESTART WITH 4999`);
    const stored = await storeReports(preparedRunner(database.db), [
      reportOf('taken-2'),
      reportOf('taken-3'),
      reportOf('taken-1'),
    ]);
    expect(stored.at(-1)).toEqual({ id: 5_000, isDuplicate: true });
    expect(new Set(stored.map(({ id }) => id)).size).toBe(3);
    const { rows } = await database.pool.query(
      `SELECT click_id FROM conversions WHERE click_id LIKE 'taken-%' ORDER BY 1`,
    );
    expect(rows.map(({ click_id: click }) => click)).toEqual(['taken-1', 'taken-2', 'taken-3']);
  });

  it('each time · is an error, and nothing is stored', async () => {
    await drawFrom('5000');
    await expect(storeReports(preparedRunner(database.db), [reportOf('taken-4')])).rejects.toThrow(
      'conversions_public_id',
    );
    const { rows } = await database.pool.query(
      `SELECT 1 FROM conversions WHERE click_id = 'taken-4'`,
    );
    expect(rows).toHaveLength(0);
  });
});
