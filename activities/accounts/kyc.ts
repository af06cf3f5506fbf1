import { placeOf } from '../../db/sealed-columns.ts';
import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { requireOwnDocuments, requireRenewable } from './kyc-rules.ts';
import { moveRows } from '../../db/schema/move.ts';
import { loadSettings } from '../../db/settings.ts';
import { kycApplications, type KycApplicationRow } from '../../db/tables/kyc-application.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { isDocumentValid, type KycEntityType, kycExpiry } from '../../domain/lifecycle/kyc.ts';
import type { NotificationParams } from '../../domain/notifications.ts';
import { reasonOf } from '../../domain/review-reasons.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { kycStart, type KycInput, kycWorkflowId } from '../../workflows/contracts/kyc.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { recordAudit } from '../core/audit.ts';
import { startFlow } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import type { OperatorRead } from './kyc-documents.ts';
import { lockAccount, moveKycStatus, tellOfKyc } from './kyc-status.ts';
import { moveRecord } from '../core/move-record.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { openQuestion } from '../review/open-question.ts';
import { type LoadedDecision, loadDecision, markDecided } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';

const NUMBER_COLUMN = 'kyc_applications.document_number_sealed';
const TAIL_LENGTH = 4;

/** An operator should look within two days. */
const REVIEW_DUE_MS = 48 * 3_600_000;

export interface KycSubmission {
  accountId: number;
  entityType: KycEntityType;
  legalName: string;
  /** ISO 3166-1 alpha-2 */
  country: string;
  documentNumber: string;
  /** `YYYY-MM-DD`, the last day on which it is valid. */
  documentExpiresOn: string | null;
  documentIds: readonly number[];
}

export type KycOutcome = 'approved' | 'rejected';

export function createKycActivities(deps: ActivityDeps) {
  return {
    /**
     * Begins a round: kyc_status `pending`, the flow and the operation to watch. Raises
     * validation_failed for foreign documents and one that is no longer valid, state_conflict while a round is
     * pending, and while what is approved holds for long.
     */
    submitKyc: async (submission: KycSubmission): Promise<{ operationId: number }> =>
      await runStep(deps.db, 'kyc.submit', async (tx) => await submit(deps, tx, submission)),

    /** Key `kyc:{id}:task`. What it shows in lists has nothing personal in it. */
    async openKycTask(input: KycInput): Promise<Question | { outcome: string }> {
      const workflowId = kycWorkflowId(input);
      const now = await deps.db.models.kycApplications.findByPk(input.applicationId);
      // Asked before it was decided, by a run of the flow before this one.
      if (now !== null && now.status !== 'PENDING') return { outcome: now.status.toLowerCase() };
      return await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
        const application = await deps.db.models.kycApplications.findByPk(input.applicationId, {
          transaction: tx,
        });
        if (application === null) throw notFound();
        const taskId = await openTask(deps, tx, {
          kind: 'kyc_review',
          subject: { type: 'kyc', id: input.applicationId },
          accountId: application.accountId,
          heading: { form: 'IDENTITY', round: application.round },
          decisions: ['approve', 'reject'],
          workflowId,
          dedupeKey: `${workflowId}:task`,
          dueAt: new Date(deps.clock().getTime() + REVIEW_DUE_MS),
        });
        await reportOperation(deps, tx, workflowId, { status: 'waiting_human', phase: 'review' });
        return (await openQuestion(deps, workflowId, tx)) ?? { taskId };
      });
    },

    /**
     * Key `kyc:{id}:apply:{decision}`. The application, the account, the task and the operation move
     * together. Raises state_conflict when it was decided before, or the document is no longer valid.
     */
    async applyKycDecision(
      input: KycInput & { decision: DecideInput },
    ): Promise<{ outcome: KycOutcome }> {
      const key = `${kycWorkflowId(input)}:apply:${input.decision.decisionId}`;
      return await runOnce(deps.db, key, async (tx) => await decide(deps, tx, input));
    },

    /** The whole number, for an operator, null once it was erased; who looked is in the audit log. Raises not_found. */
    async readKycNumber(read: OperatorRead): Promise<{ documentNumber: string | null }> {
      return await inTransaction(deps.db, async (tx) => {
        const application = await deps.db.models.kycApplications.findByPk(read.id, {
          transaction: tx,
        });
        if (application === null) throw notFound();
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: read.operatorId },
          action: 'kyc.read',
          subject: { type: 'kyc', id: read.id },
          requestId: read.requestId,
        });
        const { accountId, documentNumberSealed: sealed } = application;
        if (sealed === null) return { documentNumber: null };
        return {
          documentNumber: deps.providers.sealer.open(
            sealed,
            placeOf(NUMBER_COLUMN, accountId, read.id),
          ),
        };
      });
    },
  };
}

