import { FLOAT_REASONS } from '../../domain/lifecycle/payout.ts';
import { ref, time } from '../schema/column.ts';
import { readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { OLD_FILES_AT_BANK } from './payout-file-take-backs.ts';

const FLOATS = FLOAT_REASONS.map((reason) => `'${reason}'`).join(', ');

/** `$1` is the time now. */
const MONEY_WAITS = select({
  payoutsUnknown: ref().of(`(SELECT count(*) FROM withdrawals WHERE status = 'UNKNOWN')`),
  unknownSince: time()
    .orNull()
    .of(`(SELECT min(updated_at) FROM withdrawals WHERE status = 'UNKNOWN')`),
  /** Of orders that were tried and have provably not left. */
  payoutsUnsent: ref().of(`(SELECT count(*) FROM payouts WHERE state = 'READY' AND tries > 0)`),
  unsentSince: time()
    .orNull()
    .of(`(SELECT min(created_at) FROM payouts WHERE state = 'READY' AND tries > 0)`),
  /** Those of them that an account or wallet of ours is too empty for. */
  payoutsUnfunded: ref().of(`(SELECT count(*) FROM payouts
      WHERE state = 'READY' AND last_outcome IN (${FLOATS}))`),
  oldFilesAtBank: ref().of(`(SELECT count(*) FROM ${OLD_FILES_AT_BANK})`),
  /** When the chain that was longest not read was last moved on. */
  chainReadAt: time().orNull().of('(SELECT min(updated_at) FROM chain_cursors)'),
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
