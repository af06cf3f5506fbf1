import { chart } from '../../domain/ledger/chart.ts';
import {
  MOVING_REFUND_STATES,
  OPEN_DEPOSIT_STATUSES,
  type ReceiptState,
  type RefundState,
} from '../../domain/lifecycle/deposit.ts';
import { nanos, ref, text, whole } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { deposits } from '../tables/deposit.ts';
import { depositPayments } from '../tables/deposit-payment.ts';
import { depositReceipts } from '../tables/deposit-receipt.ts';
import { depositRefunds } from '../tables/deposit-refund.ts';
import { operators } from '../tables/operator.ts';
import { tasks } from '../tables/task.ts';
import { nameOfAccount } from './account-admin.ts';
import { type BalanceMove, listMoves, type MoveFilter } from './ledger-moves.ts';
import { totalOf } from './page-total.ts';
import { TAKEABLE } from './receipt-take-backs.ts';
import { ORDER_SORTS, orderBy } from './sorting.ts';

export interface DepositFilter {
  id?: number | undefined;
  /** Always given on an advertiser's own pages. */
  advertiserId?: number | undefined;
  status?: string | undefined;
  paymentMethod?: string | undefined;
  reference?: string | undefined;
  /** Whole UTC days of creation, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** One of ORDER_SORTS; newest first when absent. */
  sort?: string | undefined;
  limit: number;
  offset: number;
}

const PAYMENT = depositPayments.columns;
/** What was never credited, and parts of what was (interface 5.23). */
const goesBack = (receipt: ReceiptState, parts: readonly RefundState[]): string =>
  `((SELECT COALESCE(sum(b.amount_nanos), 0) FROM deposit_receipts b
     WHERE b.deposit_id = d.id AND b.state = '${receipt}')
   + (SELECT COALESCE(sum(w.amount_nanos), 0) FROM deposit_refunds w JOIN deposit_receipts b ON b.id = w.receipt_id
      WHERE b.deposit_id = d.id AND w.balance_refund_id IS NOT NULL
        AND w.state IN (${parts.map((each) => `'${each}'`).join(', ')})))::bigint`;
/** An order, and how it stands at its provider; without one all of that is null. */
const DEPOSIT = select({
  ...columnsOf(deposits, 'd'),
  advertiserName: nameOfAccount('d.advertiser_id'),
  payNanos: nanos().orNull().of('p.pay_nanos'),
  payCurrency: PAYMENT.payCurrency.orNull().of('p.pay_currency'),
  network: PAYMENT.network.of('p.network'),
  instructions: PAYMENT.instructions.of('p.instructions'),
  openedAt: PAYMENT.openedAt.of('p.opened_at'),
  refused: PAYMENT.refused.of('p.refused'),
  closedAt: PAYMENT.closedAt.of('p.closed_at'),
  askedAt: PAYMENT.askedAt.of('p.asked_at'),
  answer: PAYMENT.answer.of('p.answer'),
  confirmationsSeen: PAYMENT.confirmationsSeen.of('p.confirmations_seen'),
  /** Of what was received: on its way back to whoever paid it, and back there. */
  returningNanos: nanos().of(goesBack('REFUNDING', MOVING_REFUND_STATES)),
  returnedNanos: nanos().of(goesBack('REFUNDED', ['SENT'])),
});
export type ShownDeposit = RowOf<typeof DEPOSIT>;
const FILTER = `($1::bigint IS NULL OR d.id = $1) AND ($2::bigint IS NULL OR d.advertiser_id = $2)
  AND ($3::text IS NULL OR d.status = $3) AND ($4::text IS NULL OR d.payment_method = $4)
  AND ($5::text IS NULL OR d.reference = $5)
  AND ($6::date IS NULL OR d.created_at >= $6::date::timestamp AT TIME ZONE 'UTC')
  AND ($7::date IS NULL OR d.created_at < ($7::date + 1)::timestamp AT TIME ZONE 'UTC')`;

