import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const ads = table('ads', {
  id: id(),
  advertiserId: ref(),
  campaignId: ref(),
  adGroupId: ref().named('adgroup_id'),
  creativeId: ref(),
  name: text(),
  landingUrl: text().orNull(),
  title: text().orNull(),
  description: text().orNull(),
  buttonText: text().orNull(),
  brandName: text().orNull(),
  displayUrl: text().orNull(),
  weight: whole().byDefault(),
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(auditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type AdRow = Row<typeof ads>;
