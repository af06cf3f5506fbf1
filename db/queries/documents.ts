import { type DocumentKind, type DocumentLine, documentNumber } from '../../domain/documents.ts';
import { bytes, nanos, ref, text, whole } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { documents } from '../tables/document.ts';

/** Moves that one document of a month sums up; a statement has every one. */
const BILLED: Partial<Record<DocumentKind, string>> = {
  INVOICE: `('SPEND', 'SPEND_RESTORED')`,
  CREDIT_NOTE: `('SPEND_REVERSED')`,
};
/** What an invoice asks for leaves the balance. */
const SIGN: Partial<Record<DocumentKind, -1>> = { INVOICE: -1, PAYOUT_RECEIPT: -1 };

const LINE = select({
  type: text().of('m.type'),
  subject: text().orNull().of('m.subject'),
  transfers: whole().of('m.transfers'),
  amountNanos: nanos().of('m.nanos'),
});

/** Each transfer between an account's own and others' accounts, from its side: `t`, `signed`, `own`. */
const SIDES = `own AS MATERIALIZED (SELECT id FROM ledger_accounts WHERE owner_id = $1),
  sides AS (
    SELECT t.*, t.amount_nanos AS signed FROM ledger_transfers t JOIN own ON own.id = t.credit_id
    WHERE t.debit_id NOT IN (SELECT id FROM own)
    UNION ALL
    SELECT t.*, -t.amount_nanos FROM ledger_transfers t JOIN own ON own.id = t.debit_id
    WHERE t.credit_id NOT IN (SELECT id FROM own))`;
const IN_MONTH = `s.created_at >= $2::date::timestamp AT TIME ZONE 'UTC'
  AND s.created_at < ($2::date + interval '1 month') AT TIME ZONE 'UTC'`;
const SUMMED = `s.type, s.subject_type || ':' || s.subject_id AS subject, count(*)::integer AS transfers`;

/** What one month moved, by type and subject. */
export const readMonth = async (
  sql: SqlRunner,
  { kind, accountId, month }: { kind: DocumentKind; accountId: number; month: string },
): Promise<DocumentLine[]> =>
  await readRows(
    sql,
    LINE,
    `WITH ${SIDES} SELECT ${LINE.list} FROM (
       SELECT ${SUMMED}, sum(${SIGN[kind] ?? 1} * s.signed)::bigint AS nanos FROM sides s
       WHERE ${IN_MONTH} ${BILLED[kind] === undefined ? '' : `AND s.type IN ${BILLED[kind]}`}
       GROUP BY 1, 2) m ORDER BY m.type, m.subject`,
    [accountId, month],
  );

/** What one batch moved of an account's. */
export const readBatch = async (
  sql: SqlRunner,
  { kind, accountId, batchId }: { kind: DocumentKind; accountId: number; batchId: number },
): Promise<DocumentLine[]> =>
  await readRows(
    sql,
    LINE,
    `WITH ${SIDES} SELECT ${LINE.list} FROM (
       SELECT ${SUMMED}, sum(${SIGN[kind] ?? 1} * s.signed)::bigint AS nanos FROM sides s
       WHERE s.batch_id = $2 GROUP BY 1, 2) m ORDER BY m.type, m.subject`,
    [accountId, batchId],
  );

/** What an account held when a month began. */
export async function readOpening(
  sql: SqlRunner,
  { accountId, month }: { accountId: number; month: string },
): Promise<bigint> {
  const { rows } = await sql.query<{ nanos: string }>(
    `WITH ${SIDES} SELECT COALESCE(sum(s.signed), 0)::text AS nanos FROM sides s
     WHERE s.created_at < $2::date::timestamp AT TIME ZONE 'UTC'`,
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
  kind: text<'DEPOSIT_RECEIPT' | 'PAYOUT_RECEIPT'>().of('k.kind'),
  accountId: ref().of('o.owner_id'),
});

/** Deposits and payouts of which no receipt is written, in the ledger's order. */
export const receiptsDue = async (
  sql: SqlRunner,
  { after, limit }: { after: number; limit: number },
): Promise<RowOf<typeof RECEIPT>[]> =>
  await readRows(
    sql,
    RECEIPT,
    `SELECT ${RECEIPT.list} FROM ledger_batches b
     CROSS JOIN LATERAL (SELECT CASE b.kind WHEN 'deposit_credited' THEN 'DEPOSIT_RECEIPT' ELSE 'PAYOUT_RECEIPT' END AS kind) k
     CROSS JOIN LATERAL (SELECT a.owner_id FROM ledger_transfers t
       JOIN ledger_accounts a ON a.id IN (t.debit_id, t.credit_id)
       WHERE t.batch_id = b.id AND a.owner_id IS NOT NULL LIMIT 1) o
     WHERE b.kind IN ('deposit_credited', 'withdrawal_paid') AND b.id > $1
       AND NOT EXISTS (SELECT FROM documents d WHERE d.batch_id = b.id)
     ORDER BY b.id LIMIT $2`,
    [after, limit],
  );

const ISSUED = select({
  ...columnsOf(documents, 'd', ['kind', 'year', 'sequence']),
  csv: bytes().of('c.bytes'),
  manifest: bytes().of('m.bytes'),
});

/** What an account was issued, with its number and the bytes that were signed; oldest first. */
export async function readDocuments(
  sql: SqlRunner,
  accountId: number,
): Promise<{ number: string; csv: Buffer; manifest: Buffer }[]> {
  const rows = await readRows(
    sql,
    ISSUED,
    `SELECT ${ISSUED.list} FROM documents d
     JOIN document_files c ON c.document_id = d.id AND c.format = 'CSV'
     JOIN document_files m ON m.document_id = d.id AND m.format = 'MANIFEST'
     WHERE d.account_id = $1 ORDER BY d.id`,
    [accountId],
  );
  return rows.map(({ kind, year, sequence, csv, manifest }) => ({
    number: documentNumber(kind, year, sequence),
    csv,
    manifest,
  }));
}
