import type { BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { PRICING_MODELS, ROTATION_MODES } from '../../domain/inventory.ts';
import { auditLifecycle, ownerLifecycle } from '../../domain/lifecycle/review.ts';
import { day, id, json, nanos, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';
import type { FrequencyCap, ReviewReason } from './json.ts';

export const campaigns = table('campaigns', {
  id: id(),
  advertiserId: ref(),
  name: text(),
  adType: text(),
  campaignOptionId: ref().orNull(),
  bidNanos: nanos(),
  pricingModel: word(PRICING_MODELS).byDefault(),
  type: text().byDefault(),
  objective: text().byDefault(),
  dailyBudgetNanos: nanos().orNull(),
  totalBudgetNanos: nanos().orNull(),
  startDate: day().orNull(),
  endDate: day().orNull(),
  landingUrl: text().orNull(),
  trackerId: ref().orNull(),
  rotationMode: word(ROTATION_MODES).byDefault(),
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
export type CampaignRow = Row<typeof campaigns>;
