import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { type Computed, moveRows, NOW } from '../../db/schema/move.ts';
import { reviews } from '../../db/tables/review.ts';
import { loadSettings } from '../../db/settings.ts';
import { needsHuman, reviewFindings } from '../../domain/review-findings.ts';
import type { ReviewStatus, SubmitAction } from '../../domain/lifecycle/review.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import {
  REVIEW_WITHDRAW_SIGNAL,
  type ReviewInput,
  reviewStart,
  reviewWorkflowId,
} from '../../workflows/contracts/review.ts';
import type { Question } from '../../workflows/contracts/stages.ts';
import { openQuestion } from './open-question.ts';
import type { ActivityDeps } from '../deps.ts';
import { startFlow } from '../core/outbox.ts';
import { runOnce } from '../core/run-once.ts';
import { appealedOperator, loadReviewFacts } from './review-facts.ts';
import { applyOutcome, type ReviewOutcome } from './review-outcome.ts';
import { lockReview, moveAudit, type SubjectKey } from './review-subjects.ts';
import { openTask, voidTasks } from './tasks.ts';

/** What goes into review. `revision` for creatives: what the reviewer will look at. */
export interface ReviewSubject extends SubjectKey {
  revision?: number;
  /** `enter` what was just written, `submit` what its owner asks for, or `reopen` after an edit (default). */
  action?: SubmitAction;
  /** What its owner says against the rejection before; a person decides it. */
  appeal?: string;
  /** An operator took back what was approved; a person decides it. */
  recalled?: { operatorId: number; note: string };
}

const NEXT_ROUND: Computed = { computed: 'audit_round + 1' };

/**
 * Begins a review round in the caller's transaction: next audit_round, audit_status PENDING, the
 * review row and the start of its workflow; that of a site waits until it is proven. A round that was still open is withdrawn. Answers the
 * round. Raises not_found for a foreign or archived row and state_conflict for an illegal move.
 */
export async function submitReview(
  deps: ActivityDeps,
  tx: Transaction,
  subject: ReviewSubject,
): Promise<{ round: number; workflowId: string }> {
  const round = await moveAudit(deps, tx, subject, {
    action: subject.action ?? 'reopen',
    reasons: null,
    auditRound: NEXT_ROUND,
  });
  await withdrawReview(deps, tx, subject);
  const { type: subjectType, id: subjectId, accountId, revision = null, appeal = null } = subject;
  const { operatorId: recalledBy = null, note: recallNote = null } = subject.recalled ?? {};
  const input: ReviewInput = { subjectType, subjectId, round };
  const workflowId = reviewWorkflowId(input);
  const begins = await isDecidable(deps, tx, subject);
  await deps.db.models.reviews.create(
    {
      ...input,
      revision,
      accountId,
      workflowId,
      appeal,
      recalledBy,
      recallNote,
      ...(begins ? {} : { begunAt: null }),
    },
    { transaction: tx },
  );
  if (begins) await startFlow(deps, tx, reviewStart(input), { accountId });
  return { round, workflowId };
}

/** Nobody can approve a site before it is proven: its round waits for `beginSiteReview`. */
async function isDecidable(
  { db }: ActivityDeps,
  tx: Transaction,
  { type, id }: SubjectKey,
): Promise<boolean> {
  if (type !== 'site') return true;
  const site = await db.models.sites.findByPk(id, { transaction: tx, rejectOnEmpty: true });
  return site.verifyStatus === 'VERIFIED';
}

/**
 * The site is proven: its open round begins. In the transaction that says so, after its row was
 * written, so that a submission at the same moment is either seen here or sees the proof.
 */
export async function beginSiteReview(
  deps: ActivityDeps,
  tx: Transaction,
  subjectId: number,
): Promise<void> {
  const where = { subjectType: 'site', subjectId, status: 'OPEN', begunAt: null };
  const review = await deps.db.models.reviews.findOne({ where, transaction: tx });
  if (review === null) return;
  const { round, accountId } = review;
  await review.update({ begunAt: deps.clock() }, { transaction: tx });
  await startFlow(deps, tx, reviewStart({ subjectType: 'site', subjectId, round }), { accountId });
}

