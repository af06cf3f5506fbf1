import { createHash } from 'node:crypto';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type KycDocumentRow, listKycDocuments } from '../../db/queries/kyc.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { readIdentityDocument } from '../providers/identity-document.ts';

/** More than anybody's papers; fewer than fill a disk. */
const DOCUMENTS_PER_ACCOUNT_MAX = 50;
/** How long a document waits for the round that it was uploaded for. */
const UNSUBMITTED_DAYS = 30;
/** Per round of upkeep; the next one takes the rest. */
const DELETED_AT_ONCE_MAX = 500;

export interface OperatorRead {
  id: number;
  operatorId: number;
  requestId: string;
}

export function createKycDocumentActivities(deps: ActivityDeps) {
  const { privateStore } = deps.providers;
  return {
    /**
     * Keeps a proof of identity, sealed. The same bytes of one account are one document, so this may
     * be repeated. Raises too_large, unsupported_media, and state_conflict when there are too many;
     * nothing is stored then.
     */
    async storeKycDocument(upload: {
      accountId: number;
      bytes: Buffer;
    }): Promise<{ id: number; created: boolean }> {
      const { accountId } = upload;
      const sha256 = createHash('sha256').update(upload.bytes).digest('hex');
      const known = await offerAgain(deps, accountId, sha256);
      if (known !== undefined) return { id: known, created: false };
      const { bytes, mime } = await readIdentityDocument(upload.bytes);
      const path = await privateStore.put(bytes);
      try {
        const id = await insert(deps, { accountId, sha256, mime, bytes: bytes.length, path });
        if (id !== undefined) return { id, created: true };
      } catch (error) {
        // Of any other failure it is not known whether the row was committed: then the file stays,
        // and upkeep removes it when no row names it.
        if (error instanceof DomainError) await privateStore.remove(path);
        throw error;
      }
      // The same upload in parallel was faster; its file is the one that stays.
      await privateStore.remove(path);
      const winner = await offerAgain(deps, accountId, sha256);
      if (winner === undefined) throw new Error('the row of a document vanished');
      return { id: winner, created: false };
    },

    /** The content, for an operator; who looked is in the audit log. Raises not_found. */
    async readKycDocument(
      read: OperatorRead,
    ): Promise<{ document: KycDocumentRow; bytes: Buffer }> {
      const [document] = await listKycDocuments(runner(deps.db), [read.id]);
      if (document === undefined) throw notFound();
      const bytes = await privateStore.read(document.path);
      await inTransaction(deps.db, async (tx) => {
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: read.operatorId },
          action: 'kyc_document.read',
          subject: { type: 'kyc_document', id: read.id },
          detail: { account_id: document.accountId },
          requestId: read.requestId,
        });
      });
      return { document, bytes };
    },
  };
}

/** The document that these bytes already are; its days to be submitted in begin anew. */
async function offerAgain(
  deps: ActivityDeps,
  accountId: number,
  sha256: string,
): Promise<number | undefined> {
  const { rows } = await runner(deps.db).query<{ id: string }>(
    `UPDATE kyc_documents SET offered_at = $3 WHERE account_id = $1 AND sha256 = $2 RETURNING id`,
    [accountId, sha256, deps.clock()],
  );
  return rows[0] === undefined ? undefined : Number(rows[0].id);
}

type NewDocument = Pick<KycDocumentRow, 'accountId' | 'sha256' | 'mime' | 'bytes' | 'path'>;

/** Undefined: a parallel upload of the same bytes was faster. */
async function insert(deps: ActivityDeps, document: NewDocument): Promise<number | undefined> {
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    // One at a time per account, so that uploads at once cannot pass the limit together.
    await sql.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [document.accountId]);
    const { rows: counted } = await sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM kyc_documents WHERE account_id = $1',
      [document.accountId],
    );
    if ((counted[0]?.n ?? 0) >= DOCUMENTS_PER_ACCOUNT_MAX) {
      throw conflict(`An account keeps at most ${DOCUMENTS_PER_ACCOUNT_MAX} documents.`);
    }
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO kyc_documents (account_id, mime, bytes, sha256, path, offered_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (account_id, sha256) DO NOTHING RETURNING id`,
      [
        document.accountId,
        document.mime,
        document.bytes,
        document.sha256,
        document.path,
        deps.clock(),
      ],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });
}

const NEVER_SUBMITTED = `d.offered_at < $1 AND NOT EXISTS (SELECT 1 FROM kyc_applications a
  WHERE a.account_id = d.account_id AND a.document_ids @> ARRAY[d.id])`;

/**
 * A step of upkeep: papers that were uploaded and never submitted. Whatever was part of a round
 * stays. First the row goes, with a line in the audit log, then its file: a row without a file could
 * still be submitted, and a file without a row is removed by the sweep of files. Harmless twice.
 */
export async function deleteUnsubmittedDocuments(deps: ActivityDeps): Promise<number> {
  const before = new Date(deps.clock().getTime() - UNSUBMITTED_DAYS * 86_400_000);
  const { rows } = await runner(deps.db).query<{ account_id: string }>(
    `SELECT DISTINCT account_id FROM (
       SELECT d.account_id FROM kyc_documents d WHERE ${NEVER_SUBMITTED}
       ORDER BY d.offered_at LIMIT ${DELETED_AT_ONCE_MAX}) AS due`,
    [before],
  );
  let deleted = 0;
  for (const { account_id: id } of rows) {
    const paths = await deleteRows(deps, { accountId: Number(id), before });
    for (const path of paths) await deps.providers.privateStore.remove(path);
    deleted += paths.length;
  }
  return deleted;
}

async function deleteRows(
  deps: ActivityDeps,
  { accountId, before }: { accountId: number; before: Date },
): Promise<string[]> {
  return await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    // Whoever submits holds this lock from the look at the documents to the row of the round.
    await sql.query('SELECT id FROM accounts WHERE id = $1 FOR UPDATE', [accountId]);
    const { rows } = await sql.query<{ id: string; path: string }>(
      `DELETE FROM kyc_documents d WHERE d.account_id = $2 AND ${NEVER_SUBMITTED} RETURNING d.id, d.path`,
      [before, accountId],
    );
    for (const { id } of rows) {
      await recordAudit(deps.db, tx, {
        actor: { type: 'SYSTEM', id: null },
        action: 'kyc_document.delete',
        subject: { type: 'kyc_document', id: Number(id) },
        detail: { account_id: accountId, never_submitted: true },
      });
    }
    return rows.map(({ path }) => path);
  });
}
