import type { EventKind } from '../../domain/tracking/facts.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** Where a shard's settlement stands: everything up to and including this row is settled. */
export interface Cursor {
  /** xid8 as text */
  xid: string;
  seq: string;
}

export interface InboxRow extends Cursor {
  id: string;
  kind: EventKind;
  day: string;
  receivedAtMs: number;
  /** As stored; may be damaged. */
  facts: unknown;
  /** An event of this id is in `events` already: the cursor was set back by hand or by a restore. */
  settled: boolean;
}

export const READ_LIMIT = 2_000;

/**
 * The shard's next events in commit-safe order. Sequence numbers are handed out before a transaction
 * commits, so `seq > last` would skip what commits late; below the oldest running transaction
 * nothing can appear any more. An open transaction that has written holds the readers back, and no
 * longer than its idle timeout; so does one of another database on the same server, because
 * transaction ids are the server's.
 */
export async function readInbox(
  sql: SqlRunner,
  where: { shard: number; after: Cursor; limit: number },
): Promise<InboxRow[]> {
  const { rows } = await sql.query<InboxRow & { receivedAtMs: number }>(
    `SELECT i.xid::text AS xid, i.seq::text AS seq, i.id::text AS id, i.kind, i.day::text AS day, i.facts,
            (extract(epoch FROM i.received_at) * 1000)::float8 AS "receivedAtMs",
            EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id) AS settled
     FROM event_inbox i
     WHERE i.shard = $1 AND (i.xid, i.seq) > ($2::xid8, $3::bigint)
       AND i.xid < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY i.xid, i.seq LIMIT $4`,
    [where.shard, where.after.xid, where.after.seq, Math.min(where.limit, READ_LIMIT)],
  );
  return rows;
}

/** Whether anything waits behind the cursor; takes no lock and no transaction id. */
export async function inboxWaits(sql: SqlRunner, shard: number): Promise<boolean> {
  const { rows } = await sql.query<{ waits: boolean }>(
    `SELECT EXISTS (
       SELECT 1 FROM event_inbox i
       WHERE i.shard = $1
         AND (i.xid, i.seq) > (COALESCE((SELECT xid FROM settlement_cursors WHERE shard = $1), '0'::xid8),
                               COALESCE((SELECT seq FROM settlement_cursors WHERE shard = $1), 0))
         AND i.xid < pg_snapshot_xmin(pg_current_snapshot())) AS waits`,
    [shard],
  );
  return rows[0]?.waits ?? false;
}
