import { refundKey } from '../../domain/deposit-terms.ts';
import {
  type DocumentKind,
  type DocumentLine,
  documentNumber,
  type SentBack,
} from '../../domain/documents.ts';
import { nanos, ref, text, whole } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { depositRefunds } from '../tables/deposit-refund.ts';
import { deposits } from '../tables/deposit.ts';
import { type DocumentRow, documents } from '../tables/document.ts';

const LINE = select({
  type: text().of('m.type'),
  subject: text().orNull().of('m.subject'),
  name: text()
    .orNull()
    .of(
      `CASE split_part(m.subject, ':', 1)
         WHEN 'campaign' THEN (SELECT c.name FROM campaigns c WHERE c.id = split_part(m.subject, ':', 2)::bigint)
         WHEN 'deposit' THEN (SELECT d.reference FROM deposits d WHERE d.id = split_part(m.subject, ':', 2)::bigint)
       END`,
    ),
  transfers: whole().of('m.transfers'),
  amountNanos: nanos().of('m.nanos'),
});
const SUMMED = `s.type, s.subject_type || ':' || s.subject_id AS subject, count(*)::integer AS transfers`;

/** The transfers of a month are among these ids; of one without any, none is. */
export interface MonthTransfers {
  month: string;
  firstId: string;
  lastId: string;
}

/** One look for all accounts of a month, by the index of times: no account reads what is older. */
export async function readTransfersOf(sql: SqlRunner, month: string): Promise<MonthTransfers> {
  // Plus nothing: else the planner takes the key's index for the least of them, and walks it from the start.
  const { rows } = await sql.query<{ first: string | null; last: string | null }>(
    `SELECT min(id + 0)::text AS first, max(id + 0)::text AS last FROM ledger_transfers
     WHERE created_at >= $1::date::timestamp AT TIME ZONE 'UTC'
       AND created_at < ($1::date + interval '1 month') AT TIME ZONE 'UTC'`,
    [month],
  );
  return { month, firstId: rows[0]?.first ?? '1', lastId: rows[0]?.last ?? '0' };
}

/** What a month moved between an account's own and others' accounts, from its side, by type and subject. */
export const readMonth = async (
  sql: SqlRunner,
  { accountId, month, firstId, lastId }: MonthTransfers & { accountId: number },
): Promise<DocumentLine[]> =>
  await readRows(
    sql,
    LINE,
    `WITH own AS MATERIALIZED (SELECT id FROM ledger_accounts WHERE owner_id = $1),
     sides AS (
       SELECT t.*, t.amount_nanos AS signed FROM ledger_transfers t JOIN own ON own.id = t.credit_id
       WHERE t.id BETWEEN $3 AND $4 AND t.debit_id NOT IN (SELECT id FROM own)
       UNION ALL
       SELECT t.*, -t.amount_nanos FROM ledger_transfers t JOIN own ON own.id = t.debit_id
       WHERE t.id BETWEEN $3 AND $4 AND t.credit_id NOT IN (SELECT id FROM own))
     SELECT ${LINE.list} FROM (
       SELECT ${SUMMED}, sum(s.signed)::bigint AS nanos FROM sides s
       WHERE s.created_at >= $2::date::timestamp AT TIME ZONE 'UTC'
         AND s.created_at < ($2::date + interval '1 month') AT TIME ZONE 'UTC'
       GROUP BY 1, 2) m ORDER BY m.type, length(m.subject), m.subject`,
    [accountId, month, firstId, lastId],
  );

/** What one batch moved of an account's: in by a deposit, out by a payout or a refund. */
export const readBatch = async (
  sql: SqlRunner,
  { kind, accountId, batchId }: { kind: DocumentKind; accountId: number; batchId: number },
): Promise<DocumentLine[]> =>
  await readRows(
    sql,
    LINE,
    `SELECT ${LINE.list} FROM (
       SELECT ${SUMMED}, sum(CASE WHEN c.owner_id = $1 THEN s.amount_nanos ELSE -s.amount_nanos END)::bigint
         * CASE WHEN $3 IN ('PAYOUT_RECEIPT', 'REFUND_RECEIPT') THEN -1 ELSE 1 END AS nanos
       FROM ledger_transfers s JOIN ledger_accounts c ON c.id = s.credit_id JOIN ledger_accounts b ON b.id = s.debit_id
       WHERE s.batch_id = $2 AND $1 IN (c.owner_id, b.owner_id) AND c.owner_id IS DISTINCT FROM b.owner_id
       GROUP BY 1, 2) m ORDER BY m.type, length(m.subject), m.subject`,
    [accountId, batchId, kind],
  );

