import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { createUpkeepActivities } from '../../../activities/upkeep/upkeep.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps, append, eventOf } from '../../support/settlement.ts';
import { makeLine } from '../../support/make/line.ts';

let database: TestDatabase;
let upkeep: ReturnType<typeof createUpkeepActivities>;
let settleBatch: ReturnType<typeof createSettlementActivities>['settleBatch'];

beforeEach(async () => {
  database = await createTestDatabase();
  upkeep = createUpkeepActivities(activityDeps(database));
  ({ settleBatch } = createSettlementActivities(activityDeps(database)));
});
afterEach(async () => {
  await database.close();
});

const DAY_MS = 86_400_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const partition = (days: number): string =>
  `event_inbox_${daysAgo(days).toISOString().slice(0, 10).replaceAll('-', '')}`;

async function exists(table: string): Promise<boolean> {
  const { rows } = await database.pool.query<{ there: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS there',
    [table],
  );
  return rows[0]?.there ?? false;
}

const mature = async (days: number): Promise<void> => {
  await database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('payout.maturity_days', $1)
     ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
    [days],
  );
};

test('runUpkeep · facts · are kept while earnings mature, however long that is set to take', async () => {
  await database.pool.query('SELECT ensure_event_partitions(current_date - 14, 14)');
  await mature(10);
  const { partitionsDropped } = await upkeep.runUpkeep();
  expect(partitionsDropped).toEqual([partition(14), partition(13)]);
  await mature(7);
  expect((await upkeep.runUpkeep()).partitionsDropped).toEqual(
    [12, 11, 10].map((days) => partition(days)),
  );
  await mature(0);
  await upkeep.runUpkeep();
  expect([await exists(partition(3)), await exists(partition(4))]).toEqual([true, false]);
});

test('runUpkeep · old inbox days · the settled one goes, the unsettled one stays, its judged events stay', async () => {
  await mature(0);
  await database.pool.query('SELECT ensure_event_partitions(current_date - 6, 4)');
  const line = await makeLine(database);
  const settled = eventOf(line, { at: daysAgo(5) });
  await append(database, settled);
  await settleBatch({ shard: 0 });
  await append(database, eventOf(line, { at: daysAgo(4), shard: 1 }));
  const report = await upkeep.runUpkeep();
  expect(report.partitionsDropped).toContain(partition(5));
  expect(report.partitionsDropped).not.toContain(partition(4));
  expect(report.partitionsKept).toEqual([{ name: partition(4), unsettled: 1 }]);
  expect(await exists(partition(4))).toBe(true);
  expect(await exists(partition(3))).toBe(true);
  const { rowCount } = await database.pool.query('SELECT 1 FROM events WHERE id = $1', [
    settled.id,
  ]);
  expect(rowCount).toBe(1);
  await settleBatch({ shard: 1 });
  expect((await upkeep.runUpkeep()).partitionsDropped).toEqual([partition(4)]);
});

test('runUpkeep · the cursor has passed an event that was never judged · its day stays, and is told', async () => {
  await mature(0);
  await database.pool.query('SELECT ensure_event_partitions(current_date - 5, 1)');
  const line = await makeLine(database);
  const [judged, passed] = [daysAgo(5), daysAgo(5)].map((at) => eventOf(line, { at }));
  await append(database, judged ?? eventOf(line));
  await settleBatch({ shard: 0 });
  await append(database, passed ?? eventOf(line));
  await database.pool.query(
    `UPDATE settlement_cursors c SET xid = i.xid, seq = i.seq FROM event_inbox i WHERE i.id = $1`,
    [passed?.id],
  );
  const told: string[] = [];
  const log = pino({ level: 'warn' }, { write: (text: string) => void told.push(text) });
  const report = await createUpkeepActivities({ ...activityDeps(database), log }).runUpkeep();
  expect(report).toMatchObject({
    partitionsDropped: [],
    partitionsKept: [{ name: partition(5), unsettled: 1 }],
  });
  expect(told.join('')).toContain(`"partition":"${partition(5)}","unsettled":1`);
  expect(await exists(partition(5))).toBe(true);
});

