import { ref, time } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** Counting goes no further: a backlog of more is one of "more than so many". */
export const BACKLOG_COUNTED_MAX = 10_000;

const BACKLOG = select({
  waiting: ref().of('count(i.received_at)'),
  oldestAt: time().orNull().of('min(i.received_at)'),
});
export type EventBacklog = RowOf<typeof BACKLOG>;

/**
 * Events that settlement has yet to judge. A shard without a cursor has judged nothing; right after a
 * restore, until the cursor is adopted, the figure may be too small.
 */
export async function readEventBacklog(sql: SqlRunner, shards: number): Promise<EventBacklog> {
  const row = await readRow(
    sql,
    BACKLOG,
    `SELECT ${BACKLOG.list} FROM generate_series(0, $1::int - 1) AS each (shard)
     LEFT JOIN settlement_cursors c ON c.shard = each.shard
     LEFT JOIN LATERAL (
       SELECT e.received_at FROM event_inbox e
       WHERE e.shard = each.shard
         AND (e.xid, e.seq) > (COALESCE(c.xid, '0'::xid8), COALESCE(c.seq, 0))
       ORDER BY e.xid, e.seq LIMIT ${BACKLOG_COUNTED_MAX}) i ON true`,
    [shards],
  );
  if (row === undefined) throw new Error('a query without rows');
  return row;
}