/** The thing was edited, re-submitted or archived: its open round and task are void. Harmless without one. */
export async function withdrawReview(
  deps: ActivityDeps,
  tx: Transaction,
  subject: Omit<SubjectKey, 'accountId'>,
): Promise<void> {
  const voided = await moveRows(runner(deps.db, tx), reviews, {
    state: 'status',
    action: 'void',
    where: { subjectType: subject.type, subjectId: subject.id },
    set: { decidedAt: NOW },
  });
  for (const { workflowId, begunAt } of voided) {
    if (begunAt === null) continue;
    await voidTasks(deps, tx, workflowId);
    await deps.outbox.enqueue(tx, {
      kind: 'workflow_signal',
      dedupeKey: `withdraw:${workflowId}`,
      payload: { workflowId, signal: REVIEW_WITHDRAW_SIGNAL },
    });
  }
}

/** Which way a round goes: `void` when it was withdrawn before it began. */
export type ReviewRoute = 'auto' | 'human' | 'void';

/** A type and no interface: it is kept as JSON. */
type Closed = { taskId: null; /** Absent of builds before. */ outcome?: ReviewStatus };

/** The steps of workflows/review.ts. Each is idempotent by a key made of the round and the step. */
export function createReviewActivities(deps: ActivityDeps) {
  return {
    /** Key `<workflow id>:checks`. Stores the findings; answers who decides. */
    async runReviewChecks(input: ReviewInput): Promise<{ route: ReviewRoute }> {
      return await runOnce(deps.db, `${reviewWorkflowId(input)}:checks`, async (tx) => {
        const { review } = await lockReview(deps, tx, input);
        if (review.status !== 'OPEN') return { route: 'void' as const };
        const findings = reviewFindings(await loadReviewFacts(deps, tx, input));
        await review.update({ findings }, { transaction: tx });
        const settings = await loadSettings(runner(deps.db, tx));
        const auto = settings[`review.${input.subjectType}`] === 'auto_when_clean';
        const isAsked = review.appeal !== null || review.recalledBy !== null;
        const mayPass = auto && !isAsked && !needsHuman(findings);
        return { route: mayPass ? ('auto' as const) : ('human' as const) };
      });
    },

    /** Key `<workflow id>:task`. Answers null when the round was withdrawn meanwhile. */
    async openReviewTask(input: ReviewInput): Promise<Question | Closed> {
      const workflowId = reviewWorkflowId(input);
      const { subjectType, subjectId, round } = input;
      const where = { subjectType, subjectId, round };
      const now = await deps.db.models.reviews.findOne({ where });
      // Asked before it was decided, by a run of the flow before this one.
      if (now !== null && now.status !== 'OPEN') return { taskId: null, outcome: now.status };
      return await runOnce(deps.db, `${workflowId}:task`, async (tx) => {
        const { review, subject } = await lockReview(deps, tx, input);
        if (review.status !== 'OPEN') return { taskId: null, outcome: review.status };
        const findings = reviewFindings(await loadReviewFacts(deps, tx, input));
        await review.update({ findings }, { transaction: tx });
        const taskId = await openTask(deps, tx, {
          kind: `${input.subjectType}_review`,
          subject: { type: input.subjectType, id: input.subjectId },
          accountId: review.accountId,
          heading: { form: review.appeal === null ? 'REVIEW' : 'APPEAL', name: subject.name },
          findings,
          decisions: ['approve', 'reject'],
          payload: { round: input.round, revision: review.revision },
          makerId: review.appeal === null ? null : await appealedOperator(deps, tx, input),
          workflowId,
          dedupeKey: `${workflowId}:task`,
          dueAt: new Date(deps.clock().getTime() + REVIEW_DUE_MS),
        });
        return (await openQuestion(deps, workflowId, tx)) ?? { taskId };
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
      const { subjectType, subjectId, round } = input;
      const review = await deps.db.models.reviews.findOne({
        where: { subjectType, subjectId, round },
      });
      return review?.status === 'VOID';
    },
  };
}

/** An operator should look within a day. */
const REVIEW_DUE_MS = 24 * 3_600_000;
