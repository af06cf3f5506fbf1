import { createHash } from 'node:crypto';
import type { FileRow, KeptFile } from '../../db/files/private-store.ts';
import { nextId } from '../../db/next-id.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { DomainError, type FieldError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { readIdentityDocument } from '../providers/identity-document.ts';

type Evidence = RecordOf<'receiptEvidence'>;

export interface EvidenceUpload {
  bytes: Buffer;
  /** As the operator called the file; shown, never part of a path. */
  name: string | null;
  operatorId: number;
  requestId: string;
}

/** What proves a receipt: kept sealed, and read by operators alone. */
export function createReceiptEvidenceActivities(deps: ActivityDeps) {
  const { privateStore } = deps.providers;
  return {
    /**
     * Keeps a picture (encoded anew) or a PDF without active parts. The same bytes of one operator are
     * one file, so this may be repeated. Raises too_large and unsupported_media; nothing is stored then.
     */
    async storeReceiptEvidence(
      upload: EvidenceUpload,
    ): Promise<{ evidence: Evidence; created: boolean }> {
      const sha256 = createHash('sha256').update(upload.bytes).digest('hex');
      const known = await find(deps, sha256, upload.operatorId);
      if (known !== null) return { evidence: known, created: false };
      const { bytes, mime } = await readIdentityDocument(upload.bytes);
      const id = await nextId(runner(deps.db), 'receipt_evidence');
      const row = rowOf({ id, operatorId: upload.operatorId });
      const file = await privateStore.put(bytes, row);
      try {
        const evidence = await insert(deps, upload, {
          id,
          sha256,
          mime,
          bytes: bytes.length,
          ...file,
        });
        if (evidence !== undefined) return { evidence, created: true };
      } catch (error) {
        // Of any other failure it is not known whether the row was committed: upkeep looks after it.
        if (error instanceof DomainError) await privateStore.remove(file.path);
        throw error;
      }
      // The same upload in parallel was faster; its file is the one that stays.
      await privateStore.remove(file.path);
      const winner = await find(deps, sha256, upload.operatorId);
      if (winner === null) throw new Error('the row of an evidence vanished');
      return { evidence: winner, created: false };
    },

    /** The content; who looked is in the audit log. Raises not_found. */
    async readReceiptEvidence(read: {
      id: number;
      operatorId: number;
      requestId: string;
    }): Promise<{ evidence: Evidence; bytes: Buffer }> {
      const evidence = await deps.db.models.receiptEvidence.findByPk(read.id);
      if (evidence === null) throw notFound();
      const bytes = await privateStore.read(evidence, rowOf(evidence));
      await inTransaction(deps.db, async (tx) => {
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: read.operatorId },
          action: 'receipt_evidence.read',
          subject: { type: 'receipt_evidence', id: read.id },
          requestId: read.requestId,
        });
      });
      return { evidence, bytes };
    },
  };
}

const rowOf = ({ id, operatorId }: Pick<Evidence, 'id' | 'operatorId'>): FileRow => ({
  of: 'receipt_evidence.path',
  ownerId: operatorId,
  id,
});

const find = async (
  { db }: ActivityDeps,
  sha256: string,
  operatorId: number,
): Promise<Evidence | null> =>
  await db.models.receiptEvidence.findOne({ where: { sha256, operatorId } });

/**
 * Why an upload does not prove a receipt: it must be the operator's own, and its bytes those of no other
 * receipt, whoever uploaded them there. Locks what it looks at, so that of two receipts one is the first.
 */
export async function evidenceFaults(
  sql: SqlRunner,
  { id, field, operatorId }: { id: number; field: string; operatorId: number },
): Promise<FieldError[]> {
  const { rows } = await sql.query<{ id: string; maker: string }>(
    `SELECT e.id, e.operator_id AS maker FROM receipt_evidence e
     WHERE e.sha256 = (SELECT sha256 FROM receipt_evidence WHERE id = $1) ORDER BY e.id FOR UPDATE`,
    [id],
  );
  const named = rows.find((row) => Number(row.id) === id);
  // Another's is as unknown as what never was.
  if (named === undefined || Number(named.maker) !== operatorId) {
    return [{ field, code: 'unknown', message: 'No such evidence of yours.' }];
  }
  const used = await sql.query(
    `SELECT 1 FROM deposit_receipts WHERE evidence_id = ANY($1::bigint[]) AND state <> 'TAKEN_BACK' LIMIT 1`,
    [rows.map((row) => row.id)],
  );
  if (used.rows.length === 0) return [];
  return [{ field, code: 'used', message: 'Proves another receipt already.' }];
}

/** Undefined: a parallel upload of the same bytes was faster. */
async function insert(
  { db }: ActivityDeps,
  { name, operatorId, requestId }: EvidenceUpload,
  file: Pick<Evidence, 'id' | 'sha256' | 'mime' | 'bytes'> & KeptFile,
): Promise<Evidence | undefined> {
  return await inTransaction(db, async (tx) => {
    // Not findOrCreate, which makes a function for the session: the application's role makes none.
    await db.models.receiptEvidence.bulkCreate([{ ...file, name, operatorId }], {
      ignoreDuplicates: true,
      transaction: tx,
    });
    const evidence = await db.models.receiptEvidence.findOne({
      where: { sha256: file.sha256, operatorId },
      transaction: tx,
      rejectOnEmpty: true,
    });
    if (evidence.path !== file.path) return undefined;
    await recordAudit(db, tx, {
      actor: { type: 'OPERATOR', id: operatorId },
      action: 'receipt_evidence.upload',
      subject: { type: 'receipt_evidence', id: evidence.id },
      detail: { sha256: file.sha256, mime: file.mime, bytes: file.bytes },
      requestId,
    });
    return evidence;
  });
}

/** Money that no bank and no provider tells of: evidence and a reason stand for them. */
export function offlineFaults(
  method: string,
  { evidence, reason = null }: { evidence: object | null; reason?: string | null },
): FieldError[] {
  if (method !== 'OFFLINE') return [];
  const message = 'An OFFLINE receipt needs it.';
  return [
    ...(evidence !== null ? [] : [{ field: 'evidence_id', code: 'required', message }]),
    ...((reason ?? '') === '' ? [{ field: 'reason', code: 'required', message }] : []),
  ];
}