/**
 * What an account held when a month began: what its last statement ended with. Months are issued in their order
 * from the first of the ledger, and one of nothing has none.
 */
export async function readOpening(
  sql: SqlRunner,
  { accountId, month }: { accountId: number; month: string },
): Promise<bigint> {
  const { rows } = await sql.query<{ nanos: string }>(
    `SELECT closing_nanos::text AS nanos FROM documents
     WHERE account_id = $1 AND kind = 'STATEMENT' AND month < $2 ORDER BY month DESC LIMIT 1`,
    [accountId, month],
  );
  return BigInt(rows[0]?.nanos ?? 0);
}

/** Months of UTC that ended before `before` and are not done, oldest first. */
export async function dueMonths(sql: SqlRunner, before: Date): Promise<string[]> {
  const { rows } = await sql.query<{ month: string }>(
    `SELECT to_char(m, 'YYYY-MM-DD') AS month FROM generate_series(
       date_trunc('month', (SELECT min(created_at) FROM ledger_accounts) AT TIME ZONE 'UTC'),
       date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC') - interval '1 month', interval '1 month') m
     WHERE NOT EXISTS (SELECT FROM document_months d WHERE d.month = m::date) ORDER BY 1`,
    [before],
  );
  return rows.map(({ month }) => month);
}

const OWNER = select({ accountId: ref().of('a.id') });

