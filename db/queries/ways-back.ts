import { json, text } from '../schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { depositReceipts } from '../tables/deposit-receipt.ts';
import { depositRefunds } from '../tables/deposit-refund.ts';
import { deposits } from '../tables/deposit.ts';
import type { ReviewReason } from '../tables/json.ts';
import { nameOfAccount } from './account-admin.ts';

const BACK = depositRefunds.columns;
const WAY_BACK = select({
  ...columnsOf(depositRefunds, 'w', ['id', 'amountNanos', 'state', 'answer', 'balanceRefundId']),
  payNanos: BACK.payNanos.of('w.pay_nanos'),
  payCurrency: BACK.payCurrency.of('w.pay_currency'),
  currency: depositReceipts.columns.currency.of('r.currency'),
  paidUnder: depositReceipts.columns.providerReference.of('r.provider_reference'),
  receivedAt: depositReceipts.columns.receivedAt.of('r.received_at'),
  method: deposits.columns.paymentMethod.of('d.payment_method'),
  orderReference: deposits.columns.reference.of('d.reference'),
  accountName: nameOfAccount('d.advertiser_id'),
  /** As the bank's statement has it, where the receipt came from one. */
  payer: text()
    .orNull()
    .of('(SELECT l.payer FROM bank_statement_lines l WHERE l.receipt_id = r.id LIMIT 1)'),
  legalName: text().orNull().of(`(SELECT k.legal_name FROM kyc_applications k
    WHERE k.account_id = d.advertiser_id AND k.status = 'APPROVED' ORDER BY k.id DESC LIMIT 1)`),
  why: text().orNull().of('COALESCE(q.reason, s.note)'),
  reasons: json<ReviewReason[]>().orNull().of('s.reasons'),
  askedBy: text()
    .orNull()
    .of('(SELECT o.username FROM operators o WHERE o.id = COALESCE(q.maker_id, s.operator_id))'),
});
export type ShownWayBack = RowOf<typeof WAY_BACK>;

/** What goes back, to whom, and who said why: of a refund its request, of a receipt the decision that refused it. */
export const readWayBack = async (
  sql: SqlRunner,
  refundId: number,
): Promise<ShownWayBack | undefined> =>
  await readRow(
    sql,
    WAY_BACK,
    `SELECT ${WAY_BACK.list} FROM deposit_refunds w JOIN deposit_receipts r ON r.id = w.receipt_id
     JOIN deposits d ON d.id = r.deposit_id LEFT JOIN balance_refunds q ON q.id = w.balance_refund_id
     LEFT JOIN LATERAL (SELECT c.reasons, c.note, c.operator_id FROM tasks t
       JOIN task_decisions c ON c.task_id = t.id AND c.decision IN ('reject', 'refund') AND c.status = 'APPLIED'
       WHERE w.balance_refund_id IS NULL AND t.workflow_id IN ('deposit:' || d.id, 'suspense:' || r.id)
         AND (t.payload ->> 'receipt_id')::bigint = r.id ORDER BY c.id DESC LIMIT 1) s ON true
     WHERE w.id = $1`,
    [refundId],
  );
