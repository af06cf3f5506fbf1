import { createHash } from 'node:crypto';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  accountsWithout,
  dueMonths,
  readBatch,
  readMonth,
  readOpening,
  receiptsDue,
} from '../../db/queries/documents.ts';
import {
  documentCsv,
  type DocumentContent,
  type DocumentKind,
  type DocumentLine,
  documentNumber,
} from '../../domain/documents.ts';
import { formatAmount } from '../../domain/money.ts';
import { PLATFORM_CURRENCY } from '../core/ledger.ts';
import type { ActivityDeps } from '../deps.ts';

/**
 * After a month's end: whoever posts dates each transfer when it holds the account, so one of the month before
 * is committed or undone by then.
 */
const SETTLED_AFTER_MS = 3_600_000;
const AT_ONCE = 200;
/** Of one round; the next one goes on. */
const ROUND_MAX = 5_000;

/**
 * Everything that is due and is not there yet: receipts, and the documents of months that have ended. Each is a
 * transaction of its own; one that is there is not written again, whoever else writes. Answers how many.
 */
export async function issueDocuments(deps: ActivityDeps): Promise<number> {
  let issued = await issueReceipts(deps);
  const before = new Date(deps.clock().getTime() - SETTLED_AFTER_MS);
  for (const month of await dueMonths(runner(deps.db), before)) {
    if (issued >= ROUND_MAX) return issued;
    issued += await issueMonth(deps, month);
  }
  return issued;
}

async function issueReceipts(deps: ActivityDeps): Promise<number> {
  let issued = 0;
  let after = 0;
  while (issued < ROUND_MAX) {
    const due = await receiptsDue(runner(deps.db), { after, limit: AT_ONCE });
    for (const { kind, accountId, batchId } of due) {
      const lines = await readBatch(runner(deps.db), { kind, accountId, batchId });
      issued += await issue(deps, { kind, accountId, batchId, lines });
      after = batchId;
    }
    if (due.length < AT_ONCE) break;
  }
  return issued;
}

async function issueMonth(deps: ActivityDeps, month: string): Promise<number> {
  const sql = runner(deps.db);
  let issued = 0;
  let after = 0;
  for (;;) {
    const due = await accountsWithout(sql, { month, after, limit: AT_ONCE });
    for (const { accountId } of due) {
      issued += await issueOfMonth(deps, accountId, month);
      after = accountId;
    }
    if (due.length < AT_ONCE) break;
  }
  await sql.query('INSERT INTO document_months (month) VALUES ($1) ON CONFLICT DO NOTHING', [
    month,
  ]);
  return issued;
}

/** The statement comes last: an account that has it has all of its month. One of nothing is not written. */
async function issueOfMonth(deps: ActivityDeps, accountId: number, month: string): Promise<number> {
  const sql = runner(deps.db);
  let issued = 0;
  for (const kind of ['INVOICE', 'CREDIT_NOTE'] as const) {
    const lines = await readMonth(sql, { kind, accountId, month });
    if (lines.length > 0) issued += await issue(deps, { kind, accountId, month, lines });
  }
  const lines = await readMonth(sql, { kind: 'STATEMENT', accountId, month });
  const openingNanos = await readOpening(sql, { accountId, month });
  if (lines.length === 0 && openingNanos === 0n) return issued;
  return issued + (await issue(deps, { kind: 'STATEMENT', accountId, month, lines, openingNanos }));
}

interface Due {
  kind: DocumentKind;
  accountId: number;
  month?: string;
  batchId?: number;
  openingNanos?: bigint;
  lines: readonly DocumentLine[];
}

/** Row, number and signed files commit together. Answers 0 when somebody else has issued it. */
async function issue(deps: ActivityDeps, due: Due): Promise<number> {
  const { kind, accountId, month = null, batchId = null, openingNanos = null, lines } = due;
  const totalNanos = lines.reduce((sum, line) => sum + line.amountNanos, 0n);
  const closingNanos = openingNanos === null ? null : openingNanos + totalNanos;
  const issuedAt = deps.clock();
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    const { rows: accounts } = await sql.query<{ realm: 'ADVERTISER' | 'PUBLISHER'; name: string }>(
      `SELECT kind AS realm, COALESCE(NULLIF(company_name, ''), username) AS name FROM accounts
       WHERE id = $1`,
      [accountId],
    );
    // One at a time, so that who comes second sees the first one's; a crash gives lock and number back.
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('documents', 0))`);
    const [account] = accounts;
    if (account === undefined) throw new Error(`account ${accountId} vanished`);
    const { rows } = await sql.query<{ id: number; year: number; sequence: number }>(
      `INSERT INTO documents (kind, account_id, year, month, batch_id, currency, opening_nanos, total_nanos,
         closing_nanos, issued_at)
       SELECT $1::text, $2::bigint, 0, $3::date, $4::bigint, $5::text, $6::bigint, $7::bigint, $8::bigint, $9::timestamptz
       WHERE NOT EXISTS (SELECT FROM documents WHERE kind = $1 AND account_id = $2
         AND month IS NOT DISTINCT FROM $3::date AND batch_id IS NOT DISTINCT FROM $4::bigint)
       RETURNING id, year, sequence`,
      [
        kind,
        accountId,
        month,
        batchId,
        PLATFORM_CURRENCY,
        openingNanos,
        totalNanos,
        closingNanos,
        issuedAt,
      ],
    );
    const [row] = rows;
    if (row === undefined) return 0;
    const content: DocumentContent = {
      number: documentNumber(kind, row.year, row.sequence),
      kind,
      account: { id: accountId, ...account },
      month: month?.slice(0, 7) ?? null,
      batchId,
      currency: PLATFORM_CURRENCY,
      openingNanos,
      totalNanos,
      closingNanos,
      issuedAt: issuedAt.toISOString(),
      lines,
    };
    const csv = Buffer.from(documentCsv(content));
    const manifest = deps.providers.documents.sign(JSON.stringify(manifestOf(content, csv)));
    await sql.query(
      `INSERT INTO document_files (document_id, format, bytes)
       VALUES ($1, 'CSV', $2), ($1, 'MANIFEST', $3)`,
      [row.id, csv, manifest],
    );
    return 1;
  });
}

/** What is signed: whose document it is, what it comes to, and the SHA-256 of its file. */
const manifestOf = (content: DocumentContent, csv: Buffer) => ({
  number: content.number,
  kind: content.kind,
  account: content.account,
  month: content.month,
  ledger_batch: content.batchId,
  currency: content.currency,
  opening: content.openingNanos === null ? null : formatAmount(content.openingNanos),
  total: formatAmount(content.totalNanos),
  closing: content.closingNanos === null ? null : formatAmount(content.closingNanos),
  issued_at: content.issuedAt,
  files: [
    {
      name: `${content.number}.csv`,
      bytes: csv.length,
      sha256: createHash('sha256').update(csv).digest('hex'),
    },
  ],
});
