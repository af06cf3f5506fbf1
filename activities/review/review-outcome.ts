import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { blockersOf, reviewFindings } from '../../domain/review-findings.ts';
import { conflict } from '../../domain/errors.ts';
import { type AuditStatus, auditLifecycle } from '../../domain/lifecycle/review.ts';
import { statusesBefore, transition } from '../../domain/lifecycle/transition.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { type ReviewInput, reviewWorkflowId } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from '../core/outbox.ts';
import { loadReviewFacts, rememberLandingHost } from './review-facts.ts';
import { lockReview, REVIEW_SUBJECTS } from './review-subjects.ts';
import { loadDecision, markDecided } from './task-decisions.ts';
import type { DecisionReason } from './tasks.ts';

export type ReviewOutcome = 'APPROVED' | 'REJECTED' | 'VOID';

/** One transaction: the subject, the round, the task and the notice to serving move together. */
export async function applyOutcome(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput & { decision: DecideInput | null },
): Promise<{ outcome: ReviewOutcome }> {
  const review = await lockReview(deps, tx, input);
  if (review.status !== 'OPEN') {
    if (input.decision === null) return { outcome: 'VOID' };
    throw conflict(`This review is ${review.status}.`);
  }
  const decided =
    input.decision === null
      ? null
      : await loadDecision(deps, tx, { ...input.decision, workflowId: reviewWorkflowId(input) });
  const approved = decided === null || decided.decision === 'approve';
  if (approved) await refuseOverBlockers(deps, tx, input);
  await moveSubject(deps, tx, {
    input,
    revision: review.revision,
    action: approved ? 'approve' : 'reject',
    reasons: decided?.reasons ?? [],
  });
  const outcome = approved ? 'APPROVED' : 'REJECTED';
  await runner(deps.db, tx).query(
    `UPDATE reviews SET status = $4, decided_by = $5, reasons = $6, decided_at = now()
     WHERE subject_type = $1 AND subject_id = $2 AND round = $3 AND status = 'OPEN' RETURNING id`,
    [
      input.subjectType,
      input.subjectId,
      input.round,
      outcome,
      decided === null ? 'AUTO' : 'OPERATOR',
      approved ? null : JSON.stringify(decided?.reasons ?? []),
    ],
  );
  if (decided !== null) {
    await markDecided(deps, tx, decided);
    if (approved)
      await rememberLandingHost(deps, tx, { type: input.subjectType, id: input.subjectId });
  }
  const { topic } = REVIEW_SUBJECTS[input.subjectType];
  await publishInventory(deps.outbox, tx, { topic, id: Number(review.account_id) });
  return { outcome };
}

/** Looked at again now: a site may have been verified, or an image removed, since the task was opened. */
async function refuseOverBlockers(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<void> {
  const blockers = blockersOf(reviewFindings(await loadReviewFacts(deps, tx, input)));
  if (blockers.length === 0) return;
  const codes = blockers.map((finding) => finding.code);
  throw conflict(`Cannot approve: ${codes.join(', ')}.`, { blockers: codes });
}

interface SubjectMove {
  input: ReviewInput;
  revision: number | null;
  action: 'approve' | 'reject';
  reasons: DecisionReason[];
}

async function moveSubject(deps: ActivityDeps, tx: Transaction, move: SubjectMove): Promise<void> {
  const { input, action } = move;
  const sql = runner(deps.db, tx);
  const { table } = REVIEW_SUBJECTS[input.subjectType];
  const reasons = action === 'reject' ? JSON.stringify(move.reasons) : null;
  const { rows } = await sql.query<{ audit_status: string }>(
    `UPDATE ${table} SET audit_status = $3, audit_reasons = $4, updated_at = now()
     WHERE id = $1 AND audit_round = $2 AND status <> 'ARCHIVED' AND audit_status = ANY($5::text[])
     RETURNING audit_status`,
    [
      input.subjectId,
      input.round,
      transition<AuditStatus, keyof (typeof auditLifecycle)['moves']>(
        auditLifecycle,
        'PENDING',
        action,
      ),
      reasons,
      statusesBefore(auditLifecycle, action),
    ],
  );
  const [moved] = rows;
  if (moved === undefined) throw conflict('This was changed since it was submitted.');
  if (input.subjectType !== 'creative') return;
  // The approved revision keeps serving while a later one waits or is rejected (interface 2.5).
  await sql.query(
    `WITH revision AS (
       UPDATE creative_revisions r SET audit_status = $3, audit_reasons = $4
       FROM creatives c
       WHERE c.id = $1 AND r.creative_id = c.id AND r.revision = COALESCE($2::int, c.latest_revision)
       RETURNING r.revision)
     UPDATE creatives c SET approved_revision = revision.revision FROM revision
     WHERE c.id = $1 AND $3 = 'APPROVED' RETURNING c.id`,
    [input.subjectId, move.revision, moved.audit_status, reasons],
  );
}
