import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { eventDays } from '../../../db/events/event-days.ts';
import type { EventCursor, EventLog } from '../../../db/events/event-log.ts';
import { createPostgresEventLog } from '../../../db/events/event-log-postgres.ts';
import { eventReader } from '../../../db/events/event-reader.ts';
import { addressAs } from '../../../db/application-role.ts';
import { migrate } from '../../../db/migrate.ts';
import { inTransaction, openPool, runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import type { EventFacts } from '../../../domain/tracking/facts.ts';
import {
  type Cluster,
  dumpAndRestore,
  freshCluster,
  openDatabase,
} from '../../support/clusters.ts';
import { cuttable } from '../../support/cuttable.ts';
import { APPLICATION, type TestDatabase } from '../../support/database.ts';
import {
  activityDeps,
  eventOf,
  type TestEvent,
  useTransactionIds,
  verifiedClick,
} from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';

/**
 * A dump is restored into another cluster in the middle of traffic. `before` is where the events were
 * answered; `after` and `forged` are two restores of one dump, and transaction ids there begin far
 * below those of `before`.
 */
const SHARDS = [0, 1];
const PRICE = 1_000_000n;

let clusters: Cluster[] = [];
let folder: string;
let before: TestDatabase;
let after: TestDatabase;
let forged: TestDatabase;
let lines: { cpm: Line; cpc: Line };
/** Every event that was answered, by id, with what it costs. */
const answered = new Map<string, bigint>();
let waiting: number;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'restore-'));
  clusters = await Promise.all([freshCluster(), freshCluster()]);
  const [old, fresh] = clusters;
  if (old === undefined || fresh === undefined) throw new Error('two clusters are needed');
  const from = await old.database('platform');
  await migrate(from, addressAs(from, APPLICATION));
  before = openDatabase(from);
  await useTransactionIds(before, 5_000);
  lines = { cpm: await makeLine(before), cpc: await makeLine(before, { pricingModel: 'CPC' }) };
  await trafficUntilTheDump();
  const dump = { from, to: await fresh.database('after') };
  await dumpAndRestore(old.binaries, dump, path.join(folder, 'dump'));
  // The runbook's step: a dump has grants to a role that the other cluster does not know.
  await migrate(dump.to, addressAs(dump.to, APPLICATION));
  after = openDatabase(dump.to);
  const copy = await fresh.database('forged');
  await dumpAndRestore(old.binaries, { from, to: copy }, path.join(folder, 'dump'));
  await migrate(copy, addressAs(copy, APPLICATION));
  forged = openDatabase(copy);
});

