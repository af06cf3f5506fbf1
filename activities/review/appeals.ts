import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { flag } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import { reviews } from '../../db/tables/review.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import { recordOwn } from '../core/history.ts';
import { publishInventory } from '../core/outbox.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { submitReview } from './reviews.ts';
import { REVIEW_SUBJECTS, type SubjectKey } from './review-subjects.ts';
import { isRevised, submitRevision } from './revisions.ts';

export interface Appeal extends SubjectKey {
  text: string;
}

const REJECTED = select({
  status: reviews.columns.status.of('v.status'),
  revision: reviews.columns.revision.of('v.revision'),
  /** The round was an appeal itself, or its revision was appealed before. */
  wasAppealed: flag().of(`v.appeal IS NOT NULL OR EXISTS (
    SELECT 1 FROM reviews p WHERE p.subject_type = v.subject_type AND p.subject_id = v.subject_id
      AND p.revision = v.revision AND p.appeal IS NOT NULL)`),
});

export function createAppealActivities(deps: ActivityDeps) {
  return {
    /**
     * Opens a round that a person decides, with what the owner says. Raises not_found, and
     * state_conflict where nothing was rejected or it was appealed before.
     */
    async appealReview(appeal: Appeal): Promise<void> {
      await runStep(deps.db, `${appeal.type}.appeal`, async (tx) => await open(deps, tx, appeal));
    },
  };
}

async function open(
  deps: ActivityDeps,
  tx: Transaction,
  { type, id, accountId, text }: Appeal,
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { table, owner, topic } = REVIEW_SUBJECTS[type];
  const ownerColumn = owner === 'advertiserId' ? 'advertiser_id' : 'publisher_id';
  const round = await readRow(
    sql,
    REJECTED,
    `SELECT ${REJECTED.list} FROM ${table.name} t
     JOIN reviews v ON v.subject_type = $3 AND v.subject_id = t.id AND v.round = t.audit_round
     WHERE t.id = $1 AND t.${ownerColumn} = $2 AND t.status <> 'ARCHIVED' FOR UPDATE OF t`,
    [id, accountId, type],
  );
  if (round === undefined) {
    await requireOwn(deps, tx, { type, id, accountId });
    throw conflict('There is nothing to appeal: it was never reviewed.');
  }
  if (round.status !== 'REJECTED') {
    throw conflict('Only a rejection can be appealed.', { from: round.status });
  }
  if (round.wasAppealed) {
    throw conflict('This was appealed before: change it and submit it again.');
  }
  const { revision } = round;
  const subject = { type, id, accountId, action: 'submit' as const, appeal: text };
  await submitReview(deps, tx, revision === null ? subject : { ...subject, revision });
  if (isRevised(type) && revision !== null) await submitRevision(deps, tx, { type, id, revision });
  await recordOwn(deps.db, tx, { accountId, action: `${type}.appeal`, subject: { type, id } });
  await publishInventory(deps.outbox, tx, { topic, id: accountId });
}

/** Raises not_found for what is another account's, archived or unknown. */
async function requireOwn(
  deps: ActivityDeps,
  tx: Transaction,
  { type, id, accountId }: SubjectKey,
): Promise<void> {
  const { table, owner } = REVIEW_SUBJECTS[type];
  const ownerColumn = owner === 'advertiserId' ? 'advertiser_id' : 'publisher_id';
  const { rows } = await runner(deps.db, tx).query(
    `SELECT 1 FROM ${table.name} WHERE id = $1 AND ${ownerColumn} = $2 AND status <> 'ARCHIVED'`,
    [id, accountId],
  );
  if (rows.length === 0) throw notFound();
}
