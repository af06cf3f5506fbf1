import { createHash } from 'node:crypto';
import { inTransaction, runner } from '../db/postgres.ts';
import { type KycDocumentRow, listKycDocuments } from '../db/queries/kyc.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { recordAudit } from './audit.ts';
import type { ActivityDeps } from './deps.ts';
import { readIdentityDocument } from './providers/identity-document.ts';

/** More than anybody's papers; fewer than fill a disk. */
const DOCUMENTS_PER_ACCOUNT_MAX = 50;

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
      const known = await findByHash(deps, accountId, sha256);
      if (known !== undefined) return { id: known, created: false };
      const { bytes, mime } = await readIdentityDocument(upload.bytes);
      const path = await privateStore.put(bytes);
      try {
        const id = await insert(deps, { accountId, sha256, mime, bytes: bytes.length, path });
        if (id !== undefined) return { id, created: true };
      } catch (error) {
        await privateStore.remove(path);
        throw error;
      }
      // The same upload in parallel was faster; its file is the one that stays.
      await privateStore.remove(path);
      const winner = await findByHash(deps, accountId, sha256);
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

async function findByHash(
  deps: ActivityDeps,
  accountId: number,
  sha256: string,
): Promise<number | undefined> {
  const { rows } = await runner(deps.db).query<{ id: string }>(
    'SELECT id FROM kyc_documents WHERE account_id = $1 AND sha256 = $2',
    [accountId, sha256],
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
      `INSERT INTO kyc_documents (account_id, mime, bytes, sha256, path) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (account_id, sha256) DO NOTHING RETURNING id`,
      [document.accountId, document.mime, document.bytes, document.sha256, document.path],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });
}
