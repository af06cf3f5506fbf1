import { decimal, flag, whole } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { type SettlementCursorRow, settlementCursors } from '../tables/settlement-cursor.ts';
import { adoptCursor, IS_FOREIGN, THIS_CLUSTER } from './event-cluster.ts';
import type { EventCursor, EventReader, HeldCursor, WaitingEvent } from './event-log.ts';

/** Everything up to and including this row is settled. */
type Place = Pick<SettlementCursorRow, 'xid' | 'seq'>;

export const READ_LIMIT = 12_000;

const cursorOf = ({ xid, seq }: { xid: string; seq: number | string }): EventCursor =>
  `${xid}-${seq}` as EventCursor;

function placeOf(cursor: EventCursor): Place {
  const [, xid, seq] = /^(\d+)-(\d+)$/.exec(cursor) ?? [];
  if (xid === undefined || seq === undefined) throw new Error(`not a cursor: ${cursor}`);
  return { xid, seq: Number(seq) };
}

/**
 * The reading half over PostgreSQL. Sequence numbers are handed out before a transaction commits, so
 * `seq > last` would skip what commits late; below the oldest running transaction nothing can appear
 * any more. An open transaction that has written holds the readers back, and no longer than its idle
 * timeout; so does one of another database on the same server, because transaction ids are the
 * server's.
 */
export const eventReader: EventReader = { waits, hold, read, moveTo, settledUntil };

/**
 * A cursor that is missing or of another cluster says nothing about what it has passed: anything
 * readable waits, and so do restored rows, whose ids no transaction here has reached.
 */
async function waits(sql: SqlRunner, shard: number): Promise<boolean> {
  const { rows } = await sql.query<{ waits: boolean }>(
    `WITH place AS (
       SELECT c.xid, c.seq FROM settlement_cursors c, ${THIS_CLUSTER}
       WHERE c.shard = $1 AND NOT ${IS_FOREIGN}
     )
     SELECT EXISTS (
         SELECT 1 FROM event_inbox i
         WHERE i.shard = $1
           AND (i.xid, i.seq) > (COALESCE((SELECT xid FROM place), '0'::xid8),
                                 COALESCE((SELECT seq FROM place), 0))
           AND i.xid < pg_snapshot_xmin(pg_current_snapshot()))
       OR (NOT EXISTS (SELECT 1 FROM place) AND EXISTS (
         SELECT 1 FROM event_inbox i
         WHERE i.shard = $1 AND i.xid >= pg_snapshot_xmax(pg_current_snapshot()))) AS waits`,
    [shard],
  );
  return rows[0]?.waits ?? false;
}

/** One runner per shard. A new cursor belongs to no cluster yet, so the first hold adopts it. */
async function hold(sql: SqlRunner, shard: number): Promise<HeldCursor | null> {
  let held = await lock(sql, shard);
  if (held === undefined) {
    await sql.query('INSERT INTO settlement_cursors (shard) VALUES ($1) ON CONFLICT DO NOTHING', [
      shard,
    ]);
    held = await lock(sql, shard);
  }
  if (held === undefined) return null;
  const { batches, shards, latestAtMs } = held;
  const known = { batches, shards, latestAtMs };
  if (!held.isForeign) return { cursor: cursorOf(held), ...known, adopted: null };
  const { adopted, ...place } = await adoptCursor(sql, shard);
  return { cursor: cursorOf(place), ...known, adopted };
}

const HELD = select({
  ...columnsOf(settlementCursors, 'c', ['xid', 'seq', 'batches']),
  latestAtMs: decimal().of('extract(epoch FROM c.latest_at)::float8 * 1000'),
  shards: whole().of('(SELECT count(*)::int FROM settlement_cursors)'),
  isForeign: flag().of(IS_FOREIGN),
});

async function lock(sql: SqlRunner, shard: number): Promise<RowOf<typeof HELD> | undefined> {
  return await readRow(
    sql,
    HELD,
    `SELECT ${HELD.list} FROM settlement_cursors c, ${THIS_CLUSTER}
     WHERE c.shard = $1 FOR UPDATE OF c SKIP LOCKED`,
    [shard],
  );
}

/** Thousands of rows a second: the driver's values are taken as they come, typed by the port. */
async function read(
  sql: SqlRunner,
  where: { shard: number; after: EventCursor; limit: number },
): Promise<WaitingEvent[]> {
  const after = placeOf(where.after);
  const { rows } = await sql.query<Omit<WaitingEvent, 'cursor'> & { xid: string; seq: string }>(
    `SELECT i.xid::text AS xid, i.seq::text AS seq, i.id::text AS id, i.kind, i.day::text AS day, i.facts,
            (extract(epoch FROM i.received_at) * 1000)::float8 AS "receivedAtMs",
            EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id) AS settled
     FROM event_inbox i
     WHERE i.shard = $1 AND (i.xid, i.seq) > ($2::xid8, $3::bigint)
       AND i.xid < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY i.xid, i.seq LIMIT $4`,
    [where.shard, after.xid, after.seq, Math.min(where.limit, READ_LIMIT)],
  );
  return rows.map(({ xid, seq, id, kind, day, receivedAtMs, facts, settled }) => ({
    cursor: cursorOf({ xid, seq }),
    id,
    kind,
    day,
    receivedAtMs,
    facts,
    settled,
  }));
}

async function moveTo(
  sql: SqlRunner,
  shard: number,
  moved: { cursor: EventCursor; events: number; latestAtMs: number },
): Promise<void> {
  const { xid, seq } = placeOf(moved.cursor);
  await sql.query(
    `UPDATE settlement_cursors SET xid = $2::xid8, seq = $3::bigint, batches = batches + 1,
       events = events + $4, latest_at = GREATEST(latest_at, $5::timestamptz), settled_at = clock_timestamp()
     WHERE shard = $1`,
    [shard, xid, seq, moved.events, new Date(Math.ceil(moved.latestAtMs)).toISOString()],
  );
}

const SETTLED = select({
  settledAt: settlementCursors.columns.settledAt
    .orNull()
    .of(
      `min(LEAST($1::timestamptz, waiting.received_at, CASE WHEN c.is_foreign THEN c.settled_at END))`,
    ),
});

/**
 * Rows above every transaction that has begun came from a dump; behind a cursor of this cluster they
 * are judged. Behind one of another cluster they may wait, and so may new rows anywhere, but none of
 * these came before its last batch.
 */
async function settledUntil(sql: SqlRunner, now: Date): Promise<Date | null> {
  const row = await readRow(
    sql,
    SETTLED,
    `SELECT ${SETTLED.list}
     FROM (SELECT c.*, ${IS_FOREIGN} AS is_foreign FROM settlement_cursors c, ${THIS_CLUSTER}) AS c
     LEFT JOIN LATERAL (
       SELECT i.received_at FROM event_inbox i
       WHERE i.shard = c.shard AND (i.xid, i.seq) > (c.xid, c.seq)
         AND i.xid < CASE WHEN c.is_foreign THEN '18446744073709551615'::xid8
                     ELSE pg_snapshot_xmax(pg_current_snapshot()) END
       ORDER BY i.xid, i.seq LIMIT 1) waiting ON true`,
    [now.toISOString()],
  );
  return row?.settledAt ?? null;
}
