import { ref, time } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** `$1` is the time now. */
const MONEY_WAITS = select({
  payoutsUnknown: ref().of(`(SELECT count(*) FROM withdrawals WHERE status = 'UNKNOWN')`),
  unknownSince: time()
    .orNull()
    .of(`(SELECT min(updated_at) FROM withdrawals WHERE status = 'UNKNOWN')`),
  /** Of clicks whose time is over and that nobody has written down as expired. */
  clickDueAt: time().orNull().of(`(SELECT min(verify_by) FROM clicks
      WHERE status = 'verify_pending' AND verify_by < $1::timestamptz)`),
});
export type MoneyWaits = RowOf<typeof MONEY_WAITS>;

/** Money of which something is not known yet. */
export async function readMoneyWaits(sql: SqlRunner, now: Date): Promise<MoneyWaits> {
  const row = await readRow(sql, MONEY_WAITS, `SELECT ${MONEY_WAITS.list}`, [now]);
  if (row === undefined) throw new Error('a query without rows');
  return row;
}
