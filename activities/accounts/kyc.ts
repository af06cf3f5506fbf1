import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { listKycDocuments } from '../../db/queries/kyc.ts';
import { conflict, invalid, notFound } from '../../domain/errors.ts';
import { isDocumentValid, type KycEntityType, kycExpiry } from '../../domain/lifecycle/kyc.ts';
import type { KycStatus } from '../../domain/lifecycle/profile.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { KYC_WORKFLOW, type KycInput, kycWorkflowId } from '../../workflows/contracts/kyc.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce, runStep } from '../core/run-once.ts';
import type { OperatorRead } from './kyc-documents.ts';
import { moveKycStatus, writeToOwner } from './kyc-status.ts';
import { openOperation, reportOperation } from '../core/operations.ts';
import { loadDecision, markDecided } from '../review/task-decisions.ts';
import { openTask } from '../review/tasks.ts';

const NUMBER_PLACE = 'kyc_applications.document_number_sealed';
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
     * validation_failed for foreign documents and one that is no longer valid, state_conflict while
     * a round is pending or approved.
     */
    submitKyc: async (submission: KycSubmission): Promise<{ operationId: number }> =>
      await runStep(deps.db, 'kyc.submit', async (tx) => await submit(deps, tx, submission)),

    /** Key `kyc:{id}:task`. What it shows in lists has nothing personal in it. */
    async openKycTask(input: KycInput): Promise<{ taskId: number }> {
      const workflowId = kycWorkflowId(input);
      return await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
        const { rows } = await runner(deps.db, tx).query<{ account_id: string; round: number }>(
          'SELECT account_id, round FROM kyc_applications WHERE id = $1',
          [input.applicationId],
        );
        const [application] = rows;
        if (application === undefined) throw notFound();
        const taskId = await openTask(deps, tx, {
          kind: 'kyc_review',
          subject: { type: 'kyc', id: input.applicationId },
          accountId: Number(application.account_id),
          summary: `Proof of identity ${input.applicationId}, round ${application.round}`,
          decisions: ['approve', 'reject'],
          requiredRole: 'REVIEWER',
          workflowId,
          dedupeKey: `${workflowId}:task`,
          dueAt: new Date(deps.clock().getTime() + REVIEW_DUE_MS),
        });
        await reportOperation(deps, tx, workflowId, { status: 'waiting_human', phase: 'review' });
        return { taskId };
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

    /** The whole number, for an operator; who looked is in the audit log. Raises not_found. */
    async readKycNumber(read: OperatorRead): Promise<{ documentNumber: string }> {
      return await inTransaction(deps.db, async (tx) => {
        const { rows } = await runner(deps.db, tx).query<{ sealed: string }>(
          'SELECT document_number_sealed AS sealed FROM kyc_applications WHERE id = $1',
          [read.id],
        );
        const [application] = rows;
        if (application === undefined) throw notFound();
        await recordAudit(deps.db, tx, {
          actor: { type: 'OPERATOR', id: read.operatorId },
          action: 'kyc.read',
          subject: { type: 'kyc', id: read.id },
          requestId: read.requestId,
        });
        return { documentNumber: deps.providers.sealer.open(application.sealed, NUMBER_PLACE) };
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
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<{ kyc_status: KycStatus }>(
    'SELECT kyc_status FROM accounts WHERE id = $1 FOR UPDATE',
    [accountId],
  );
  const [account] = rows;
  if (account === undefined) throw notFound();
  await requireOwnDocuments(deps, tx, submission);
  await moveKycStatus(deps, tx, { accountId, action: 'submit' });
  const applicationId = await insertApplication(deps, tx, submission);
  const input: KycInput = { applicationId };
  const workflowId = kycWorkflowId(input);
  const operationId = await openOperation(deps, tx, {
    accountId,
    kind: 'kyc',
    subject: { type: 'kyc', id: applicationId },
    workflowId,
  });
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: KYC_WORKFLOW,
      taskQueue: 'review',
      input,
      summary: `Proof of identity ${applicationId}`,
    },
  });
  return { operationId };
}

