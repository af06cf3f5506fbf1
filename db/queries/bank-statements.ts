import type { Nanos } from '../../domain/money.ts';
import { nanos, ref, text, word } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import {
  bankStatementLines,
  type BankStatementRow,
  bankStatements,
} from '../tables/bank-statement.ts';
import { type DepositRow, deposits } from '../tables/deposit.ts';
import { depositReceipts } from '../tables/deposit-receipt.ts';
import { withdrawals } from '../tables/withdrawal.ts';
import { totalOf } from './page-total.ts';

const STATEMENT = select(columnsOf(bankStatements, 's'));

/** Newest first. */
export async function listStatements(
  sql: SqlRunner,
  filter: { id?: number | undefined; limit: number; offset: number },
): Promise<{ items: BankStatementRow[]; total: number }> {
  const where = '($1::bigint IS NULL OR s.id = $1)';
  const bound = [filter.id ?? null];
  const items = await readRows(
    sql,
    STATEMENT,
    `SELECT ${STATEMENT.list} FROM bank_statements s WHERE ${where}
     ORDER BY s.id DESC LIMIT $2 OFFSET $3`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM bank_statements s WHERE ${where}`, values: bound },
  );
  return { items, total };
}

export const LINE_STATES = [
  'PROPOSED',
  'UNMATCHED',
  'RECORDED',
  'EXPLAINED',
  'OUT',
  'TAKEN_BACK',
] as const;
export type LineState = (typeof LINE_STATES)[number];

const METHODS = `('BANK', 'OFFLINE')`;
/** As domain/bank-statement/match.ts judges; here so that a page may be cut by it. */
const STATE = `CASE WHEN l.receipt_id IS NOT NULL THEN 'RECORDED'
  WHEN l.explained_at IS NOT NULL THEN 'EXPLAINED'
  WHEN l.is_reversal THEN 'TAKEN_BACK'
  WHEN l.direction = 'OUT' THEN 'OUT'
  WHEN d.status = 'PENDING' AND d.amount_nanos = l.amount_nanos AND d.currency = l.currency
    AND d.payment_method IN ${METHODS} THEN 'PROPOSED'
  ELSE 'UNMATCHED' END`;

const ofPayout = (column: string): string =>
  `(SELECT w.${column} FROM payouts p JOIN withdrawals w ON w.id = p.withdrawal_id WHERE p.external_ref = l.payout_reference)`;

const LINE = select({
  ...columnsOf(bankStatementLines, 'l'),
  state: word(LINE_STATES).of(STATE),
  /** That it is nothing of the platform's waits for a second person. */
  approvalId: ref()
    .orNull()
    .of(
      `(SELECT a.id FROM approvals a WHERE a.kind = 'bank_explanation' AND a.subject = l.id::text AND a.state = 'PROPOSED')`,
    ),
  receiptState: depositReceipts.columns.state.of('r.state'),
  withdrawalId: ref()
    .orNull()
    .of('(SELECT p.withdrawal_id FROM payouts p WHERE p.external_ref = l.payout_reference)'),
  /** What that withdrawal was to pay, and how it stands. */
  payoutNanos: nanos().orNull().of(ofPayout('arrival_nanos')),
  payoutCurrency: text().orNull().of(ofPayout('currency')),
  payoutStatus: withdrawals.columns.status.orNull().of(ofPayout('status')),
  /** Of the way back that it has paid; several parts by one transfer: the first of them. */
  refundId: ref().orNull().of('f.id'),
  balanceRefundId: ref().orNull().of('f.balance_refund_id'),
  orderId: ref().orNull().of('d.id'),
  advertiserId: ref().orNull().of('d.advertiser_id'),
  ordered: nanos().orNull().of('d.amount_nanos'),
  orderCurrency: text().orNull().of('d.currency'),
  orderStatus: deposits.columns.status.of('d.status'),
  orderMethod: deposits.columns.paymentMethod.of('d.payment_method'),
});
/**
 * The order that the line's words name, or that its money went to, and the refund that it has paid first; looked up
 * line by line.
 */
const FROM = `bank_statement_lines l
  LEFT JOIN LATERAL (SELECT * FROM deposit_receipts x WHERE x.id = l.receipt_id LIMIT 1) r ON true
  LEFT JOIN LATERAL (SELECT * FROM deposits y WHERE y.id = COALESCE(r.deposit_id,
    (SELECT o.id FROM deposits o WHERE o.reference = l.order_reference)) LIMIT 1) d ON true
  LEFT JOIN LATERAL (SELECT min(w.id) AS id, min(w.balance_refund_id) AS balance_refund_id FROM deposit_refunds w
    JOIN deposit_receipts z ON z.id = w.receipt_id AND z.provider = 'BANK'
    WHERE l.direction = 'OUT' AND NOT l.is_reversal AND l.payout_reference IS NULL AND w.state = 'SENT' AND w.reference IS NOT NULL
      AND bank_reference_key(w.reference) = bank_reference_key(l.reference)
    HAVING CASE WHEN sum(w.amount_nanos) = l.amount_nanos THEN NOT EXISTS (SELECT FROM bank_statement_lines e
      WHERE e.id < l.id AND e.direction = 'OUT' AND NOT e.is_reversal AND e.amount_nanos = l.amount_nanos
        AND bank_reference_key(e.reference) = bank_reference_key(l.reference)) END) f ON true`;

type Order = Pick<
  DepositRow,
  'id' | 'advertiserId' | 'amountNanos' | 'currency' | 'status' | 'paymentMethod'
>;
export type LineOfOrder = Omit<
  RowOf<typeof LINE>,
  'orderId' | 'ordered' | 'orderCurrency' | 'orderStatus' | 'orderMethod'
> & { order: Order | null };

function withOrder(row: RowOf<typeof LINE>): LineOfOrder {
  const { orderId, ordered, orderCurrency, orderStatus, orderMethod, ...line } = row;
  if (orderId === null || ordered === null || orderCurrency === null || line.advertiserId === null)
    return { ...line, order: null };
  return {
    ...line,
    order: {
      id: orderId,
      advertiserId: line.advertiserId,
      amountNanos: ordered,
      currency: orderCurrency,
      status: orderStatus,
      paymentMethod: orderMethod,
    },
  };
}

export interface LineFilter {
  statementId: number;
  state?: LineState | undefined;
  limit: number;
  offset: number;
}

/** In the order of the file. */
export async function listStatementLines(
  sql: SqlRunner,
  filter: LineFilter,
): Promise<{ items: LineOfOrder[]; total: number }> {
  const where = `l.statement_id = $1 AND ($2::text IS NULL OR ${STATE} = $2)`;
  const bound = [filter.statementId, filter.state ?? null];
  const rows = await readRows(
    sql,
    LINE,
    `SELECT ${LINE.list} FROM ${FROM} WHERE ${where} ORDER BY l.id LIMIT $3 OFFSET $4`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM ${FROM} WHERE ${where}`, values: bound },
  );
  return { items: rows.map(withOrder), total };
}

