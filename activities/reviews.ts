import type { Transaction } from 'sequelize';
import { runner } from '../db/postgres.ts';
import { conflict, notFound } from '../domain/errors.ts';
import { auditTransitions } from '../domain/lifecycle/review.ts';
import { statusesBefore } from '../domain/lifecycle/transition.ts';
import {
  REVIEW_WITHDRAW_SIGNAL,
  REVIEW_WORKFLOW,
  type ReviewInput,
  type ReviewSubjectType,
  reviewWorkflowId,
} from '../workflows/contracts/review.ts';
import type { ActivityDeps } from './deps.ts';

/** What is reviewed, and whose it is. `revision` for creatives: what the reviewer will look at. */
export interface ReviewSubject {
  type: ReviewSubjectType;
  id: number;
  accountId: number;
  revision?: number;
  /**
   * `submit`: the owner asked, legal from DRAFT and REJECTED only (decisions 1). `reopen`: a create
   * or an edit puts it back in the queue, legal from everything but SUSPENDED. Default `reopen`.
   */
  action?: 'submit' | 'reopen';
}

interface SubjectTable {
  table: 'campaigns' | 'ad_groups' | 'ads' | 'creatives' | 'sites' | 'zones';
  owner: 'advertiser_id' | 'publisher_id';
  topic: 'advertiser' | 'publisher';
}

/** Where each reviewable thing lives; the names are constants, so they may stand in SQL. */
export const REVIEW_SUBJECTS: Readonly<Record<ReviewSubjectType, SubjectTable>> = {
  campaign: { table: 'campaigns', owner: 'advertiser_id', topic: 'advertiser' },
  adgroup: { table: 'ad_groups', owner: 'advertiser_id', topic: 'advertiser' },
  ad: { table: 'ads', owner: 'advertiser_id', topic: 'advertiser' },
  creative: { table: 'creatives', owner: 'advertiser_id', topic: 'advertiser' },
  site: { table: 'sites', owner: 'publisher_id', topic: 'publisher' },
  zone: { table: 'zones', owner: 'publisher_id', topic: 'publisher' },
};

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
      ? statusesBefore(auditTransitions, 'submit')
      : [...statusesBefore(auditTransitions, 'reopen'), 'DRAFT'];
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
