import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from 'sequelize';
import type { ReviewFinding } from '../../db/tables/json.ts';
import { reviewFindings } from '../../domain/review-findings.ts';
import type { ReviewSubjectType } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';
import { findRisks } from '../withdrawals/withdrawal-review.ts';
import { loadReviewFacts } from './review-facts.ts';
import { REVIEW_SUBJECTS } from './review-subjects.ts';
import type { Task } from './task-lock.ts';

/**
 * A finding is as old as its task: a site that was unverified then may have been verified for a week.
 * Looked at again whenever somebody takes the task, and at the decision.
 */
export async function refreshFindings(
  deps: ActivityDeps,
  tx: Transaction,
  task: Task,
): Promise<void> {
  const findings = await findNow(deps, tx, task);
  if (findings === null || isDeepStrictEqual(findings, task.findings)) return;
  await task.update({ findings }, { transaction: tx });
}

/** Null: a machine sees nothing in tasks of this kind. */
async function findNow(
  deps: ActivityDeps,
  tx: Transaction,
  { kind, subjectType, subjectId, payload }: Task,
): Promise<ReviewFinding[] | null> {
  if (kind === 'withdrawal_review' || kind === 'withdrawal_second_approval') {
    const found = await deps.db.models.withdrawals.findByPk(subjectId, { transaction: tx });
    return found === null ? null : await findRisks(deps, tx, found);
  }
  const round = payload['round'];
  if (!isReviewed(subjectType) || typeof round !== 'number') return null;
  return reviewFindings(await loadReviewFacts(deps, tx, { subjectType, subjectId, round }));
}

const isReviewed = (type: string): type is ReviewSubjectType =>
  Object.hasOwn(REVIEW_SUBJECTS, type);
