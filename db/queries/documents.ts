import { type DocumentFormat, type DocumentKind, documentNumber } from '../../domain/documents.ts';
import { bytes, flag, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { documents } from '../tables/document.ts';
import { totalOf } from './page-total.ts';

const DOCUMENT = select({
  ...columnsOf(documents, 'd'),
  /** `YYYY-MM`. */
  monthName: text().orNull().of(`to_char(d.month, 'YYYY-MM')`),
  /** Those of the first builds have none. */
  hasPdf: flag().of(
    `EXISTS (SELECT FROM document_files f WHERE f.document_id = d.id AND f.format = 'PDF')`,
  ),
});
export type ShownDocument = RowOf<typeof DOCUMENT>;

export interface DocumentFilter {
  accountId: number;
  kind?: DocumentKind | undefined;
  /** Whole UTC days of issue, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  limit: number;
  offset: number;
}

const FILTER = `d.account_id = $1 AND ($2::text IS NULL OR d.kind = $2)
  AND ($3::date IS NULL OR d.issued_at >= $3::date::timestamp AT TIME ZONE 'UTC')
  AND ($4::date IS NULL OR d.issued_at < ($4::date + 1)::timestamp AT TIME ZONE 'UTC')`;

/** What an account was issued, newest first. */
export async function listDocuments(
  sql: SqlRunner,
  filter: DocumentFilter,
): Promise<{ items: ShownDocument[]; total: number }> {
  const { accountId, kind = null, startDate = null, endDate = null, limit, offset } = filter;
  const values = [accountId, kind, startDate, endDate];
  const items = await readRows(
    sql,
    DOCUMENT,
    `SELECT ${DOCUMENT.list} FROM documents d WHERE ${FILTER} ORDER BY d.id DESC LIMIT $5 OFFSET $6`,
    [...values, limit, offset],
  );
  const counted = { text: `SELECT count(*) AS total FROM documents d WHERE ${FILTER}`, values };
  return { items, total: await totalOf(sql, { rows: items.length, limit, offset }, counted) };
}

const FILE = select({
  ...columnsOf(documents, 'd', ['kind', 'year', 'sequence', 'accountId']),
  bytes: bytes().of('f.bytes'),
});
export interface DocumentFile {
  accountId: number;
  number: string;
  bytes: Buffer;
}

/** The bytes that were issued; of an account's own when it is named, of anybody's for operators. */
export async function findDocumentFile(
  sql: SqlRunner,
  { id, format, accountId }: { id: number; format: DocumentFormat; accountId?: number | undefined },
): Promise<DocumentFile | undefined> {
  const row = await readRow(
    sql,
    FILE,
    `SELECT ${FILE.list} FROM documents d JOIN document_files f ON f.document_id = d.id AND f.format = $2
     WHERE d.id = $1 AND ($3::bigint IS NULL OR d.account_id = $3)`,
    [id, format, accountId ?? null],
  );
  if (row === undefined) return undefined;
  const { kind, year, sequence, ...file } = row;
  return {
    accountId: file.accountId,
    number: documentNumber(kind, year, sequence),
    bytes: file.bytes,
  };
}
