import { PRICING_MODELS, ROTATION_MODES } from '../../domain/inventory.ts';
import { flag, id, nanos, ref, text, word } from '../schema/column.ts';
import { type Patch, propertiesBut, type Row, table } from '../schema/table.ts';
import { PLATFORM_COLUMNS, reviewedColumns } from './reviewed.ts';
import { targetingColumns } from './targeting.ts';

export const campaigns = table('campaigns', {
  id: id(),
  advertiserId: ref(),
  name: text(),
  adType: text(),
  campaignOptionId: ref().orNull(),
  /** What it bids: its own, or its price. */
  bidNanos: nanos(),
  priceNanos: nanos().orNull(),
  bidFollowsPrice: flag().byDefault(),
  pricingModel: word(PRICING_MODELS).byDefault(),
  type: text().byDefault(),
  objective: text().byDefault(),
  dailyBudgetNanos: nanos().orNull(),
  totalBudgetNanos: nanos().orNull(),
  landingUrl: text().orNull(),
  /** The one that a review has accepted: viewers are sent there until a newer one is. */
  approvedLandingUrl: text().orNull(),
  trackerId: ref().orNull(),
  rotationMode: word(ROTATION_MODES).byDefault(),
  ...targetingColumns,
  ...reviewedColumns,
});
export type CampaignRow = Row<typeof campaigns>;

/** What its owner edits, and what a copy takes along. */
export const CAMPAIGN_FIELDS = propertiesBut(campaigns, [
  ...PLATFORM_COLUMNS,
  'approvedLandingUrl',
]);
export type CampaignFields = Patch<typeof campaigns, (typeof CAMPAIGN_FIELDS)[number]>;
export type TargetingFields = Pick<CampaignFields, keyof typeof targetingColumns>;
