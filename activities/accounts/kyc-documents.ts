import { createHash } from 'node:crypto';
import type { FileRow, KeptFile } from '../../db/files/private-store.ts';
import { nextId } from '../../db/next-id.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { listKycDocuments } from '../../db/queries/kyc.ts';
import { columnsOf, readRows, select } from '../../db/schema/selection.ts';
import { type KycDocumentRow, kycDocuments } from '../../db/tables/kyc-document.ts';
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
      const newId = await nextId(runner(deps.db), 'kyc_documents');
      const file = await privateStore.put(bytes, rowOf({ id: newId, accountId }));
      try {
        const id = await insert(deps, {
          id: newId,
          accountId,
          sha256,
          mime,
          bytes: bytes.length,
          ...file,
        });
        if (id !== undefined) return { id, created: true };
      } catch (error) {
        // Of any other failure it is not known whether the row was committed: then the file stays,
        // and upkeep removes it when no row names it.
        if (error instanceof DomainError) await privateStore.remove(file.path);
        throw error;
      }
      // The same upload in parallel was faster; its file is the one that stays.
      await privateStore.remove(file.path);
      const winner = await offerAgain(deps, accountId, sha256);
      if (winner === undefined) throw new Error('the row of a document vanished');
      return { id: winner, created: false };
    },

    /** The content, for an operator; who looked is in the audit log. Raises not_found, also of what was erased. */
    async readKycDocument(
      read: OperatorRead,
    ): Promise<{ document: KycDocumentRow; bytes: Buffer }> {
      const [document] = await listKycDocuments(runner(deps.db), [read.id]);
      if (document === undefined || document.path === null) throw notFound();
      const file = { path: document.path, sealedKey: document.sealedKey };
      const bytes = await privateStore.read(file, rowOf(document));
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

const rowOf = ({ id, accountId }: Pick<KycDocumentRow, 'id' | 'accountId'>): FileRow => ({
  of: 'kyc_documents.path',
  ownerId: accountId,
  id,
});

/** The document that these bytes already are; its days to be submitted in begin anew. */
async function offerAgain(
  deps: ActivityDeps,
  accountId: number,
  sha256: string,
): Promise<number | undefined> {
  const [, [document]] = await deps.db.models.kycDocuments.update(
    { offeredAt: deps.clock() },
    { where: { accountId, sha256, erasedAt: null }, returning: true },
  );
  return document?.id;
}

type NewDocument = Pick<KycDocumentRow, 'id' | 'accountId' | 'sha256' | 'mime' | 'bytes'> &
  KeptFile;

/** Undefined: a parallel upload of the same bytes was faster. */
async function insert(deps: ActivityDeps, document: NewDocument): Promise<number | undefined> {
  const { accountId, sha256 } = document;
  const { models } = deps.db;
  return await inTransaction(deps.db, async (tx) => {
    // One at a time per account, so that uploads at once cannot pass the limit together.
    await models.accounts.findByPk(accountId, { transaction: tx, lock: tx.LOCK.UPDATE });
    const known = { where: { accountId, sha256, erasedAt: null }, transaction: tx };
    if ((await models.kycDocuments.findOne(known)) !== null) return undefined;
    const count = await models.kycDocuments.count({
      where: { accountId, erasedAt: null },
      transaction: tx,
    });
    if (count >= DOCUMENTS_PER_ACCOUNT_MAX) {
      throw conflict(`An account keeps at most ${DOCUMENTS_PER_ACCOUNT_MAX} documents.`);
    }
    const offeredAt = deps.clock();
    const { id } = await models.kycDocuments.create(
      { ...document, offeredAt },
      { transaction: tx },
    );
    return id;
  });
}

const OWNER = select(columnsOf(kycDocuments, 'd', ['accountId']));
const DELETED = select(columnsOf(kycDocuments, 'd', ['id', 'path']));
const NEVER_SUBMITTED = `d.offered_at < $1 AND d.erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM kyc_applications a
  WHERE a.account_id = d.account_id AND a.document_ids @> ARRAY[d.id])`;

/**
 * A step of upkeep: papers that were uploaded and never submitted. Whatever was part of a round
 * stays. First the row goes, with a line in the audit log, then its file: a row without a file could
 * still be submitted, and a file without a row is removed by the sweep of files. Harmless twice.
 */
export async function deleteUnsubmittedDocuments(deps: ActivityDeps): Promise<number> {
  const before = new Date(deps.clock().getTime() - UNSUBMITTED_DAYS * 86_400_000);
  const owners = await readRows(
    runner(deps.db),
    OWNER,
    `SELECT DISTINCT ${OWNER.list} FROM (
       SELECT * FROM kyc_documents d WHERE ${NEVER_SUBMITTED}
       ORDER BY d.offered_at LIMIT ${DELETED_AT_ONCE_MAX}) AS d`,
    [before],
  );
  let deleted = 0;
  for (const { accountId } of owners) {
    const paths = await deleteRows(deps, { accountId, before });
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
    // Whoever submits holds this lock from the look at the documents to the row of the round.
    const lock = { transaction: tx, lock: tx.LOCK.UPDATE };
    await deps.db.models.accounts.findByPk(accountId, lock);
    const rows = await readRows(
      runner(deps.db, tx),
      DELETED,
      `DELETE FROM kyc_documents d WHERE d.account_id = $2 AND ${NEVER_SUBMITTED}
       RETURNING ${DELETED.list}`,
      [before, accountId],
    );
    for (const { id } of rows) {
      await recordAudit(deps.db, tx, {
        actor: { type: 'SYSTEM', id: null },
        action: 'kyc_document.delete',
        subject: { type: 'kyc_document', id },
        detail: { account_id: accountId, never_submitted: true },
      });
    }
    return rows.flatMap(({ path }) => (path === null ? [] : [path]));
  });
}
