import { type Refundable, returnStepOf } from '../../domain/balance-refund.ts';
import { chart } from '../../domain/ledger/chart.ts';
import { HELD_REFUND_STATES, type RefundState } from '../../domain/lifecycle/deposit.ts';
import type { Nanos } from '../../domain/money.ts';
import { nanos, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { balanceRefunds } from '../tables/balance-refund.ts';
import { depositReceipts } from '../tables/deposit-receipt.ts';
import { depositRefunds } from '../tables/deposit-refund.ts';
import { deposits } from '../tables/deposit.ts';
import { nameOfAccount } from './account-admin.ts';
import { totalOf } from './page-total.ts';

const RECEIPT = select({
  receiptId: depositReceipts.columns.id.of('r.id'),
  depositId: deposits.columns.id.of('d.id'),
  method: deposits.columns.paymentMethod.of('d.payment_method'),
  reference: deposits.columns.reference.of('d.reference'),
  receivedAt: depositReceipts.columns.receivedAt.of('r.received_at'),
  leftNanos: nanos()
    .of(`(r.amount_nanos - COALESCE((SELECT sum(b.amount_nanos) FROM deposit_refunds b
    WHERE b.receipt_id = r.id AND b.state <> 'RELEASED'), 0))::bigint`),
});
export type RefundableReceipt = RowOf<typeof RECEIPT> & Refundable;
const BALANCE = select({ nanos: nanos().of('a.balance_nanos') });
const PENDING = select({ nanos: nanos().of('COALESCE(sum(v.price_nanos), 0)::bigint') });

const CREDITED = `deposit_receipts r JOIN deposits d ON d.id = r.deposit_id
  WHERE d.advertiser_id = $1 AND r.state = 'CREDITED'`;

/**
 * The balance, what conversions that are held may cost of it, and what of its receipts has not gone back, newest first. `locked` keeps both as they are until the
 * transaction ends: receipts before the balance, as whoever ends a part of one does.
 */
export async function readRefundable(
  sql: SqlRunner,
  advertiserId: number,
  { locked }: { locked: boolean },
): Promise<{ balanceNanos: Nanos; pendingNanos: Nanos; receipts: RefundableReceipt[] }> {
  const code = chart.advertiserAvailable(advertiserId);
  if (locked) {
    const order = 'ORDER BY r.id FOR NO KEY UPDATE OF r';
    await sql.query(`SELECT r.id FROM ${CREDITED} ${order}`, [advertiserId]);
  }
  const accounts = locked
    ? 'ledger_lock_accounts(ARRAY[$1]) a'
    : 'ledger_accounts a WHERE code = $1';
  const balance = await readRow(sql, BALANCE, `SELECT ${BALANCE.list} FROM ${accounts}`, [code]);
  const pending = await readRow(
    sql,
    PENDING,
    `SELECT ${PENDING.list} FROM conversions v
     WHERE v.advertiser_id = $1 AND v.held_at IS NOT NULL AND v.status = 'PENDING'`,
    [advertiserId],
  );
  const receipts = await readRows(
    sql,
    RECEIPT,
    `SELECT ${RECEIPT.list} FROM ${CREDITED} ORDER BY r.id DESC`,
    [advertiserId],
  );
  return {
    balanceNanos: balance?.nanos ?? 0n,
    pendingNanos: pending?.nanos ?? 0n,
    receipts: receipts
      .filter(({ leftNanos }) => leftNanos > 0n)
      .map((receipt) => ({ ...receipt, stepNanos: returnStepOf(receipt.method) })),
  };
}

const partsThatAre = (states: readonly RefundState[]): string =>
  `(SELECT COALESCE(sum(w.amount_nanos), 0)::bigint FROM deposit_refunds w
    WHERE w.balance_refund_id = b.id AND w.state IN (${states.map((each) => `'${each}'`).join(', ')}))`;
const REQUEST = select({
  ...columnsOf(balanceRefunds, 'b'),
  advertiserName: nameOfAccount('b.advertiser_id'),
  maker: text().of('(SELECT o.username FROM operators o WHERE o.id = b.maker_id)'),
  approvalId: ref().orNull().of(`(SELECT max(p.id) FROM approvals p
    WHERE p.kind = 'balance_refund' AND p.subject = b.id::text)`),
  sentNanos: nanos().of(partsThatAre(['SENT'])),
  releasedNanos: nanos().of(partsThatAre(['RELEASED'])),
  heldNanos: nanos().of(partsThatAre(HELD_REFUND_STATES)),
});
export type ShownBalanceRefund = RowOf<typeof REQUEST>;

export async function listBalanceRefunds(
  sql: SqlRunner,
  filter: {
    id?: number | undefined;
    advertiserId?: number | undefined;
    status?: string | undefined;
    limit: number;
    offset: number;
  },
): Promise<{ items: ShownBalanceRefund[]; total: number }> {
  const where = `($1::bigint IS NULL OR b.id = $1) AND ($2::bigint IS NULL OR b.advertiser_id = $2)
    AND ($3::text IS NULL OR b.status = $3)`;
  const bound = [filter.id ?? null, filter.advertiserId ?? null, filter.status ?? null];
  const items = await readRows(
    sql,
    REQUEST,
    `SELECT ${REQUEST.list} FROM balance_refunds b WHERE ${where} ORDER BY b.id DESC LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM balance_refunds b WHERE ${where}`, values: bound },
  );
  return { items, total };
}

const PART = select({
  ...columnsOf(depositRefunds, 'w'),
  depositId: deposits.columns.id.of('d.id'),
  method: deposits.columns.paymentMethod.of('d.payment_method'),
  orderReference: deposits.columns.reference.of('d.reference'),
  sender: text().orNull().of('(SELECT o.username FROM operators o WHERE o.id = w.sent_by)'),
  taskId: ref().orNull().of(`(SELECT t.id FROM tasks t
    WHERE t.workflow_id = 'refund:' || w.id AND t.status = 'open' LIMIT 1)`),
});
export type ShownRefundPart = RowOf<typeof PART>;

/** The parts of a request, in the order in which receipts were taken. */
export const listRefundParts = async (
  sql: SqlRunner,
  balanceRefundId: number,
): Promise<ShownRefundPart[]> =>
  await readRows(
    sql,
    PART,
    `SELECT ${PART.list} FROM deposit_refunds w JOIN deposit_receipts r ON r.id = w.receipt_id
     JOIN deposits d ON d.id = r.deposit_id WHERE w.balance_refund_id = $1 ORDER BY w.id`,
    [balanceRefundId],
  );
