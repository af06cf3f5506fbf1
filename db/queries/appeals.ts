import { json } from '../schema/column.ts';
import type { ReviewStatus } from '../../domain/lifecycle/review.ts';

/** The present round as its owner's appeal; its moments are RFC 3339 as PostgreSQL writes them. */
export interface ShownAppeal {
  text: string;
  status: ReviewStatus;
  createdAt: string;
  decidedAt: string | null;
}

/** Of a reviewed row; null while its present round is no appeal. */
export const appealOf = (type: string, alias: string) =>
  json<ShownAppeal>().orNull().of(`(
    SELECT jsonb_build_object('text', v.appeal, 'status', v.status, 'createdAt', v.created_at,
      'decidedAt', v.decided_at)
    FROM reviews v WHERE v.subject_type = '${type}' AND v.subject_id = ${alias}.id
      AND v.round = ${alias}.audit_round AND v.appeal IS NOT NULL)`);