test('runUpkeep · partitions ahead · a week of them is there; a second run makes none', async () => {
  await upkeep.runUpkeep();
  expect(await exists(partition(-7))).toBe(true);
  expect(await upkeep.runUpkeep()).toMatchObject({ partitionsMade: 0, partitionsDropped: [] });
});

test('runUpkeep · what has expired · goes; what is of use stays', async () => {
  await database.pool.query(`
    INSERT INTO event_marks (key, seen_at) VALUES
      ('mark-old', now() - interval '49 hours'), ('mark-new', now() - interval '47 hours');
    INSERT INTO viewer_rates (minute, viewer, shard, events) VALUES
      (now() - interval '49 hours', 'rate-old', 0, 30), (now() - interval '47 hours', 'rate-new', 0, 30);
    INSERT INTO revoked_tokens (jti, expires_at) VALUES ('old', now() - interval '1 s'), ('new', now() + interval '1 hour');
    INSERT INTO idempotency_keys (scope, key, request_hash, first_at) VALUES
      ('s', 'old', 'h', now() - interval '25 hours'), ('s', 'new', 'h', now());
    INSERT INTO outbox (kind, dedupe_key, payload, done_at) VALUES
      ('publish', 'p-old', '{}', now() - interval '2 hours'), ('publish', 'p-new', '{}', now()),
      ('workflow_start', 'w-old', '{}', now() - interval '8 days'), ('workflow_start', 'w-new', '{}', now() - interval '6 days'),
      ('publish', 'waits', '{}', NULL);
    INSERT INTO effects (key, created_at) VALUES
      ('request:aa:deposit.open', now() - interval '26 hours'),
      ('request:bb:deposit.open', now() - interval '24 hours'),
      ('deposit:1:confirm:1', now() - interval '2 years');`);
  expect(await upkeep.runUpkeep()).toMatchObject({
    marks: 2,
    revokedTokens: 1,
    idempotencyKeys: 1,
    requestSteps: 1,
    outbox: 2,
  });
  const { rows } = await database.pool.query<{ left: string }>(
    `SELECT convert_from(key, 'UTF8') AS left FROM event_marks UNION SELECT viewer FROM viewer_rates UNION SELECT jti FROM revoked_tokens UNION SELECT key FROM idempotency_keys
     UNION SELECT dedupe_key FROM outbox UNION SELECT key FROM effects ORDER BY 1`,
  );
  expect(rows.map((row) => row.left)).toEqual([
    'deposit:1:confirm:1',
    'mark-new',
    'new',
    'p-new',
    'rate-new',
    'request:bb:deposit.open',
    'w-new',
    'waits',
  ]);
});

test('runUpkeep · events still wait that an expired mark may judge · the mark stays', async () => {
  await database.pool.query('SELECT ensure_event_partitions(current_date - 4, 3)');
  const line = await makeLine(database);
  await append(database, eventOf(line));
  await settleBatch({ shard: 0 });
  await database.pool.query(`UPDATE event_marks SET seen_at = now() - interval '49 hours'`);
  await append(database, eventOf(line, { at: daysAgo(2) }));
  expect(await upkeep.runUpkeep()).toMatchObject({ marks: 0 });
  await settleBatch({ shard: 0 });
  expect((await upkeep.runUpkeep()).marks).toBeGreaterThan(0);
});

test('runUpkeep · uploads that nobody waits for any more · are removed, a fresh one stays', async () => {
  const deps = activityDeps(database);
  const { incoming } = deps.providers.mediaStore;
  await mkdir(incoming, { recursive: true });
  for (const name of ['left', 'fresh']) await writeFile(path.join(incoming, name), 'bytes');
  const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(path.join(incoming, 'left'), twoHoursAgo, twoHoursAgo);
  expect((await createUpkeepActivities(deps).runUpkeep()).uploads).toBe(1);
  expect(await readdir(incoming)).toEqual(['fresh']);
});
