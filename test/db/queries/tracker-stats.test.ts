import { readTrackerStats, type TrackerStatsQuery } from '../../../db/queries/tracker-stats.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { insertRow } from '../../support/make/row.ts';

/** Many trackers, each with conversions of many days: one tracker's week is a small part of it. */
const TRACKERS = 40;
const CONVERSIONS = 40_000;
const NOW = Date.UTC(2026, 2, 31);

let database: TestDatabase;
let line: Line;
let trackerId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  line = await makeLine(database);
  const trackers: number[] = [];
  for (let at = 0; at < TRACKERS; at += 1) {
    trackers.push(
      await insertRow(database, 'trackers', {
        advertiser_id: line.advertiserId,
        name: 'Sale',
        tracking_code: `code-${at}`,
      }),
    );
  }
  trackerId = trackers[0] ?? 0;
  await database.pool.query(
    `INSERT INTO conversions (tracker_id, advertiser_id, campaign_id, click_id, dedupe_key, event_type,
       status, value_nanos, created_at)
     SELECT ($1::bigint[])[1 + i % $2], $3, $4, 'click-' || i, 'event', 'LEAD', 'BILLED', 1000000000,
       $5::timestamptz - make_interval(mins => i * 3)
     FROM generate_series(1, $6) i`,
    [trackers, TRACKERS, line.advertiserId, line.campaignId, new Date(NOW), CONVERSIONS],
  );
  await database.pool.query('ANALYZE conversions');
}, 60_000);
afterAll(async () => {
  await database.close();
});

const week = (): TrackerStatsQuery => ({
  trackerId,
  advertiserId: line.advertiserId,
  groupBy: ['date'],
  startDate: '2026-03-24',
  endDate: '2026-03-30',
  timezone: 'UTC',
  currency: 'USD',
  limit: 100,
});

it('a week of one tracker among many · counts each conversion once', async () => {
  const rows = await readTrackerStats(database.pool, week());
  // Every 40th of one in three minutes: twelve a day.
  expect(rows.map(({ keys, counts }) => [keys.date, counts.billed, counts.valueNanos])).toEqual(
    Array.from({ length: 7 }, (_, at) => [`2026-03-${24 + at}`, 12, 12_000_000_000n]),
  );
});

it('a week of one tracker among many · is found by the index, and nothing else is read', async () => {
  let plan = '';
  const explaining = {
    query: async (text: string, values: unknown[]) => {
      const { rows } = await database.pool.query<Record<string, string>>(`EXPLAIN ${text}`, values);
      plan = rows.flatMap((row) => Object.values(row)).join('\n');
      return { rows: [] };
    },
  };
  await readTrackerStats(explaining as unknown as SqlRunner, week());
  expect(plan).toContain('conversions_tracker_time');
  expect(plan).not.toContain('Seq Scan on conversions');
});
