import type { EventCursor } from '../../../db/events/event-log.ts';
import { eventReader } from '../../../db/events/event-reader.ts';
import { inTransaction, runner } from '../../../db/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import {
  append,
  eventOf,
  type TestEvent,
  useTransactionIds,
  whenReadable,
} from '../../support/settlement.ts';
import type { Line } from '../../support/make/line.ts';

/** Which cluster a cursor is of. The whole way through a dump is in restore.test.ts. */
let database: TestDatabase;
const line: Line = {
  advertiserId: 1,
  publisherId: 2,
  campaignId: 3,
  adGroupId: 4,
  adId: 5,
  creativeId: 6,
  siteId: 7,
  zoneId: 8,
};
/** Transactions that this server will not have begun when the test is over. */
const FAR = 1_000_000;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.close();
});

/** A row as a dump brings it: of a transaction so many ahead of this server's. */
async function restore(event: TestEvent, ahead: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts, xid)
     VALUES (current_date, $1, 0, $2, $3, $4, ((pg_snapshot_xmax(pg_current_snapshot())::text::bigint + $5::bigint)::text)::xid8)`,
    [event.id, event.kind, event.receivedAt, JSON.stringify(event.facts), ahead],
  );
}

async function judge(event: TestEvent): Promise<void> {
  await database.pool.query(
    `INSERT INTO events (day, id, shard, kind, received_at, billable, status)
     VALUES (current_date, $1, 0, $2, $3, false, 'invalid')`,
    [event.id, event.kind, event.receivedAt],
  );
}

/** Everything that one runner would take, by id, and whether it was judged before. */
async function takeAll(): Promise<{ adopted: number | null; taken: [string, boolean][] }> {
  const held = await inTransaction(
    database.db,
    async (tx) => await eventReader.hold(runner(database.db, tx), 0),
  );
  if (held === null) throw new Error('another runner holds the shard');
  await whenNothingRuns();
  const rows = await eventReader.read(runner(database.db), {
    shard: 0,
    after: held.cursor,
    limit: 100,
  });
  const last = rows.at(-1);
  if (last !== undefined) {
    const moved = { cursor: last.cursor, events: rows.length, latestAtMs: last.receivedAtMs };
    await eventReader.moveTo(runner(database.db), 0, moved);
  }
  return { adopted: held.adopted, taken: rows.map((row) => [row.id, row.settled]) };
}

/** Other tests write beside this one; what was appended here must be below the oldest of them. */
async function whenNothingRuns(): Promise<void> {
  const { rows } = await database.pool.query<{ xid: string }>(
    'SELECT pg_current_xact_id()::text AS xid',
  );
  for (;;) {
    const { rowCount } = await database.pool.query(
      'SELECT 1 WHERE pg_snapshot_xmin(pg_current_snapshot()) > $1::xid8',
      [rows[0]?.xid],
    );
    if (rowCount === 1) return;
  }
}

const waits = async (): Promise<boolean> => await eventReader.waits(runner(database.db), 0);

/** A cursor that has passed everything here, as one from another cluster may stand. */
async function cursorBeyond(cluster: string): Promise<void> {
  await database.pool.query(
    `INSERT INTO settlement_cursors (shard, cluster, xid, seq, settled_at)
     SELECT 0, ${cluster}, max(xid), max(seq), '2026-01-02T03:04:05Z'
     FROM event_inbox, pg_control_system() AS s GROUP BY s.system_identifier`,
  );
}

test.each([
  ['another', 's.system_identifier + 1', 2],
  ['unknown', 'NULL::bigint', 2],
  ['this one', 's.system_identifier', null],
])(
  'hold · unjudged events behind a cursor whose cluster is %s · taken only if it is not this one',
  async (_, cluster, adopted) => {
    const events = [eventOf(line), eventOf(line), eventOf(line)];
    await append(database, ...events);
    await judge(events[1] ?? eventOf(line));
    // Else the judged row may stand behind the adopted ones, and is read and passed over.
    await whenNothingRuns();
    await cursorBeyond(cluster);
    expect(await waits()).toBe(adopted !== null);
    const [first, , third] = events.map((event) => [event.id, false]);
    expect(await takeAll()).toEqual(
      adopted === null ? { adopted, taken: [] } : { adopted, taken: [first, third] },
    );
    expect(await waits()).toBe(false);
    expect(await takeAll()).toEqual({ adopted: null, taken: [] });
  },
);

test('hold · this cluster by name, the cursor at a transaction that has not begun · adopted', async () => {
  const event = eventOf(line);
  await restore(eventOf(line), FAR);
  await cursorBeyond('s.system_identifier');
  await appendNew(event);
  expect(await waits()).toBe(true);
  const { adopted, taken } = await takeAll();
  expect(adopted).toBe(2);
  expect(taken.at(-1)).toEqual([event.id, false]);
});

/** As `append`, which would wait for the restored rows to be readable: they never are. */
async function appendNew(event: TestEvent): Promise<void> {
  await database.pool.query(
    `INSERT INTO event_inbox (day, id, shard, kind, received_at, facts) VALUES (current_date, $1, 0, $2, now(), $3)`,
    [event.id, event.kind, JSON.stringify(event.facts)],
  );
  await whenNothingRuns();
}

test('hold · rows of a dump without a cursor, then new ones · restored first, in their order', async () => {
  const [first, second, fresh] = [eventOf(line), eventOf(line), eventOf(line)];
  await restore(first, FAR + 5);
  await restore(second, FAR);
  expect(await waits()).toBe(true);
  await appendNew(fresh);
  expect((await takeAll()).taken).toEqual([first, second, fresh].map(({ id }) => [id, false]));
  const late = eventOf(line);
  await appendNew(late);
  expect(await takeAll()).toEqual({ adopted: null, taken: [[late.id, false]] });
});

test('read · the ids here reach those of judged rows from a dump · passed over as settled', async () => {
  const restored = eventOf(line);
  await judge(restored);
  await restore(restored, 5_000);
  const fresh = eventOf(line);
  await appendNew(fresh);
  expect((await takeAll()).taken).toEqual([[fresh.id, false]]);
  const later = new Date('2100-01-01');
  expect(await eventReader.settledUntil(runner(database.db), later)).toEqual(later);
  await useTransactionIds(database, 5_500);
  await whenReadable(database);
  const late = eventOf(line);
  await appendNew(late);
  expect((await takeAll()).taken).toEqual([
    [restored.id, true],
    [late.id, false],
  ]);
});

test('settledUntil · a cursor of another cluster, and after it was adopted · its last batch, then now', async () => {
  const now = new Date('2026-02-03T00:00:00Z');
  await append(database, eventOf(line));
  await cursorBeyond('s.system_identifier + 1');
  const until = async () => await eventReader.settledUntil(runner(database.db), now);
  expect(await until()).toEqual(new Date('2026-01-02T03:04:05Z'));
  await takeAll();
  expect(await until()).toEqual(now);
});

test('read · a text that no log gave · refused', async () => {
  const read = eventReader.read(runner(database.db), {
    shard: 0,
    after: 'yesterday' as EventCursor,
    limit: 1,
  });
  await expect(read).rejects.toThrow('not a cursor');
});
