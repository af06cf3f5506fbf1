import { ref, time } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** `$1` are the invariants of today: what another build checked no longer counts. */
const STATE = select({
  broken: ref().of(`count(*) FILTER (WHERE c.figure <> '0')`),
  checked: ref().of('count(*)'),
  oldestAt: time().orNull().of('min(c.checked_at)'),
});

/** How the books stood when each of these invariants was last looked at; one that never was is not `checked`. */
export async function readBookChecks(
  sql: SqlRunner,
  names: readonly string[],
): Promise<RowOf<typeof STATE>> {
  const row = await readRow(
    sql,
    STATE,
    `SELECT ${STATE.list} FROM book_checks c WHERE c.name = ANY($1::text[])`,
    [names],
  );
  if (row === undefined) throw new Error('a query without rows');
  return row;
}
