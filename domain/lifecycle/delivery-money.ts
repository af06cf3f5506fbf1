import {
  type BidAdjustments,
  effectiveAdjustments,
  leastBid,
  mostBid,
} from '../auction/bid-adjustments.ts';
import { eventCostOf } from '../auction/price.ts';
import type { Reserve } from '../auction/reserve.ts';
import type { PricingModel } from '../tracking/facts.ts';

/** A cap and what it has paid for, in nanos; null is no cap. */
export interface BudgetFacts {
  capNanos: bigint | null;
  spentNanos: bigint;
}

export interface AccountFacts {
  suspended: boolean;
  availableNanos: bigint;
}

export interface CampaignBid {
  bidNanos: bigint;
  pricingModel: PricingModel;
  bidAdjustments: BidAdjustments | null;
}

/** Null is the campaign's. */
export interface AdGroupBid {
  bidNanos: bigint | null;
  bidAdjustments: BidAdjustments | null;
}

/**
 * What one event costs at the least, whoever sees it: the auction shows nothing that what is left does not pay for
 * (domain/auction/eligibility.ts).
 */
export function leastCostOf(campaign: CampaignBid, adGroup?: AdGroupBid): bigint {
  const { bidNanos, bidAdjustments, pricingModel } = campaign;
  const adjustments = effectiveAdjustments(bidAdjustments, adGroup?.bidAdjustments ?? null);
  return eventCostOf(pricingModel, leastBid(adGroup?.bidNanos ?? bidNanos, adjustments));
}

/**
 * A cap lowered below what was spent is legal and means exhausted, and so does a rest that pays for no event more. A
 * cap that never pays for one waits for somebody to raise it, or to bid less.
 */
export function budgetReasons<Exhausted extends string>(
  { capNanos, spentNanos }: BudgetFacts,
  costNanos: bigint,
  exhausted: Exhausted,
): (Exhausted | 'BUDGET_BELOW_BID')[] {
  if (capNanos === null) return [];
  if (spentNanos >= capNanos) return [exhausted];
  if (capNanos < costNanos) return ['BUDGET_BELOW_BID'];
  return capNanos - spentNanos < costNanos ? [exhausted] : [];
}

/** Of a campaign and its account, before anything below it. */
export function moneyReasons(
  { availableNanos }: AccountFacts,
  { total, daily }: { total: BudgetFacts; daily: BudgetFacts },
  costNanos: bigint,
) {
  const isBroke = availableNanos <= 0n || availableNanos < costNanos;
  return [
    ...(isBroke ? (['BALANCE_INSUFFICIENT'] as const) : []),
    ...budgetReasons(total, costNanos, 'BUDGET_EXHAUSTED_TOTAL'),
    ...budgetReasons(daily, costNanos, 'BUDGET_EXHAUSTED_DAILY'),
  ];
}

/**
 * A bid that no viewer brings to what the platform asks at the least: each auction turns it away. Only of models
 * whose floor is in the bid's own unit; what others yield is known when they are shown. `reserve` null: it is for
 * the ad groups to say.
 */
export function bidReasons(
  reserve: Reserve | null,
  campaign: CampaignBid,
  adGroup?: AdGroupBid,
): ('BID_ZERO' | 'BID_BELOW_FLOOR')[] {
  const bidNanos = adGroup?.bidNanos ?? campaign.bidNanos;
  if (bidNanos === 0n) return ['BID_ZERO'];
  const adjustments = effectiveAdjustments(
    campaign.bidAdjustments,
    adGroup?.bidAdjustments ?? null,
  );
  const floorNanos = reserve === null ? 0n : floorOf(campaign.pricingModel, reserve);
  return mostBid(bidNanos, adjustments) < floorNanos ? ['BID_BELOW_FLOOR'] : [];
}

function floorOf(model: PricingModel, { cpcNanos, cpmNanos }: Reserve): bigint {
  if (model === 'CPC') return cpcNanos;
  return model === 'CPM' ? cpmNanos : 0n;
}
