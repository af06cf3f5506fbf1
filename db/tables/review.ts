import { reviewLifecycle } from '../../domain/lifecycle/review.ts';
import { id, json, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewFinding, ReviewReason } from './json.ts';

export const reviews = table('reviews', {
  id: id(),
  subjectType: word(['campaign', 'adgroup', 'ad', 'creative', 'site', 'zone']),
  subjectId: ref(),
  round: whole(),
  revision: whole().orNull(),
  accountId: ref(),
  status: state(reviewLifecycle).byDefault(),
  decidedBy: word(['AUTO', 'OPERATOR']).orNull(),
  findings: json<ReviewFinding[]>().byDefault(),
  reasons: json<ReviewReason[]>().orNull(),
  workflowId: text(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
  appeal: text().orNull(),
  /** The operator who took it back into review, and what they say to whoever decides. */
  recalledBy: ref().orNull(),
  recallNote: text().orNull(),
  /** Null while the site waits for its proof: then no flow has it. */
  begunAt: time().orNull().byDefault(),
});
export type ReviewRow = Row<typeof reviews>;
