import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/queries/settings.ts';
import { needsHuman, reviewFindings } from '../../domain/review-findings.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { auditLifecycle } from '../../domain/lifecycle/review.ts';
import { statusesBefore } from '../../domain/lifecycle/transition.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  REVIEW_WITHDRAW_SIGNAL,
  REVIEW_WORKFLOW,
  type ReviewInput,
  type ReviewSubjectType,
  reviewWorkflowId,
} from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';
import { runOnce } from '../core/run-once.ts';
import { loadReviewFacts } from './review-facts.ts';
import { applyOutcome, type ReviewOutcome } from './review-outcome.ts';
import { lockReview, REVIEW_SUBJECTS } from './review-subjects.ts';
import { openTask } from './tasks.ts';

/** What is reviewed, and whose it is. `revision` for creatives: what the reviewer will look at. */
export interface ReviewSubject {
  type: ReviewSubjectType;
  id: number;
  accountId: number;
  revision?: number;
  /**
   * `submit`: the owner asked, legal from DRAFT and REJECTED only (interface 3). `reopen`: a create
   * or an edit puts it back in the queue, legal from everything but SUSPENDED. Default `reopen`.
   */
  action?: 'submit' | 'reopen';
}

/**
 * Begins a review round in the caller's transaction: next audit_round, audit_status PENDING, the
 * review row and the start of its workflow. A round that was still open is withdrawn. Answers the
 * round. Raises not_found for a foreign or archived row and state_conflict for an illegal move.
 */
