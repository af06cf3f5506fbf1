import { id, nanos, ref, text } from '../schema/column.ts';
import { type Patch, propertiesBut, type Row, table } from '../schema/table.ts';
import { PLATFORM_COLUMNS, reviewedColumns } from './reviewed.ts';
import { targetingColumns } from './targeting.ts';

export const adGroups = table('ad_groups', {
  id: id(),
  advertiserId: ref(),
  campaignId: ref(),
  name: text(),
  bidNanos: nanos().orNull(),
  dailyBudgetNanos: nanos().orNull(),
  ...targetingColumns,
  ...reviewedColumns,
});
export type AdGroupRow = Row<typeof adGroups>;

/** What its owner edits, and what a copy takes along. */
export const ADGROUP_FIELDS = propertiesBut(adGroups, [...PLATFORM_COLUMNS, 'campaignId']);
export type AdGroupFields = Patch<typeof adGroups, (typeof ADGROUP_FIELDS)[number]>;
