import { revisionLifecycle } from '../../domain/lifecycle/review.ts';
import { id, json, ref, state, text, time, whole } from '../schema/column.ts';
import { propertiesBut, type Row, table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

export const adRevisions = table('ad_revisions', {
  id: id(),
  adId: ref(),
  revision: whole(),
  creativeId: ref(),
  landingUrl: text().orNull(),
  title: text().orNull(),
  description: text().orNull(),
  buttonText: text().orNull(),
  brandName: text().orNull(),
  displayUrl: text().orNull(),
  auditStatus: state(revisionLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  createdAt: time().byDefault(),
});
export type AdRevisionRow = Row<typeof adRevisions>;

/** What a viewer sees or is led to: a new revision has content of its own. */
export const AD_CONTENT = propertiesBut(adRevisions, [
  'id',
  'adId',
  'revision',
  'auditStatus',
  'auditReasons',
  'createdAt',
]);
export type AdContent = Pick<AdRevisionRow, (typeof AD_CONTENT)[number]>;
