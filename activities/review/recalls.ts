import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { ref, text, whole } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { ReviewSubjectType } from '../../workflows/contracts/review.ts';
import { recordAudit } from '../core/audit.ts';
import { statusChange } from '../core/history.ts';
import { notify } from '../accounts/notifications.ts';
import { publishInventory } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview } from './reviews.ts';
import { REVIEW_SUBJECTS } from './review-subjects.ts';
import { isRevised, recallRevision } from './revisions.ts';

export interface Recall {
  type: ReviewSubjectType;
  id: number;
  /** operators.id */
  operatorId: number;
  /** For whoever decides; its owner is told that it stopped, and the reasons with the decision. */
  note: string;
  requestId: string;
}

interface Subject {
  name: string;
  accountId: number;
  auditStatus: string;
  /** Of creatives and ads. */
  latestRevision: number | null;
  approvedRevision: number | null;
}

export function createRecallActivities(deps: ActivityDeps) {
  return {
    /**
     * What was approved stops serving in this transaction, and a person decides about it anew; a round
     * that its owner had open goes on. Raises not_found, and state_conflict where nothing of it is approved.
     */
    async recallApproval(recall: Recall): Promise<void> {
      await runStep(deps.db, `${recall.type}.recall`, async (tx) => await take(deps, tx, recall));
    },
  };
}

async function take(deps: ActivityDeps, tx: Transaction, recall: Recall): Promise<void> {
  const { type, id, operatorId, note, requestId } = recall;
  const subject = await lock(deps, tx, recall);
  const { accountId, auditStatus, approvedRevision, latestRevision } = subject;
  const isApproved = isRevised(type) ? approvedRevision !== null : auditStatus === 'APPROVED';
  if (!isApproved) {
    throw conflict('Nothing of it is approved: there is nothing to take back.', {
      from: auditStatus,
    });
  }
  // A newer version waits for its decision, or was refused: the approved one just ends.
  const isNewest = approvedRevision === latestRevision;
  if (isRevised(type) && approvedRevision !== null) {
    await recallRevision(deps, tx, { type, id, revision: approvedRevision }, isNewest);
  }
  // Ads that stand in pages lead there no more: what is approved anew is written with that.
  if (type === 'campaign') {
    await deps.db.models.campaigns.update(
      { approvedLandingUrl: null },
      { where: { id }, transaction: tx, silent: true },
    );
  }
  if (isNewest) {
    const recalled = { operatorId, note };
    const revision = approvedRevision === null ? {} : { revision: approvedRevision };
    await submitReview(deps, tx, { type, id, accountId, action: 'reopen', recalled, ...revision });
  }
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action: `${type}.recall`,
    subject: { type, id },
    accountId,
    detail: {
      reason: note,
      changes: isNewest ? statusChange('APPROVED', 'PENDING', 'audit_status') : [],
    },
    requestId,
  });
  await notify(deps, tx, {
    accountId,
    kind: 'review_decided',
    subject: { type, id },
    params: { name: subject.name, decision: 'recalled' },
  });
  await publishInventory(deps.outbox, tx, { topic: REVIEW_SUBJECTS[type].topic, id: accountId });
}

/** Subject before review before task, as everywhere (review-subjects.ts). */
async function lock(deps: ActivityDeps, tx: Transaction, { type, id }: Recall): Promise<Subject> {
  const { table, owner } = REVIEW_SUBJECTS[type];
  const ownerColumn = owner === 'advertiserId' ? 'advertiser_id' : 'publisher_id';
  const revised = isRevised(type);
  const columns = select({
    name: text().of('t.name'),
    accountId: ref().of(`t.${ownerColumn}`),
    auditStatus: text().of('t.audit_status'),
    latestRevision: whole()
      .orNull()
      .of(revised ? 't.latest_revision' : 'NULL'),
    approvedRevision: whole()
      .orNull()
      .of(revised ? 't.approved_revision' : 'NULL'),
  });
  const subject = await readRow(
    runner(deps.db, tx),
    columns,
    `SELECT ${columns.list} FROM ${table.name} t
     WHERE t.id = $1 AND t.status <> 'ARCHIVED' FOR UPDATE`,
    [id],
  );
  if (subject === undefined) throw notFound();
  return subject;
}
