import { removalAppealLifecycle } from '../../domain/lifecycle/removal-appeal.ts';
import type { Reason } from '../../domain/tracking/facts.ts';
import { day, id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const removalAppeals = table('removal_appeals', {
  id: id(),
  publisherId: ref(),
  zoneId: ref(),
  day: day(),
  reason: text<Reason>(),
  text: text(),
  impressions: whole(),
  clicks: whole(),
  conversions: whole(),
  status: state(removalAppealLifecycle).byDefault(),
  reasons: json<ReviewReason[]>().orNull(),
  upheldBy: ref().orNull(),
  restoreBatches: whole().byDefault(),
  restoredAt: time().orNull(),
  workflowId: text(),
  createdAt: time().byDefault(),
  decidedAt: time().orNull(),
});
export type RemovalAppealRow = Row<typeof removalAppeals>;