export async function listDeposits(
  sql: SqlRunner,
  filter: DepositFilter,
): Promise<{ items: ShownDeposit[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.advertiserId ?? null,
    filter.status ?? null,
    filter.paymentMethod ?? null,
    filter.reference ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const items = await readRows(
    sql,
    DEPOSIT,
    `SELECT ${DEPOSIT.list} FROM deposits d LEFT JOIN deposit_payments p ON p.deposit_id = d.id WHERE ${FILTER}
     ORDER BY ${orderBy(ORDER_SORTS, filter.sort, 'd')} LIMIT $8 OFFSET $9`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM deposits d WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const RECEIPT = select({
  ...columnsOf(depositReceipts, 'r'),
  ...TAKEABLE,
  evidenceName: text().orNull().of('e.name'),
  evidenceMime: text().orNull().of('e.mime'),
  evidenceBytes: whole().orNull().of('e.bytes'),
  backState: depositRefunds.columns.state.orNull().of('b.state'),
  backAnswer: depositRefunds.columns.answer.of('b.answer'),
  backReference: depositRefunds.columns.reference.of('b.reference'),
  backAt: depositRefunds.columns.sentAt.of('b.sent_at'),
  askedTaskId: ref().orNull().of('q.id'),
  askedKind: tasks.columns.kind.orNull().of('q.kind'),
  /** Who may not answer it: another person must. */
  askedNotBy: operators.columns.username.orNull().of('q.username'),
});
export type ShownReceipt = RowOf<typeof RECEIPT>;

/** What arrived for one order, oldest first; only the one of `id` when that is given. */
export const listReceipts = async (
  sql: SqlRunner,
  { depositId, id }: { depositId: number; id?: number },
): Promise<ShownReceipt[]> =>
  await readRows(
    sql,
    RECEIPT,
    `SELECT ${RECEIPT.list} FROM deposit_receipts r
     LEFT JOIN receipt_evidence e ON e.id = r.evidence_id LEFT JOIN deposit_refunds b ON b.id = r.id
     LEFT JOIN LATERAL (SELECT t.id, t.kind, m.username FROM tasks t LEFT JOIN operators m ON m.id = t.maker_id
       WHERE t.subject_type = 'deposit' AND t.subject_id = r.deposit_id AND t.status = 'open'
         AND t.payload ->> 'receipt_id' = r.id::text ORDER BY t.id DESC LIMIT 1) q ON true
     WHERE r.deposit_id = $1 AND ($2::bigint IS NULL OR r.id = $2) ORDER BY r.id LIMIT 100`,
    [depositId, id ?? null],
  );

/** Orders of advertiser $1 that wait for their money, by whether a chain shows some of it. */
const unpaid = (seen: 'IS NULL' | 'IS NOT NULL'): string =>
  `SELECT COALESCE(sum(d.amount_nanos), 0) FROM deposits d
   LEFT JOIN deposit_payments p ON p.deposit_id = d.id
   WHERE d.advertiser_id = $1 AND d.status = 'PENDING' AND p.confirmations_seen ${seen}`;

/** Of advertiser $1, whose account's code is $2, at the moment $3. */
const BALANCE = select({
  availableNanos: nanos().of(
    'COALESCE((SELECT balance_nanos FROM ledger_accounts WHERE code = $2), 0)',
  ),
  /** On its way back to whoever paid it (interface 5.23). */
  heldNanos: nanos().of('COALESCE((SELECT balance_nanos FROM ledger_accounts WHERE code = $4), 0)'),
  /** Orders that wait for their money or for a decision. */
  pendingNanos: nanos().of(
    `(SELECT COALESCE(sum(amount_nanos), 0) FROM deposits WHERE advertiser_id = $1
      AND status IN (${OPEN_DEPOSIT_STATUSES.map((status) => `'${status}'`).join(', ')}))`,
  ),
  /** Money that was seen and is neither credited nor to be sent back; on a chain, of orders whose tokens are seen. */
  arrivingNanos: nanos().of(
    `(SELECT COALESCE(sum(r.amount_nanos), 0) FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id
      WHERE d.advertiser_id = $1 AND r.state = 'SUSPENSE')
     + (${unpaid('IS NOT NULL')})`,
  ),
  /** Orders for which nobody has paid anything yet. */
  unpaidNanos: nanos().of(`(${unpaid('IS NULL')})`),
  spendTodayNanos: nanos().of(
    `(SELECT COALESCE(sum(spend_nanos), 0) FROM rollup_ad_hours
      WHERE advertiser_id = $1 AND hour >= date_trunc('day', $3::timestamptz, 'UTC'))`,
  ),
});
export type AdvertiserBalance = RowOf<typeof BALANCE>;

/** Spend comes from the rollup that settlement writes with the transfers, in the same transaction. */
export async function readAdvertiserBalance(
  sql: SqlRunner,
  advertiserId: number,
  now: Date,
): Promise<AdvertiserBalance> {
  const codes = [chart.advertiserAvailable(advertiserId), chart.advertiserRefundHold(advertiserId)];
  const values = [advertiserId, codes[0], now, codes[1]];
  const row = await readRow(sql, BALANCE, `SELECT ${BALANCE.list}`, values);
  if (row === undefined) throw new Error('a query without rows');
  return row;
}

/** Newest first: every transfer that touched the advertiser's balance. */
export const listAdvertiserTransactions = async (
  sql: SqlRunner,
  { advertiserId, ...filter }: MoveFilter & { advertiserId: number },
): Promise<{ items: BalanceMove[]; total: number }> =>
  await listMoves(
    sql,
    { accounts: 'code', value: chart.advertiserAvailable(advertiserId) },
    filter,
  );

const KNOWN_RECEIPT = select(columnsOf(depositReceipts, 'r', ['id', 'depositId', 'amountNanos']));

/** The one that a bank's reference stands for, however it is written. */
export async function readReceiptOf(
  sql: SqlRunner,
  of: { provider: string; reference: string },
): Promise<RowOf<typeof KNOWN_RECEIPT> | undefined> {
  return await readRow(
    sql,
    KNOWN_RECEIPT,
    `SELECT ${KNOWN_RECEIPT.list} FROM deposit_receipts r
     WHERE r.provider = $1 AND bank_reference_key(r.provider_reference) = bank_reference_key($2)
       AND r.state <> 'TAKEN_BACK'`,
    [of.provider, of.reference],
  );
}
