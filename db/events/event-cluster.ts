import { whole } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { settlementCursors } from '../tables/settlement-cursor.ts';

/**
 * A cursor is made of transaction ids, and these belong to one cluster. A dump that is restored into
 * another brings rows and cursors with the ids of the old one, while new rows get the new one's,
 * which begin anywhere. Compared with each other they say nothing: new events would lie behind the
 * cursor, restored ones above every running transaction, and none of them would be read.
 *
 * Two signs show that a cursor `c` is not of this cluster `s`. The identifier that initdb draws is
 * another: any dump elsewhere, and pg_upgrade. Or the cursor stands at a transaction that has not
 * begun: clusters that share an identifier, as a promoted copy and its origin. A failover and a
 * recovery to a point in time move the ids together with the rows, and show neither sign.
 */
export const IS_FOREIGN = `(c.cluster IS DISTINCT FROM s.system_identifier
  OR c.xid >= pg_snapshot_xmax(pg_current_snapshot()))`;

/** Joined to the cursors as `s`; allowed to every role, and reads a file of 8 kB. */
export const THIS_CLUSTER = 'pg_control_system() AS s';

const ADOPTED = select({
  ...columnsOf(settlementCursors, 'c', ['xid', 'seq']),
  adopted: whole().of('(SELECT count(*)::int FROM moved)'),
});

/**
 * Makes a cursor of another cluster, held by the caller, one of this. What is not in `events` is to
 * be read, wherever it lies: such rows are moved to the last transaction that is over for good,
 * and the cursor before it. So they are readable at once, come before everything that is still being
 * written, and are among themselves in the order of the sequence, which a dump carries along: a
 * click stays behind its impression.
 *
 * Judged rows keep their old places, because there may be a hundred million of them. Those behind
 * the cursor are past; the others are passed over as settled when the ids here reach theirs.
 *
 * One look at the whole inbox, however long it takes: it happens once per move of the database.
 */
export async function adoptCursor(sql: SqlRunner, shard: number): Promise<RowOf<typeof ADOPTED>> {
  await sql.query('SET LOCAL statement_timeout = 0');
  const adopted = await readRow(
    sql,
    ADOPTED,
    `WITH here AS (
       SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text::xid8 AS xid
     ), moved AS (
       UPDATE event_inbox i SET xid = here.xid FROM here
       WHERE i.shard = $1 AND NOT EXISTS (SELECT 1 FROM events e WHERE e.day = i.day AND e.id = i.id)
       RETURNING 1
     )
     UPDATE settlement_cursors c
     SET xid = here.xid, seq = 0, cluster = s.system_identifier, adopted_at = clock_timestamp()
     FROM here, ${THIS_CLUSTER} WHERE c.shard = $1
     RETURNING ${ADOPTED.list}`,
    [shard],
  );
  if (adopted === undefined) throw new Error(`shard ${shard} has no cursor to adopt`);
  return adopted;
}
