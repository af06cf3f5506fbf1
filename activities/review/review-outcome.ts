import type { Transaction } from 'sequelize';
import { NOW } from '../../db/schema/move.ts';
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
import { lockReview, moveAudit, REVIEW_SUBJECTS } from './review-subjects.ts';
import { decideRevision, isRevised } from './revisions.ts';
import { loadDecision, markDecided } from './task-decisions.ts';

export type ReviewOutcome = 'APPROVED' | 'REJECTED' | 'VOID';

/** What its owner hears of it: a rejection, which asks something of them, is written by mail as well. */
const TOLD = {
  approve: { kind: 'review_decided', decision: 'approved' },
  reject: { kind: 'review_rejected', decision: 'rejected' },
} as const;

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
      : await loadDecision(deps, tx, {
          ...input.decision,
          workflowId: reviewWorkflowId(input),
          kinds: [`${input.subjectType}_review`],
        });
  const isApproved = decided === null || decided.decision === 'approve';
  if (isApproved) await refuseOverBlockers(deps, tx, input);
  if (subject.auditRound !== input.round || subject.status === 'ARCHIVED') {
    throw conflict('This was changed since it was submitted.');
  }
  const { subjectType: type, subjectId: id } = input;
  const action = isApproved ? 'approve' : 'reject';
  const reasons = isApproved ? null : decided.reasons;
  await moveAudit(deps, tx, { type, id, accountId: review.accountId }, { action, reasons });
  const { revision } = review;
  if (isRevised(type)) await decideRevision(deps, tx, { type, id, revision, action, reasons });
  else if (isApproved) await acceptLandingPage(deps, tx, { type, id });
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
    kind: TOLD[action].kind,
    subject: { type, id },
    params: {
      name: subject.name,
      decision: TOLD[action].decision,
      reasons,
      ...(await campaignOf(deps, tx, { type, id })),
    },
  });
  if (decided !== null) {
    await markDecided(deps, tx, decided);
    if (isApproved) await rememberLandingHost(deps, tx, input);
  }
  await publishInventory(deps.outbox, tx, {
    topic: REVIEW_SUBJECTS[type].topic,
    id: review.accountId,
  });
  return { outcome: isApproved ? 'APPROVED' : 'REJECTED' };
}

/** What was launched together is told together by the consoles: each part names its campaign. */
async function campaignOf(
  { db }: ActivityDeps,
  tx: Transaction,
  { type, id }: { type: string; id: number },
): Promise<{ campaign?: { id: number; name: string } }> {
  if (type !== 'campaign' && type !== 'adgroup' && type !== 'ad') return {};
  const { campaigns: Campaigns, adGroups: AdGroups, ads: Ads } = db.models;
  const only = { transaction: tx, rejectOnEmpty: true } as const;
  const campaignIds = {
    campaign: async () => await Promise.resolve(id),
    adgroup: async () => (await AdGroups.findByPk(id, only)).campaignId,
    ad: async () => (await Ads.findByPk(id, only)).campaignId,
  };
  const campaignId = await campaignIds[type]();
  const { name } = await Campaigns.findByPk(campaignId, only);
  return { campaign: { id: campaignId, name } };
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

/** Of a campaign: from now on viewers of ads without a page of their own are sent there (interface 3). */
async function acceptLandingPage(
  deps: ActivityDeps,
  tx: Transaction,
  { type, id }: { type: string; id: number },
): Promise<void> {
  if (type !== 'campaign') return;
  const { campaigns: Campaigns } = deps.db.models;
  const campaign = await Campaigns.findByPk(id, { transaction: tx, rejectOnEmpty: true });
  const { landingUrl: approvedLandingUrl } = campaign;
  await campaign.update({ approvedLandingUrl }, { transaction: tx, silent: true });
}
