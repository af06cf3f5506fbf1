import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { type Computed, moveRow, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import type { Table } from '../../db/schema/table.ts';
import { adGroups } from '../../db/tables/ad-group.ts';
import { ads } from '../../db/tables/ad.ts';
import { campaigns } from '../../db/tables/campaign.ts';
import { creatives } from '../../db/tables/creative.ts';
import type { ReviewReason } from '../../db/tables/json.ts';
import { sites } from '../../db/tables/site.ts';
import { zones } from '../../db/tables/zone.ts';
import { notFound } from '../../domain/errors.ts';
import {
  type DecideAction,
  NOT_ARCHIVED,
  type SubmitAction,
} from '../../domain/lifecycle/review.ts';
import type { ReviewInput, ReviewSubjectType } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';

interface SubjectTable {
  table: Table;
  owner: 'advertiserId' | 'publisherId';
  topic: 'advertiser' | 'publisher';
}

/** Where each reviewable thing lives, whose it is, and which part of the inventory serving reads anew. */
export const REVIEW_SUBJECTS = {
  campaign: { table: campaigns, owner: 'advertiserId', topic: 'advertiser' },
  adgroup: { table: adGroups, owner: 'advertiserId', topic: 'advertiser' },
  ad: { table: ads, owner: 'advertiserId', topic: 'advertiser' },
  creative: { table: creatives, owner: 'advertiserId', topic: 'advertiser' },
  site: { table: sites, owner: 'publisherId', topic: 'publisher' },
  zone: { table: zones, owner: 'publisherId', topic: 'publisher' },
} as const satisfies Record<ReviewSubjectType, SubjectTable>;

export interface SubjectKey {
  type: ReviewSubjectType;
  id: number;
  accountId: number;
}

export interface AuditMove {
  action: SubmitAction | DecideAction;
  reasons: ReviewReason[] | null;
  /** A new round begins; otherwise the present one is decided. */
  auditRound?: Computed;
}

/**
 * The only move of a subject's audit_status, in whichever table it lives. Answers its round. Raises
 * not_found for a foreign or archived one, and state_conflict for an illegal move.
 */
export async function moveAudit(
  deps: ActivityDeps,
  tx: Transaction,
  subject: SubjectKey,
  { action, reasons, auditRound }: AuditMove,
): Promise<number> {
  const { table, owner } = REVIEW_SUBJECTS[subject.type];
  const moved = await moveRow(runner(deps.db, tx), table, {
    state: 'auditStatus',
    action,
    where: { id: subject.id, [owner]: subject.accountId, status: NOT_ARCHIVED },
    set: { auditReasons: reasons, auditRound, updatedAt: NOW },
  });
  return moved.auditRound;
}

const SUBJECT = select(columnsOf(campaigns, 't', ['name', 'status', 'auditRound']));

export interface LockedReview {
  review: RecordOf<'reviews'>;
  subject: RowOf<typeof SUBJECT>;
}

/** Subject before review before task, always in this order; owners' edits lock the same way. */
export async function lockReview(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<LockedReview> {
  const { table } = REVIEW_SUBJECTS[input.subjectType];
  const subject = await readRow(
    runner(deps.db, tx),
    SUBJECT,
    `SELECT ${SUBJECT.list} FROM ${table.name} t WHERE t.id = $1 FOR UPDATE`,
    [input.subjectId],
  );
  const { subjectType, subjectId, round } = input;
  const review = await deps.db.models.reviews.findOne({
    where: { subjectType, subjectId, round },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (subject === undefined || review === null) throw notFound();
  return { review, subject };
}