afterAll(async () => {
  for (const database of [before, after, forged]) await database?.close();
  for (const cluster of clusters) await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Some events are judged, some wait in the inbox, some reach only the spool: PostgreSQL went away. */
async function trafficUntilTheDump(): Promise<void> {
  const wire = await cuttable(before.url);
  const log = openLog(wire.url, 'spool');
  await answer(log, impressions(300));
  await settle(before);
  const late = impressions(250);
  const clicks = await clicksOf(before, late);
  await answer(log, late);
  wire.cut();
  await answer(log, [...clicks, ...impressions(100)]);
  expect(log.stats().spooled).toBeGreaterThan(100);
  await log.close();
  await wire.close();
  waiting = await unread(before);
}

function openLog(url: string, spool: string): EventLog {
  const pool = openPool({ url, poolMax: 4, applicationName: 'restore-log' });
  const log = createPostgresEventLog({
    pool,
    spoolDir: path.join(folder, spool),
    log: pino({ level: 'silent' }),
  });
  return {
    ...log,
    close: async () => {
      await log.close();
      await pool.end();
    },
  };
}

type Priced = TestEvent & { facts: EventFacts; costs: bigint };

/** Of both shards: four in five are charged themselves, the others by their click. */
const impressions = (count: number): Priced[] =>
  Array.from({ length: count }, (_, at) =>
    at % 5 === 0
      ? { ...eventOf(lines.cpc, { shard: 1, track: { pricingModel: 'CPC' } }), costs: 0n }
      : { ...eventOf(lines.cpm, { shard: at % 2 }), costs: PRICE },
  );

async function clicksOf(database: TestDatabase, events: readonly Priced[]): Promise<Priced[]> {
  const clicked = events.filter((event) => event.costs === 0n);
  return await Promise.all(
    clicked.map(async (event) => ({
      ...(await verifiedClick(database, lines.cpc, event)),
      costs: PRICE,
    })),
  );
}

async function answer(log: EventLog, events: readonly Priced[]): Promise<void> {
  await log.append(...events);
  for (const { id, costs } of events) answered.set(id, costs);
}

/** Until nothing waits in any shard; answers how many events were judged. */
async function settle(database: TestDatabase): Promise<number> {
  const { settleBatch } = createSettlementActivities(activityDeps(database));
  const counts = await Promise.all(
    SHARDS.map(async (shard) => {
      let events = 0;
      while (await eventReader.waits(runner(database.db), shard)) {
        events += (await settleBatch({ shard })).events;
      }
      return events;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

const faults = async (database: TestDatabase): Promise<unknown[]> =>
  (await runBooks(runner(database.db))).filter((check) => !check.ok);

/** What each judged event was charged; a refused one has no price. */
async function charged({ pool }: TestDatabase): Promise<Map<string, bigint | null>> {
  const { rows } = await pool.query<{ id: string; price: string | null }>(
    `SELECT id::text AS id, CASE WHEN billable THEN price_nanos::text END AS price FROM events`,
  );
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  return new Map(rows.map(({ id, price }) => [id, price === null ? null : BigInt(price)]));
}

/** Rows of the inbox that stand above every transaction of their server: only a dump brings such. */
async function aheadOfTheServer({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ ahead: number }>(
    `SELECT count(*)::int AS ahead FROM event_inbox
     WHERE xid >= pg_snapshot_xmax(pg_current_snapshot())`,
  );
  return rows[0]?.ahead ?? 0;
}

async function unread({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ unread: number }>(
    `SELECT count(*)::int AS unread FROM event_inbox i
     WHERE NOT EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id)`,
  );
  return rows[0]?.unread ?? 0;
}

async function storedCursors({ pool }: TestDatabase) {
  const { rows } = await pool.query<{ shard: number; after: EventCursor }>(
    `SELECT shard, xid || '-' || seq AS after FROM settlement_cursors ORDER BY shard`,
  );
  expect(rows).toHaveLength(SHARDS.length);
  return rows;
}

/** Of all days that have events; answers how many events kept theirs. */
async function dropDays({ db, pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT DISTINCT tableoid::regclass::text AS name FROM event_inbox',
  );
  expect(rows.length).toBeGreaterThan(0);
  let kept = 0;
  for (const { name } of rows) {
    kept += (await inTransaction(db, async (tx) => await eventDays.drop(runner(db, tx), name)))
      .unsettled;
  }
  return kept;
}

test('pg_control_system · an ordinary role · may ask which cluster this is', async () => {
  const client = await after.pool.connect();
  await client.query('CREATE ROLE nobody_special');
  await client.query('SET ROLE nobody_special');
  const { rows } = await client.query<{ system_identifier: string }>(
    'SELECT system_identifier FROM pg_control_system()',
  );
  client.release(true);
  const other = await before.pool.query<{ system_identifier: string }>(
    'SELECT system_identifier FROM pg_control_system()',
  );
  expect(rows[0]?.system_identifier).toMatch(/^\d+$/);
  expect(rows).not.toEqual(other.rows);
});

test('restored · traffic goes on · every answered event is judged and charged once', async () => {
  expect(waiting).toBeGreaterThan(200);
  expect(await aheadOfTheServer(after)).toBeGreaterThan(500);
  const log = openLog(after.url, 'spool');
  const more = impressions(300);
  const clicks = await clicksOf(after, more);
  const goingOn = (async () => {
    await answer(log, more);
    await answer(log, clicks);
  })();
  expect(await settle(after)).toBeGreaterThanOrEqual(waiting);
  await goingOn;
  await log.close();
  await settle(after);
  expect(await charged(after)).toEqual(answered);
  expect(await unread(after)).toBe(0);
  expect(await faults(after)).toEqual([]);
});

test('restored · a cursor is taken for this cluster’s own · new events stay unread, are told and kept', async () => {
  const log = openLog(forged.url, 'forged');
  await log.append(...impressions(40));
  await log.close();
  expect(await unread(forged)).toBe(waiting + 40);
  for (const { shard, after: cursor } of await storedCursors(forged)) {
    const where = { shard, after: cursor, limit: 1 };
    expect(await eventReader.read(runner(forged.db), where)).toEqual([]);
  }
  await forged.pool.query(
    'UPDATE settlement_cursors SET cluster = s.system_identifier FROM pg_control_system() AS s',
  );
  // Until no cursor stands in the future, which would give it away.
  await useTransactionIds(forged, 8_000);
  await settle(forged);
  expect(await unread(forged)).toBe(40);
  expect(await faults(forged)).toMatchObject([
    { name: 'inbox_behind_the_cursor_is_settled', figure: '40' },
  ]);
  expect(await dropDays(forged)).toBe(40);
  expect(await unread(forged)).toBe(40);
  // What the decision tells operators to do.
  await forged.pool.query('UPDATE settlement_cursors SET cluster = NULL');
  await settle(forged);
  expect(await unread(forged)).toBe(0);
  expect(await faults(forged)).toEqual([]);
  expect(await dropDays(forged)).toBe(0);
});

test('restored · later transactions reach the ids of restored rows · nothing is charged again', async () => {
  await useTransactionIds(after, 8_000);
  expect(await aheadOfTheServer(after)).toBe(0);
  const log = openLog(after.url, 'spool');
  await answer(log, impressions(20));
  await log.close();
  await settle(after);
  expect(await charged(after)).toEqual(answered);
  expect(await faults(after)).toEqual([]);
});
