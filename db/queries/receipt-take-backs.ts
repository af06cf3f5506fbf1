import type { TakeableReceipt } from '../../domain/receipt-take-back.ts';
import { flag, nanos, ref } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { depositReceipts } from '../tables/deposit-receipt.ts';
import { depositRefunds } from '../tables/deposit-refund.ts';

/** Of a receipt r with its whole way back b: what decides whether it can be taken back, and who is asked. */
export const TAKEABLE = {
  wayBack: depositRefunds.columns.state.orNull().of('b.state'),
  isAsked: flag().of(`EXISTS (SELECT FROM approvals a WHERE a.kind = 'receipt_take_back'
    AND a.subject = r.id::text AND a.state = 'PROPOSED' AND approval_is_current(a))`),
  takeBackId: ref().orNull()
    .of(`(SELECT max(a.id) FROM approvals a WHERE a.kind = 'receipt_take_back'
    AND a.subject = r.id::text AND a.state IN ('PROPOSED', 'APPLIED'))`),
  refundedNanos: nanos().of(`(SELECT COALESCE(sum(w.amount_nanos), 0)::bigint FROM deposit_refunds w
    WHERE w.receipt_id = r.id AND w.balance_refund_id IS NOT NULL AND w.state <> 'RELEASED')`),
  availableNanos: nanos().of(`COALESCE((SELECT l.balance_nanos FROM ledger_accounts l
    JOIN deposits o ON l.code = 'adv:' || o.advertiser_id || ':available' WHERE o.id = r.deposit_id), 0)`),
};

const RECEIPT = select({
  ...columnsOf(depositReceipts, 'r', ['provider', 'state', 'amountNanos', 'operatorId']),
  ...TAKEABLE,
});

/** Undefined: there is no such receipt. */
export const readTakeable = async (
  sql: SqlRunner,
  receiptId: number,
): Promise<TakeableReceipt | undefined> =>
  await readRow(
    sql,
    RECEIPT,
    `SELECT ${RECEIPT.list} FROM deposit_receipts r LEFT JOIN deposit_refunds b ON b.id = r.id WHERE r.id = $1`,
    [receiptId],
  );

const HELD = select({ isHeld: flag().of('h.is_held') });

/**
 * Whether another receipt of its order holds it where it is: one that pays it, that it asks about or has yet to look
 * at, or that goes back and ends it. What waits in suspense by a flow of its own does not.
 */
export async function isHeldByAnother(
  sql: SqlRunner,
  { id, depositId }: { id: number; depositId: number },
): Promise<boolean> {
  const row: RowOf<typeof HELD> | undefined = await readRow(
    sql,
    HELD,
    `SELECT ${HELD.list} FROM (SELECT EXISTS (SELECT FROM deposit_receipts r
       LEFT JOIN deposit_refunds b ON b.id = r.id
       WHERE r.deposit_id = $2 AND r.id <> $1 AND (r.state IN ('CREDITED', 'TAKING_BACK')
         OR r.state = 'REFUNDING' AND b.closes_order
         OR r.state = 'SUSPENSE' AND (NOT EXISTS (SELECT FROM effects e WHERE e.key = 'deposit:' || $2 || ':confirm:' || r.id)
           OR EXISTS (SELECT FROM tasks t WHERE t.workflow_id = 'deposit:' || $2 AND t.status = 'open'
             AND (t.payload ->> 'receipt_id')::bigint = r.id)))) AS is_held) h`,
    [id, depositId],
  );
  return row?.isHeld ?? false;
}
