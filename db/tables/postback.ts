import { postbackLifecycle } from '../../domain/lifecycle/postback.ts';
import { id, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const postbacks = table('postbacks', {
  id: id(),
  trackerId: ref(),
  advertiserId: ref(),
  /** Null of a test's call. */
  conversionId: ref().orNull(),
  testId: ref().orNull(),
  url: text(),
  status: state(postbackLifecycle).byDefault(),
  attempts: whole().byDefault(),
  nextAttemptAt: time().orNull().byDefault(),
  lastOutcome: text().orNull(),
  tookMs: whole().orNull(),
  answer: text().orNull(),
  deliveredAt: time().orNull(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type PostbackRow = Row<typeof postbacks>;
