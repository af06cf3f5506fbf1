import { id, ref, text, whole } from '../schema/column.ts';
import { type Patch, propertiesBut, type Row, table } from '../schema/table.ts';
import { PLATFORM_COLUMNS, reviewedColumns } from './reviewed.ts';

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
  latestRevision: whole().byDefault(),
  /** The one that serves; null before the first approval. */
  approvedRevision: whole().orNull(),
  ...reviewedColumns,
});
export type AdRow = Row<typeof ads>;

/** What its owner edits, and what a copy takes along. */
export const AD_FIELDS = propertiesBut(ads, [
  ...PLATFORM_COLUMNS,
  'campaignId',
  'adGroupId',
  'latestRevision',
  'approvedRevision',
]);
export type AdFields = Patch<typeof ads, (typeof AD_FIELDS)[number]>;

/** Its own words, as viewers read them. */
export const AD_COPY = ['title', 'description', 'buttonText', 'brandName', 'displayUrl'] as const;
