import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { moveRow, NOW } from '../../db/schema/move.ts';
import { creativeRevisions } from '../../db/tables/creative-revision.ts';
import { blockersOf, reviewFindings } from '../../domain/review-findings.ts';
import { conflict } from '../../domain/errors.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { type ReviewInput, reviewWorkflowId } from '../../workflows/contracts/review.ts';
import { notify } from '../accounts/notifications.ts';
import type { ActivityDeps } from '../deps.ts';
import { recordOwn, statusChange } from '../core/history.ts';
import { moveRecord } from '../core/move-record.ts';
import { publishInventory } from '../core/outbox.ts';
import { loadReviewFacts, rememberLandingHost } from './review-facts.ts';
import { type AuditMove, lockReview, moveAudit, REVIEW_SUBJECTS } from './review-subjects.ts';
import { loadDecision, markDecided } from './task-decisions.ts';

export type ReviewOutcome = 'APPROVED' | 'REJECTED' | 'VOID';

/** One transaction: the subject, the round, the task and the notice to serving move together. */
export async function applyOutcome(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput & { decision: DecideInput | null },
): Promise<{ outcome: ReviewOutcome }> {
  const { review, subject } = await lockReview(deps, tx, input);
  if (review.status !== 'OPEN') {
    if (input.decision === null) return { outcome: 'VOID' };
    throw conflict(`This review is ${review.status}.`);
  }
  const decided =
    input.decision === null
      ? null
      : await loadDecision(deps, tx, { ...input.decision, workflowId: reviewWorkflowId(input) });
  const isApproved = decided === null || decided.decision === 'approve';
  if (isApproved) await refuseOverBlockers(deps, tx, input);
  if (subject.auditRound !== input.round || subject.status === 'ARCHIVED') {
    throw conflict('This was changed since it was submitted.');
  }
  const { subjectType: type, subjectId: id } = input;
  const action = isApproved ? 'approve' : 'reject';
  const reasons = isApproved ? null : decided.reasons;
  await moveAudit(deps, tx, { type, id, accountId: review.accountId }, { action, reasons });
  if (type === 'creative') {
    await moveRevision(deps, tx, { creativeId: id, revision: review.revision, action, reasons });
  }
  await moveRecord(deps.db, tx, 'reviews', {
    record: review,
    state: 'status',
    action,
    set: { decidedBy: decided === null ? 'AUTO' : 'OPERATOR', reasons, decidedAt: NOW },
  });
  await recordOwn(deps.db, tx, {
    accountId: review.accountId,
    by: { operatorId: decided?.operatorId ?? null },
    action: `${type}.${action}`,
    subject: { type, id },
    changes: statusChange('PENDING', isApproved ? 'APPROVED' : 'REJECTED', 'audit_status'),
    reasons,
  });
  await notify(deps, tx, {
    accountId: review.accountId,
    kind: 'review_decided',
    subject: { type, id },
    params: { name: subject.name, decision: isApproved ? 'approved' : 'rejected', reasons },
  });
  if (decided !== null) {
    await markDecided(deps, tx, decided);
    if (isApproved) await rememberLandingHost(deps, tx, { type, id });
  }
  await publishInventory(deps.outbox, tx, {
    topic: REVIEW_SUBJECTS[type].topic,
    id: review.accountId,
  });
  return { outcome: isApproved ? 'APPROVED' : 'REJECTED' };
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

interface RevisionMove extends Pick<AuditMove, 'reasons'> {
  creativeId: number;
  /** The reviewed one; null is the latest. */
  revision: number | null;
  action: 'approve' | 'reject';
}

/** The approved revision keeps serving while a later one waits or is rejected (interface 2.5). */
async function moveRevision(
  deps: ActivityDeps,
  tx: Transaction,
  { creativeId, revision: reviewed, action, reasons }: RevisionMove,
): Promise<void> {
  const creative = await deps.db.models.creatives.findByPk(creativeId, {
    transaction: tx,
    rejectOnEmpty: true,
  });
  const revision = reviewed ?? creative.latestRevision;
  await moveRow(runner(deps.db, tx), creativeRevisions, {
    state: 'auditStatus',
    action,
    where: { creativeId, revision },
    set: { auditReasons: reasons },
  });
  if (action === 'reject') return;
  await creative.update({ approvedRevision: revision }, { transaction: tx, silent: true });
}
