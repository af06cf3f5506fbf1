import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { KYC_DUE_FOR_ERASURE } from '../../db/queries/kyc.ts';
import { loadSettings } from '../../db/settings.ts';
import { columnsOf, readRow, readRows, select } from '../../db/schema/selection.ts';
import { kycApplications } from '../../db/tables/kyc-application.ts';
import { kycDocuments } from '../../db/tables/kyc-document.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { lockAccount } from './kyc-status.ts';

/** Per round; the next one takes the rest. */
const AT_ONCE_MAX = 200;

const DUE = select(columnsOf(kycApplications, 'k', ['id', 'accountId']));
const ERASED = select(columnsOf(kycApplications, 'k', ['round', 'documentIds']));
const PAPER = select(columnsOf(kycDocuments, 'd', ['id', 'path', 'sha256']));

/**
 * Erases what nothing has rested on for kyc.retention_days, each round of papers by itself; nothing of an account that
 * is held. Who was verified when, by which country's papers and with which hashes, stays. Harmless twice and at once.
 * Answers how many rounds were erased.
 */
export async function eraseIdentities(deps: ActivityDeps, signal?: AbortSignal): Promise<number> {
  const sql = runner(deps.db);
  const { 'kyc.retention_days': days } = await loadSettings(sql);
  const until = new Date(deps.clock().getTime() - days * 86_400_000);
  const due = await readRows(
    sql,
    DUE,
    `SELECT ${DUE.list} FROM ${KYC_DUE_FOR_ERASURE} AND k.ended_at <= $1
     ORDER BY k.ended_at LIMIT ${AT_ONCE_MAX}`,
    [until],
  );
  let erased = 0;
  for (const round of due) {
    signal?.throwIfAborted();
    const paths = await inTransaction(deps.db, async (tx) => await erase(deps, tx, round, until));
    if (paths === undefined) continue;
    erased += 1;
    // No row names them any more: what a death leaves here is removed by the sweep of files.
    for (const path of paths) await deps.providers.privateStore.remove(path);
  }
  return erased;
}

/** Undefined: held meanwhile, or somebody else was faster. Answers the files that nothing names any more. */
async function erase(
  deps: ActivityDeps,
  tx: Transaction,
  { id, accountId }: { id: number; accountId: number },
  until: Date,
): Promise<string[] | undefined> {
  // Whoever holds the account, or submits one of its papers again, waits or is seen.
  const { legalHoldAt } = await lockAccount(deps, tx, accountId);
  if (legalHoldAt !== null) return undefined;
  const sql = runner(deps.db, tx);
  const now = deps.clock();
  const round = await readRow(
    sql,
    ERASED,
    `UPDATE kyc_applications k SET erased_at = $3, legal_name = NULL, document_number_sealed = NULL,
       document_number_tail = NULL, document_expires_on = NULL,
       reasons = (SELECT jsonb_agg(jsonb_build_object('code', r -> 'code')) FROM jsonb_array_elements(
         CASE jsonb_typeof(k.reasons) WHEN 'array' THEN k.reasons ELSE '[]' END) r)
     WHERE k.id = $1 AND k.erased_at IS NULL AND k.ended_at <= $2 RETURNING ${ERASED.list}`,
    [id, until, now],
  );
  if (round === undefined) return undefined;
  const papers = await erasePapers(deps, tx, round.documentIds);
  await recordAudit(deps.db, tx, {
    actor: { type: 'SYSTEM', id: null },
    action: 'kyc.erase',
    subject: { type: 'kyc', id },
    detail: {
      round: round.round,
      papers: papers.map((paper) => ({ id: paper.id, sha256: paper.sha256 })),
    },
    accountId,
  });
  return papers.flatMap(({ path }) => (path === null ? [] : [path]));
}

/** Those that no other round still shows, as they were before. With its key gone no copy of a file opens either. */
async function erasePapers(deps: ActivityDeps, tx: Transaction, documentIds: readonly number[]) {
  const sql = runner(deps.db, tx);
  const papers = await readRows(
    sql,
    PAPER,
    `SELECT ${PAPER.list} FROM kyc_documents d WHERE d.id = ANY($1::bigint[]) AND d.erased_at IS NULL
       AND NOT EXISTS (SELECT FROM kyc_applications k WHERE k.account_id = d.account_id
         AND k.erased_at IS NULL AND k.document_ids @> ARRAY[d.id])
     ORDER BY d.id FOR UPDATE OF d`,
    [documentIds],
  );
  await sql.query(
    `UPDATE kyc_documents SET erased_at = $2, path = NULL, sealed_key = NULL WHERE id = ANY($1::bigint[]) RETURNING id`,
    [papers.map(({ id }) => id), deps.clock()],
  );
  return papers;
}

/** Rows looked at in a round: in days each has had its turn. */
const LOOKED_AT_ONCE = 500;

export interface PapersLook {
  looked: number;
  /** Papers that should be there, and whose file is not. */
  missing: number[];
}

/** Whether each paper that is kept has its file: some a round, in turn. */
export async function lookAtPapers(deps: ActivityDeps): Promise<PapersLook> {
  const rows = await readRows(
    runner(deps.db),
    PAPER,
    `SELECT ${PAPER.list} FROM kyc_documents d WHERE d.path IS NOT NULL
     ORDER BY md5(d.path || $1) LIMIT ${LOOKED_AT_ONCE}`,
    [String(Math.floor(deps.clock().getTime() / 3_600_000))],
  );
  const missing: number[] = [];
  for (const { id, path } of rows) {
    if (path !== null && !(await deps.providers.privateStore.has(path))) missing.push(id);
  }
  if (missing.length > 0) deps.log.error({ missing }, 'papers of identities have no file');
  return { looked: rows.length, missing };
}
