import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import type { Finding } from '../../domain/review-findings.ts';
import { notFound } from '../../domain/errors.ts';
import type { ReviewInput, ReviewSubjectType } from '../../workflows/contracts/review.ts';
import type { ActivityDeps } from '../deps.ts';

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

export interface ReviewRow {
  status: 'OPEN' | 'APPROVED' | 'REJECTED' | 'VOID';
  revision: number | null;
  account_id: string;
  findings: Finding[];
}

/** Subject before review before task, always in this order; owners' edits lock the same way. */
export async function lockReview(
  deps: ActivityDeps,
  tx: Transaction,
  input: ReviewInput,
): Promise<ReviewRow> {
  const sql = runner(deps.db, tx);
  const { table } = REVIEW_SUBJECTS[input.subjectType];
  await sql.query(`SELECT id FROM ${table} WHERE id = $1 FOR UPDATE`, [input.subjectId]);
  const { rows } = await sql.query<ReviewRow>(
    `SELECT status, revision, account_id, findings FROM reviews
     WHERE subject_type = $1 AND subject_id = $2 AND round = $3 FOR UPDATE`,
    [input.subjectType, input.subjectId, input.round],
  );
  const [review] = rows;
  if (review === undefined) throw notFound();
  return review;
}
