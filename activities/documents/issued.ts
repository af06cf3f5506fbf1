import { createHash } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { findCorrected, insertDocument, readSentBack } from '../../db/queries/documents-due.ts';
import { loadSettings } from '../../db/settings.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import {
  documentCsv,
  type DocumentContent,
  type DocumentKind,
  type DocumentLine,
  documentNumber,
  type Issuer,
  type Recipient,
} from '../../domain/documents.ts';
import { formatAmount } from '../../domain/money.ts';
import type { Settings } from '../../domain/settings.ts';
import { notify } from '../accounts/notifications.ts';
import { PLATFORM_CURRENCY } from '../core/ledger.ts';
import type { ActivityDeps } from '../deps.ts';
import { documentPdf } from '../providers/document-pdf.ts';

export interface DueDocument {
  kind: DocumentKind;
  accountId: number;
  /** First day of the month it sums up; or else the one batch that it is a receipt of. */
  month?: string;
  batchId?: number;
  /** Of a statement. */
  openingNanos?: bigint;
  lines: readonly DocumentLine[];
}

/**
 * Row, number, signed files and news commit together: a crash leaves none of them. Answers 0 when somebody else
 * has issued it. Others' documents of the same kind wait for the few statements that follow the number.
 */
export async function issue(deps: ActivityDeps, due: DueDocument): Promise<number> {
  const { kind, accountId, month = null, batchId = null, openingNanos = null, lines } = due;
  const totalNanos = lines.reduce((sum, line) => sum + line.amountNanos, 0n);
  const money = {
    currency: PLATFORM_CURRENCY,
    openingNanos,
    totalNanos,
    closingNanos: openingNanos === null ? null : openingNanos + totalNanos,
  };
  const issuedAt = deps.clock();
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    const holder = await readHolder(sql, accountId);
    // Who comes second sees the first one's before a number is taken.
    await sql.query(
      `SELECT pg_advisory_xact_lock(hashtextextended('document:' || $1::bigint, 0))`,
      [accountId],
    );
    const row = await insertDocument(sql, { kind, accountId, month, batchId, ...money, issuedAt });
    if (row === undefined) return 0;
    const sentBack =
      kind === 'REFUND_RECEIPT' && batchId !== null ? await readSentBack(sql, batchId) : undefined;
    const corrects =
      (kind === 'CREDIT_NOTE' || sentBack !== undefined) && batchId !== null
        ? await findCorrected(sql, batchId)
        : undefined;
    const content: DocumentContent = {
      issuer: issuerOf(await loadSettings(sql)),
      number: documentNumber(kind, row.year, row.sequence),
      kind,
      account: { id: accountId, ...holder },
      month: month?.slice(0, 7) ?? null,
      batchId,
      corrects: corrects ?? null,
      sentBack: sentBack ?? null,
      ...money,
      issuedAt: issuedAt.toISOString(),
      lines,
    };
    await writeFiles(deps, sql, row.id, content);
    await tell(deps, tx, row.id, content);
    return 1;
  });
}

const issuerOf = (settings: Settings): Issuer => ({
  name: settings['issuer.legal_name'],
  address: settings['issuer.address'],
  taxId: settings['issuer.tax_id'],
});

async function readHolder(sql: SqlRunner, accountId: number): Promise<Recipient> {
  const { rows } = await sql.query<Recipient>(
    `SELECT kind AS realm, COALESCE(NULLIF(company_name, ''), username) AS name,
       COALESCE(billing_address, '') AS address, COALESCE(tax_id, '') AS "taxId"
     FROM accounts WHERE id = $1`,
    [accountId],
  );
  const [holder] = rows;
  if (holder === undefined) throw new Error(`account ${accountId} vanished`);
  return holder;
}

async function writeFiles(
  deps: ActivityDeps,
  sql: SqlRunner,
  documentId: number,
  content: DocumentContent,
): Promise<void> {
  const csv = Buffer.from(documentCsv(content));
  const pdf = await documentPdf(content);
  const manifest = deps.providers.documents.sign(JSON.stringify(manifestOf(content, { csv, pdf })));
  await sql.query(
    `INSERT INTO document_files (document_id, format, bytes)
     VALUES ($1, 'CSV', $2), ($1, 'PDF', $3), ($1, 'MANIFEST', $4)`,
    [documentId, csv, pdf, manifest],
  );
}

/** What is signed: whose document it is, what it comes to, and the SHA-256 of its files. */
const manifestOf = (content: DocumentContent, files: Record<'csv' | 'pdf', Buffer>) => ({
  issuer: content.issuer,
  number: content.number,
  kind: content.kind,
  account: content.account,
  month: content.month,
  ledger_batch: content.batchId,
  corrects: content.corrects,
  currency: content.currency,
  opening: content.openingNanos === null ? null : formatAmount(content.openingNanos),
  total: formatAmount(content.totalNanos),
  closing: content.closingNanos === null ? null : formatAmount(content.closingNanos),
  issued_at: content.issuedAt,
  files: Object.entries(files).map(([suffix, bytes]) => ({
    name: `${content.number}.${suffix}`,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  })),
});

/** A month is news, once and with its last document; of what comes and goes there is news without a receipt. */
async function tell(
  deps: ActivityDeps,
  tx: Transaction,
  documentId: number,
  { kind, number, account }: DocumentContent,
): Promise<void> {
  if (kind !== 'STATEMENT') return;
  await notify(deps, tx, {
    accountId: account.id,
    kind: 'document_issued',
    subject: { type: 'document', id: documentId },
    params: { name: number },
  });
}
