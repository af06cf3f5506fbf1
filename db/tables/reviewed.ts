import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { type Column, json, state, time, whole } from '../schema/column.ts';
import type { Table } from '../schema/table.ts';
import type { ReviewReason } from './json.ts';

/** Columns that campaigns, ad groups, ads and creatives end with. */
export const reviewedColumns = {
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(auditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
};

/** What the platform writes itself; the other columns are the owner's. */
export const PLATFORM_COLUMNS = [
  'id',
  'advertiserId',
  ...(Object.keys(reviewedColumns) as (keyof typeof reviewedColumns)[]),
] as const;

/** What the tables of campaigns, ad groups, ads and creatives have in common. */
export type ReviewedTable = Table<
  { id: Column<number, false, true>; advertiserId: Column<number> } & typeof reviewedColumns
>;