/** Accounts with money in the ledger that have no statement of a month, in their order. */
export const accountsWithout = async (
  sql: SqlRunner,
  { month, after, limit }: { month: string; after: number; limit: number },
): Promise<RowOf<typeof OWNER>[]> =>
  await readRows(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM accounts a
     WHERE a.id > $2 AND EXISTS (SELECT FROM ledger_accounts l WHERE l.owner_id = a.id)
       AND NOT EXISTS (SELECT FROM documents d WHERE d.account_id = a.id AND d.month = $1 AND d.kind = 'STATEMENT')
     ORDER BY a.id LIMIT $3`,
    [month, after, limit],
  );

const RECEIPT = select({
  batchId: ref().of('b.id'),
  kind: text<'DEPOSIT_RECEIPT' | 'PAYOUT_RECEIPT' | 'REFUND_RECEIPT' | 'CREDIT_NOTE'>().of(
    'k.kind',
  ),
  accountId: ref().of('o.owner_id'),
});

/** Deposits, payouts, refunds, payouts that came back and deposits that were taken back of which nothing is written, in the ledger's order. */
export const receiptsDue = async (
  sql: SqlRunner,
  { after, limit }: { after: number; limit: number },
): Promise<RowOf<typeof RECEIPT>[]> =>
  await readRows(
    sql,
    RECEIPT,
    `SELECT ${RECEIPT.list} FROM ledger_batches b
     CROSS JOIN LATERAL (SELECT CASE b.kind WHEN 'deposit_credited' THEN 'DEPOSIT_RECEIPT'
       WHEN 'withdrawal_paid' THEN 'PAYOUT_RECEIPT' WHEN 'balance_refund_sent' THEN 'REFUND_RECEIPT' ELSE 'CREDIT_NOTE' END AS kind) k
     CROSS JOIN LATERAL (SELECT a.owner_id FROM ledger_transfers t
       JOIN ledger_accounts a ON a.id IN (t.debit_id, t.credit_id)
       WHERE t.batch_id = b.id AND a.owner_id IS NOT NULL LIMIT 1) o
     WHERE b.kind IN ('deposit_credited', 'withdrawal_paid', 'withdrawal_returned', 'balance_refund_sent', 'receipt_taken_back') AND b.id > $1
       AND NOT EXISTS (SELECT FROM documents d WHERE d.batch_id = b.id)
     ORDER BY b.id LIMIT $2`,
    [after, limit],
  );

const RECEIPT_OF = select(columnsOf(documents, 'd', ['kind', 'year', 'sequence']));

/**
 * The number of the receipt of what came back, or goes back, in this batch: of the payout, or of the deposit. That
 * was before, so its receipt is there.
 */
export async function findCorrected(sql: SqlRunner, batchId: number): Promise<string | undefined> {
  const row = await readRow(
    sql,
    RECEIPT_OF,
    `SELECT ${RECEIPT_OF.list} FROM ledger_batches r
     LEFT JOIN deposit_refunds w ON r.kind = 'balance_refund_sent' AND w.id = (r.ref ->> 'refund_id')::bigint
     JOIN ledger_batches p ON p.idempotency_key = COALESCE('receipt:' || COALESCE(w.receipt_id,
         CASE r.kind WHEN 'receipt_taken_back' THEN (r.ref ->> 'receipt_id')::bigint END) || ':credited',
       regexp_replace(r.idempotency_key, ':returned$', ':paid'))
     JOIN documents d ON d.batch_id = p.id AND d.kind IN ('PAYOUT_RECEIPT', 'DEPOSIT_RECEIPT') WHERE r.id = $1`,
    [batchId],
  );
  return row === undefined ? undefined : documentNumber(row.kind, row.year, row.sequence);
}

const SENT = select({
  ...columnsOf(depositRefunds, 'w', ['id', 'attempt', 'reference', 'payNanos', 'payCurrency']),
  order: deposits.columns.reference.of('d.reference'),
  method: deposits.columns.paymentMethod.of('d.payment_method'),
});

/** How what this batch has sent back went. */
export async function readSentBack(sql: SqlRunner, batchId: number): Promise<SentBack | undefined> {
  const row = await readRow(
    sql,
    SENT,
    `SELECT ${SENT.list} FROM ledger_batches b JOIN deposit_refunds w ON w.id = (b.ref ->> 'refund_id')::bigint
     JOIN deposit_receipts r ON r.id = w.receipt_id JOIN deposits d ON d.id = r.deposit_id WHERE b.id = $1`,
    [batchId],
  );
  if (row === undefined) return undefined;
  const { id, attempt, method, order, reference, payNanos, payCurrency } = row;
  // By hand there is no sum of a provider, though one may have been asked about before.
  const isByHand = reference !== null;
  return {
    method,
    order,
    reference: reference ?? refundKey(order, id, attempt),
    pay:
      isByHand || payNanos === null || payCurrency === null
        ? null
        : { amountNanos: payNanos, currency: payCurrency },
  };
}

const NUMBERED = select(columnsOf(documents, 'documents', ['id', 'year', 'sequence']));

/** Undefined when it is there. The database gives year and sequence; the caller keeps others of the account out. */
export const insertDocument = async (
  sql: SqlRunner,
  row: Omit<DocumentRow, 'id' | 'year' | 'sequence'>,
): Promise<RowOf<typeof NUMBERED> | undefined> =>
  await readRow(
    sql,
    NUMBERED,
    `INSERT INTO documents (kind, account_id, year, month, batch_id, currency, opening_nanos, total_nanos,
       closing_nanos, issued_at)
     SELECT $1::text, $2::bigint, 0, $3::date, $4::bigint, $5::text, $6::bigint, $7::bigint, $8::bigint, $9::timestamptz
     WHERE NOT EXISTS (SELECT FROM documents WHERE kind = $1 AND account_id = $2
       AND month IS NOT DISTINCT FROM $3::date AND batch_id IS NOT DISTINCT FROM $4::bigint)
     RETURNING ${NUMBERED.list}`,
    [
      row.kind,
      row.accountId,
      row.month,
      row.batchId,
      row.currency,
      row.openingNanos,
      row.totalNanos,
      row.closingNanos,
      row.issuedAt,
    ],
  );
