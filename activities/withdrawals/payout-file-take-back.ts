import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { type FileOfPayout, readTakeableFile } from '../../db/queries/payout-file-take-backs.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { FILE_NOT_TAKEN_BACK, whyFileNotTakenBack } from '../../domain/payout-file-take-back.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { requireOwnEvidence } from '../core/evidence.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { lockOrders } from './payout-order.ts';

export interface FileBackCommand {
  /** Any payout that the file carries. */
  withdrawalId: number;
  reason: string;
  /** The asker's own upload: what the bank's portal said. */
  evidenceId: number;
  operatorId: number;
  requestId: string;
}

/** A bank file that was handed out, and that the bank did not take at all (interface 4.12). */
export function createPayoutFileTakeBackActivities(deps: ActivityDeps) {
  return {
    /**
     * Asks a second person, whatever the sum: should the bank have it, its orders are paid twice. Nothing has changed
     * yet. Raises not_found, validation_failed for another's evidence, and state_conflict with the `reason` that
     * domain/payout-file-take-back.ts names.
     */
    async askPayoutFileBack(command: FileBackCommand): Promise<{ approvalId: number }> {
      return await runStep(
        deps.db,
        'payout_file.take_back_request',
        async (tx) => await askBack(deps, tx, command),
      );
    },
  };
}

async function askBack(
  deps: ActivityDeps,
  tx: Transaction,
  { withdrawalId, reason, evidenceId, operatorId, requestId }: FileBackCommand,
): Promise<{ approvalId: number }> {
  const { reference, ids } = await lockFile(deps, tx, withdrawalId);
  await requireOwnEvidence(deps, tx, { evidenceId, operatorId });
  const { id: approvalId } = await propose(deps, tx, {
    kind: 'payout_file_take_back',
    subject: reference,
    ask: { why: reason, evidence_id: evidenceId },
    makerId: operatorId,
  });
  await auditEach(deps, tx, {
    action: 'payout_file.take_back_request',
    ids,
    detail: {
      file: reference,
      reason,
      evidence_id: evidenceId,
      approval_id: approvalId,
    },
    operatorId,
    requestId,
  });
  return { approvalId };
}

/** Approved: its orders wait for a file again, and its name is used for ever. */
export async function takeFileBack(
  deps: ActivityDeps,
  tx: Transaction,
  {
    reference,
    ids,
    ...by
  }: LockedFile & { approvalId: number; operatorId: number; requestId: string },
): Promise<void> {
  const { approvalId, operatorId, requestId } = by;
  // The database checks the approval, and lets go of the orders by this row alone.
  await deps.db.models.payoutFileTakeBacks.create({ reference, approvalId }, { transaction: tx });
  await auditEach(deps, tx, {
    action: 'payout_file.take_back',
    ids,
    detail: { file: reference, approval_id: approvalId },
    operatorId,
    requestId,
  });
}

interface LockedFile {
  reference: string;
  /** Of its withdrawals. */
  ids: number[];
}

/** Raises not_found, and state_conflict where it cannot be taken back now. */
async function lockFile(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
): Promise<LockedFile> {
  const file = await lockedFileOf(deps, tx, withdrawalId);
  const refusal = whyFileNotTakenBack(file);
  if (refusal !== null) throw conflict(FILE_NOT_TAKEN_BACK[refusal], { reason: refusal });
  return { reference: file.reference, ids: idsOf(file) };
}

/** As it is with all of its orders locked, of whom the bank may be spoken meanwhile. */
async function lockedFileOf(
  deps: ActivityDeps,
  tx: Transaction,
  withdrawalId: number,
): Promise<FileOfPayout> {
  const sql = runner(deps.db, tx);
  const seen = await readTakeableFile(sql, withdrawalId);
  if (seen === undefined) throw notFound();
  await lockOrders(deps, tx, idsOf(seen));
  const file = await readTakeableFile(sql, withdrawalId);
  if (file === undefined || file.reference !== seen.reference) {
    throw conflict(FILE_NOT_TAKEN_BACK.NO_FILE, { reason: 'NO_FILE' });
  }
  return file;
}

/** By its name, for whoever approves: what has changed meanwhile the approval itself says. */
export async function lockNamedFile(
  deps: ActivityDeps,
  tx: Transaction,
  reference: string,
): Promise<LockedFile> {
  const { payouts, payoutFiles } = deps.db.models;
  const file = await payoutFiles.findOne({
    where: { externalRef: reference },
    transaction: tx,
  });
  const where = file === null ? { externalRef: reference, fileId: null } : { fileId: file.id };
  const held = await payouts.findAll({ where, transaction: tx });
  const ids = held.map(({ withdrawalId }) => withdrawalId);
  await lockOrders(deps, tx, ids);
  return { reference, ids };
}

const idsOf = ({ orders }: FileOfPayout): number[] =>
  orders.map(({ reference }) => Number(reference.slice('WD-'.length)));

/** In the history of each payout, as its downloads are. */
async function auditEach(
  deps: ActivityDeps,
  tx: Transaction,
  of: {
    action: string;
    ids: readonly number[];
    detail: Record<string, unknown>;
    operatorId: number;
    requestId: string;
  },
): Promise<void> {
  const { action, detail, operatorId: id, requestId } = of;
  const actor = { type: 'OPERATOR', id } as const;
  for (const each of of.ids) {
    const subject = { type: 'withdrawal', id: each };
    await recordAudit(deps.db, tx, {
      actor,
      action,
      subject,
      detail,
      requestId,
    });
  }
}