async function submit(
  deps: ActivityDeps,
  tx: Transaction,
  submission: KycSubmission,
): Promise<{ operationId: number }> {
  const { accountId } = submission;
  const now = deps.clock();
  if (!isDocumentValid(submission.documentExpiresOn, now)) {
    const message = 'is no longer valid';
    throw invalid({ field: 'document_expires_on', code: 'expired', message });
  }
  const { kycStatus } = await lockAccount(deps, tx, accountId);
  await requireOwnDocuments(deps, tx, submission);
  // What stands is not touched by a renewal until that is decided.
  if (kycStatus === 'approved') await requireRenewable(deps, tx, accountId);
  else await moveKycStatus(deps, tx, { accountId, action: 'submit' });
  const applicationId = await insertApplication(deps, tx, submission);
  const input: KycInput = { applicationId };
  const workflowId = kycWorkflowId(input);
  const operationId = await openOperation(deps, tx, {
    accountId,
    kind: 'kyc',
    subject: { type: 'kyc', id: applicationId },
    workflowId,
  });
  await startFlow(deps, tx, kycStart(input), { accountId });
  await tellOfKyc(deps, tx, { id: applicationId, accountId }, { kind: 'kyc_received' });
  return { operationId };
}

async function insertApplication(
  deps: ActivityDeps,
  tx: Transaction,
  submission: KycSubmission,
): Promise<number> {
  const { accountId, entityType, legalName, country, documentNumber } = submission;
  const rounds = deps.db.models.kycApplications;
  // The id names the flow and is bound into the seal, so it is taken before the row is written.
  const id = await nextId(runner(deps.db, tx), 'kyc_applications');
  const last = await rounds.findOne({
    where: { accountId },
    order: [['round', 'DESC']],
    transaction: tx,
  });
  await rounds.create(
    {
      id,
      accountId,
      round: (last?.round ?? 0) + 1,
      entityType,
      legalName,
      country,
      documentNumberSealed: deps.providers.sealer.seal(
        documentNumber,
        placeOf(NUMBER_COLUMN, accountId, id),
      ),
      // Of a short number less is shown, so that its end never is most of it.
      documentNumberTail: documentNumber.slice(
        -Math.min(TAIL_LENGTH, Math.floor(documentNumber.length / 3)),
      ),
      documentExpiresOn: submission.documentExpiresOn,
      documentIds: [...new Set(submission.documentIds)],
      workflowId: kycWorkflowId({ applicationId: id }),
    },
    { transaction: tx },
  );
  return id;
}

async function decide(
  deps: ActivityDeps,
  tx: Transaction,
  input: KycInput & { decision: DecideInput },
): Promise<{ outcome: KycOutcome }> {
  const workflowId = kycWorkflowId(input);
  const decided = await loadDecision(deps, tx, {
    ...input.decision,
    workflowId,
    kinds: ['kyc_review'],
  });
  const rounds = deps.db.models.kycApplications;
  const found = { transaction: tx, rejectOnEmpty: true } as const;
  const { accountId } = await rounds.findByPk(input.applicationId, found);
  // Before its rounds, as whoever ends them does.
  const { kycStatus } = await lockAccount(deps, tx, accountId);
  const lock = { ...found, lock: tx.LOCK.UPDATE };
  const record = await rounds.findByPk(input.applicationId, lock);
  const { documentExpiresOn } = record;
  const approved = decided.decision === 'approve';
  const action = approved ? 'approve' : 'reject';
  const now = deps.clock();
  if (approved && !isDocumentValid(documentExpiresOn, now)) {
    throw conflict('The document is no longer valid; reject it.');
  }
  const set = {
    reasons: approved ? null : decided.reasons,
    decidedAt: now,
    expiresAt: approved ? kycExpiry(now, documentExpiresOn, await validDays(deps, tx)) : null,
  };
  if (approved) await supersede(deps, tx, accountId);
  await moveRecord(deps.db, tx, 'kycApplications', { record, state: 'status', action, set });
  if (kycStatus !== 'approved') await moveKycStatus(deps, tx, { accountId, action });
  // A renewal that is refused leaves what stands until its end.
  else if (approved) await moveKycStatus(deps, tx, { accountId, action: 'renew' });
  await markDecided(deps, tx, decided);
  await reportOperation(
    deps,
    tx,
    workflowId,
    approved
      ? { status: 'succeeded', phase: 'approved', result: { kyc_status: 'approved' } }
      : {
          status: 'failed',
          phase: 'rejected',
          error: { error: 'kyc_rejected', reasons: decided.reasons },
        },
  );
  await tellOfKyc(deps, tx, record, { kind: 'kyc_decided', params: newsOf(record, decided) });
  return { outcome: approved ? 'approved' : 'rejected' };
}

const validDays = async (deps: ActivityDeps, tx: Transaction): Promise<number> =>
  (await loadSettings(runner(deps.db, tx)))['kyc.valid_days'];

/** What stood so far ends now. */
async function supersede(deps: ActivityDeps, tx: Transaction, accountId: number): Promise<void> {
  await moveRows(runner(deps.db, tx), kycApplications, {
    state: 'status',
    action: 'supersede',
    where: { accountId },
    set: { expiresAt: deps.clock() },
  });
}

/** A refusal that its owner can mend asks for more; nobody mends a forged paper. */
function newsOf(
  { expiresAt }: Pick<KycApplicationRow, 'expiresAt'>,
  { decision, reasons }: Pick<LoadedDecision, 'decision' | 'reasons'>,
): NotificationParams {
  if (decision === 'approve') {
    const until = expiresAt === null ? {} : { until: expiresAt.toISOString() };
    return { decision: 'approved', status: 'approved', ...until };
  }
  const mendable = (reasons ?? []).every(({ code }) => reasonOf(code)?.kind !== 'FINAL');
  return { decision: 'rejected', status: 'rejected', reasons, mendable };
}
