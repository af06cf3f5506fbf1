import type { BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { day, id, json, nanos, ref, state, text, time, whole } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { FrequencyCap, ReviewReason } from './json.ts';

export const adGroups = table('ad_groups', {
  id: id(),
  advertiserId: ref(),
  campaignId: ref(),
  name: text(),
  bidNanos: nanos().orNull(),
  dailyBudgetNanos: nanos().orNull(),
  startDate: day().orNull(),
  endDate: day().orNull(),
  targetCountries: json<string[]>().orNull(),
  targetDevices: json<string[]>().orNull(),
  targetOs: json<string[]>().orNull(),
  targetBrowsers: json<string[]>().orNull(),
  targetHours: json<number[]>().orNull(),
  weekdays: json<number[]>().orNull(),
  bidAdjustments: json<BidAdjustments>().orNull(),
  frequencyCap: json<FrequencyCap>().orNull(),
  status: state(ownerLifecycle).byDefault(),
  auditStatus: state(auditLifecycle).byDefault(),
  auditReasons: json<ReviewReason[]>().orNull(),
  auditRound: whole().byDefault(),
  version: whole().byDefault(),
  createdAt: time().byDefault(),
  updatedAt: time().byDefault(),
});
export type AdGroupRow = Row<typeof adGroups>;