export async function readStatementLine(
  sql: SqlRunner,
  { id, statementId }: { id: number; statementId: number },
): Promise<LineOfOrder | undefined> {
  const row = await readRow(
    sql,
    LINE,
    `SELECT ${LINE.list} FROM ${FROM} WHERE l.id = $1 AND l.statement_id = $2`,
    [id, statementId],
  );
  return row === undefined ? undefined : withOrder(row);
}

const COUNTS = select({
  statementId: ref().of('l.statement_id'),
  state: word(LINE_STATES).of(STATE),
  lines: ref().of('count(*)'),
});

/** How many lines of each statement are in each state. */
export const countLines = async (
  sql: SqlRunner,
  ids: readonly number[],
): Promise<RowOf<typeof COUNTS>[]> =>
  await readRows(
    sql,
    COUNTS,
    `SELECT ${COUNTS.list} FROM ${FROM} WHERE l.statement_id = ANY($1::bigint[])
     GROUP BY l.statement_id, ${STATE}`,
    [ids],
  );

const KNOWN = select({
  ...columnsOf(bankStatementLines, 'l', ['amountNanos', 'bookedOn']),
  asked: text().of('asked.reference'),
});

/** Payments of an account by their reference as it is asked for, however it was written before. */
export async function knownPayments(
  sql: SqlRunner,
  account: string,
  references: readonly string[],
): Promise<Map<string, { amountNanos: Nanos; bookedOn: string }>> {
  const rows = await readRows(
    sql,
    KNOWN,
    `SELECT ${KNOWN.list} FROM unnest($2::text[]) AS asked (reference)
     JOIN bank_statement_lines l ON bank_reference_key(l.account) = bank_reference_key($1)
       AND bank_reference_key(l.reference) = bank_reference_key(asked.reference) AND l.identity IS NULL`,
    [account, references],
  );
  return new Map(rows.map((row) => [row.asked, row]));
}

const IDENTITY = select({ identity: text().of('l.identity') });

/** Of these movements of an account, those that a statement had before. */
export async function knownMovements(
  sql: SqlRunner,
  account: string,
  identities: readonly string[],
): Promise<Set<string>> {
  const rows = await readRows(
    sql,
    IDENTITY,
    `SELECT ${IDENTITY.list} FROM bank_statement_lines l
     WHERE bank_reference_key(l.account) = bank_reference_key($1) AND l.identity = ANY($2::text[])`,
    [account, identities],
  );
  return new Set(rows.map(({ identity }) => identity));
}