export async function submitReview(
  deps: ActivityDeps,
  tx: Transaction,
  subject: ReviewSubject,
): Promise<{ round: number; workflowId: string }> {
  const round = await nextRound(deps, tx, subject);
  await withdrawReview(deps, tx, subject);
  const input: ReviewInput = { subjectType: subject.type, subjectId: subject.id, round };
  const workflowId = reviewWorkflowId(input);
  await runner(deps.db, tx).query(
    `INSERT INTO reviews (subject_type, subject_id, round, revision, account_id, workflow_id)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [subject.type, subject.id, round, subject.revision ?? null, subject.accountId, workflowId],
  );
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: REVIEW_WORKFLOW,
      taskQueue: 'review',
      input,
      summary: `Review of ${subject.type} ${subject.id}, round ${round}`,
    },
  });
  return { round, workflowId };
}

async function nextRound(
  deps: ActivityDeps,
  tx: Transaction,
  subject: ReviewSubject,
): Promise<number> {
  const { table, owner } = REVIEW_SUBJECTS[subject.type];
  const sql = runner(deps.db, tx);
  const legalFrom =
    subject.action === 'submit'
      ? statusesBefore(auditLifecycle, 'submit')
      : [...statusesBefore(auditLifecycle, 'reopen'), 'DRAFT'];
  const { rows } = await sql.query<{ audit_round: number }>(
    `UPDATE ${table} SET audit_status = 'PENDING', audit_reasons = NULL,
       audit_round = audit_round + 1, updated_at = now()
     WHERE id = $1 AND ${owner} = $2 AND status <> 'ARCHIVED' AND audit_status = ANY($3::text[])
     RETURNING audit_round`,
    [subject.id, subject.accountId, legalFrom],
  );
  const [moved] = rows;
  if (moved !== undefined) return moved.audit_round;
  const found = await sql.query<{ audit_status: string }>(
    `SELECT audit_status FROM ${table} WHERE id = $1 AND ${owner} = $2 AND status <> 'ARCHIVED'`,
    [subject.id, subject.accountId],
  );
  const [present] = found.rows;
  if (present === undefined) throw notFound();
  throw conflict(`Cannot submit for review while ${present.audit_status}.`, {
    from: present.audit_status,
    action: 'submit',
  });
}

/** The thing was edited, re-submitted or archived: its open round and task are void. Harmless without one. */
export async function withdrawReview(
  deps: ActivityDeps,
  tx: Transaction,
  subject: { type: ReviewSubjectType; id: number },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { rows } = await sql.query<{ workflow_id: string }>(
    `UPDATE reviews SET status = 'VOID', decided_at = now()
     WHERE subject_type = $1 AND subject_id = $2 AND status = 'OPEN' RETURNING workflow_id`,
    [subject.type, subject.id],
  );
  for (const { workflow_id: workflowId } of rows) {
    await sql.query(
      `UPDATE tasks SET status = 'void', decided_at = now() WHERE workflow_id = $1 AND status = 'open' RETURNING id`,
      [workflowId],
    );
    await deps.outbox.enqueue(tx, {
      kind: 'workflow_signal',
      dedupeKey: `withdraw:${workflowId}`,
      payload: { workflowId, signal: REVIEW_WITHDRAW_SIGNAL },
    });
  }
}

/** Which way a round goes: `void` when it was withdrawn before it began. */
export type ReviewRoute = 'auto' | 'human' | 'void';

/** The steps of workflows/review.ts. Each is idempotent by a key made of the round and the step. */
export function createReviewActivities(deps: ActivityDeps) {
  return {
    /** Key `<workflow id>:checks`. Stores the findings; answers who decides. */
    async runReviewChecks(input: ReviewInput): Promise<{ route: ReviewRoute }> {
      return await runOnce(deps.db, `${reviewWorkflowId(input)}:checks`, async (tx) => {
        const sql = runner(deps.db, tx);
        const review = await lockReview(deps, tx, input);
        if (review.status !== 'OPEN') return { route: 'void' as const };
        const findings = reviewFindings(await loadReviewFacts(deps, tx, input));
        await sql.query(
          `UPDATE reviews SET findings = $4
           WHERE subject_type = $1 AND subject_id = $2 AND round = $3 RETURNING id`,
          [input.subjectType, input.subjectId, input.round, JSON.stringify(findings)],
        );
        const settings = await loadSettings(sql);
        const auto = settings[`review.${input.subjectType}`] === 'auto_when_clean';
        return { route: auto && !needsHuman(findings) ? ('auto' as const) : ('human' as const) };
      });
    },

    /** Key `<workflow id>:task`. Answers null when the round was withdrawn meanwhile. */
    async openReviewTask(input: ReviewInput): Promise<{ taskId: number | null }> {
      const workflowId = reviewWorkflowId(input);
      return await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
        const review = await lockReview(deps, tx, input);
        if (review.status !== 'OPEN') return { taskId: null };
        const taskId = await openTask(deps, tx, {
          kind: `${input.subjectType}_review`,
          subject: { type: input.subjectType, id: input.subjectId },
          accountId: Number(review.account_id),
          summary: await summaryOf(deps, tx, input),
          findings: review.findings,
          decisions: ['approve', 'reject'],
          payload: { round: input.round, revision: review.revision },
          requiredRole: 'REVIEWER',
          workflowId,
          dedupeKey: `${workflowId}:task`,
          dueAt: new Date(deps.clock().getTime() + REVIEW_DUE_MS),
        });
        return { taskId };
      });
    },

    /**
     * Key `<workflow id>:apply:<decision>`. Moves the subject, closes the round and the task, and
     * notifies serving, in one transaction. Raises state_conflict when the round is no longer open or
     * when a blocker forbids the approval; nothing is changed then.
     */
    async applyReviewOutcome(
      input: ReviewInput & { decision: DecideInput | null },
    ): Promise<{ outcome: ReviewOutcome }> {
      const { decision } = input;
      const key = `${reviewWorkflowId(input)}:apply:${decision?.decisionId ?? 'auto'}`;
      return await runOnce(deps.db, key, async (tx) => await applyOutcome(deps, tx, input));
    },

    /** Whether the owner really withdrew the round; a signal sent by hand changes nothing. */
    async isReviewWithdrawn(input: ReviewInput): Promise<boolean> {
      const { rows } = await runner(deps.db).query<{ status: string }>(
        'SELECT status FROM reviews WHERE subject_type = $1 AND subject_id = $2 AND round = $3',
        [input.subjectType, input.subjectId, input.round],
      );
      return rows[0]?.status === 'VOID';
    },
  };
}

/** An operator should look within a day. */
const REVIEW_DUE_MS = 24 * 3_600_000;

async function summaryOf(deps: ActivityDeps, tx: Transaction, input: ReviewInput): Promise<string> {
  const { table } = REVIEW_SUBJECTS[input.subjectType];
  const { rows } = await runner(deps.db, tx).query<{ name: string }>(
    `SELECT name FROM ${table} WHERE id = $1`,
    [input.subjectId],
  );
  return `Review ${input.subjectType} ${input.subjectId}: ${rows[0]?.name ?? ''}`;
}