async function requireOwnDocuments(
  deps: ActivityDeps,
  tx: Transaction,
  { accountId, documentIds }: KycSubmission,
): Promise<void> {
  const found = await listKycDocuments(runner(deps.db, tx), documentIds);
  const own = new Set(found.filter((row) => row.accountId === accountId).map(({ id }) => id));
  const foreign = documentIds.filter((id) => !own.has(id));
  if (foreign.length === 0) return;
  const message = `not among your documents: ${foreign.join(', ')}`;
  throw invalid({ field: 'document_ids', code: 'unknown', message });
}

async function insertApplication(
  deps: ActivityDeps,
  tx: Transaction,
  submission: KycSubmission,
): Promise<number> {
  const { documentNumber } = submission;
  const sql = runner(deps.db, tx);
  // The id names the flow, so it is taken before the row is written.
  const taken = await sql.query<{ id: string }>(
    `SELECT nextval(pg_get_serial_sequence('kyc_applications', 'id')) AS id`,
  );
  const applicationId = Number(taken.rows[0]?.id);
  await sql.query(
    `INSERT INTO kyc_applications (id, account_id, round, entity_type, legal_name, country,
       document_number_sealed, document_number_tail, document_expires_on, document_ids, workflow_id)
     SELECT $1, $2, COALESCE(max(round), 0) + 1, $3, $4, $5, $6, $7, $8, $9::bigint[], $10
     FROM kyc_applications WHERE account_id = $2`,
    [
      applicationId,
      submission.accountId,
      submission.entityType,
      submission.legalName,
      submission.country,
      deps.providers.sealer.seal(documentNumber, NUMBER_PLACE),
      // Of a short number less is shown, so that its end never is most of it.
      documentNumber.slice(-Math.min(TAIL_LENGTH, Math.floor(documentNumber.length / 3))),
      submission.documentExpiresOn,
      [...new Set(submission.documentIds)],
      kycWorkflowId({ applicationId }),
    ],
  );
  return applicationId;
}

interface PendingRow {
  account_id: string;
  document_expires_on: string | null;
}

async function decide(
  deps: ActivityDeps,
  tx: Transaction,
  input: KycInput & { decision: DecideInput },
): Promise<{ outcome: KycOutcome }> {
  const workflowId = kycWorkflowId(input);
  const sql = runner(deps.db, tx);
  const decided = await loadDecision(deps, tx, { ...input.decision, workflowId });
  const { rows } = await sql.query<PendingRow>(
    `SELECT account_id, document_expires_on::text FROM kyc_applications
     WHERE id = $1 AND status = 'PENDING' FOR UPDATE`,
    [input.applicationId],
  );
  const [pending] = rows;
  if (pending === undefined) throw conflict('This was decided before.');
  const approved = decided.decision === 'approve';
  const now = deps.clock();
  if (approved && !isDocumentValid(pending.document_expires_on, now)) {
    throw conflict('The document is no longer valid; reject it.');
  }
  const accountId = Number(pending.account_id);
  await sql.query(
    `UPDATE kyc_applications SET status = $2, reasons = $3, decided_at = $4, expires_at = $5
     WHERE id = $1 RETURNING id`,
    [
      input.applicationId,
      approved ? 'APPROVED' : 'REJECTED',
      approved ? null : JSON.stringify(decided.reasons),
      now,
      approved ? kycExpiry(now, pending.document_expires_on) : null,
    ],
  );
  await moveKycStatus(deps, tx, { accountId, action: approved ? 'approve' : 'reject' });
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
  await writeToOwner(deps, tx, accountId, approved ? 'kyc_approved' : 'kyc_rejected');
  return { outcome: approved ? 'approved' : 'rejected' };
}
