import type { Nanos } from '../money.ts';
import { applyBidAdjustments } from './bid-adjustments.ts';
import { fitsFormat, fitsSize } from './formats.ts';
import { pageRefusal } from './page-targeting.ts';
import { passesPacing } from './pacing.ts';
import { eventCostOf } from './price.ts';
import { ecpmOf } from './rates.ts';
import { inDaypart, targetingRefusal } from './targeting.ts';
import type {
  AuctionTerms,
  AuctionZone,
  Candidate,
  Contender,
  Flight,
  NoAuctionReason,
  NoBidReason,
  Spend,
} from './types.ts';

const DAY_MS = 86_400_000;

export const dayOf = (now: Date): number => Math.floor(now.getTime() / DAY_MS);

/** A zone that may not show anything is not auctioned. */
export function zoneRefusal(zone: AuctionZone, device: string): NoAuctionReason | undefined {
  if (!zone.publisherActive) return 'PUBLISHER_SUSPENDED';
  if (zone.siteStatus !== 'ACTIVE') return 'SITE_STATUS';
  if (zone.siteAudit !== 'APPROVED') return 'SITE_AUDIT';
  if (zone.status !== 'ACTIVE') return 'ZONE_STATUS';
  if (zone.audit !== 'APPROVED') return 'ZONE_AUDIT';
  if (zone.device !== 'ALL' && zone.device !== device) return 'ZONE_DEVICE';
  return undefined;
}

/** What stands still until somebody edits, reviews or pays: such ads are not in the ranked lists. */
export function standingRefusal(candidate: Candidate): NoBidReason | undefined {
  const { advertiser, campaign, adGroup, creative } = candidate;
  if (!advertiser.active) return 'ADVERTISER_SUSPENDED';
  if (campaign.status !== 'ACTIVE') return 'CAMPAIGN_STATUS';
  if (campaign.audit !== 'APPROVED') return 'CAMPAIGN_AUDIT';
  if (adGroup.status !== 'ACTIVE') return 'ADGROUP_STATUS';
  if (adGroup.audit !== 'APPROVED') return 'ADGROUP_AUDIT';
  if (candidate.status !== 'ACTIVE') return 'AD_STATUS';
  if (candidate.audit !== 'APPROVED') return 'AD_AUDIT';
  if (creative.status !== 'ACTIVE') return 'CREATIVE_STATUS';
  if (!creative.approved) return 'CREATIVE_AUDIT';
  return undefined;
}

/** The bid for this request, or why there is none. Frequency is asked later, for the few that lead. */
export function qualify<C extends Candidate>(
  candidate: C,
  terms: AuctionTerms,
): Contender<C> | NoBidReason {
  const refusal =
    standingRefusal(candidate) ??
    placementRefusal(candidate, terms) ??
    timeRefusal(candidate, terms);
  if (refusal !== undefined) return refusal;
  if (terms.excluded?.has(candidate.creative.id) === true) return 'SHOWN_JUST_NOW';
  const mismatch =
    targetingRefusal(candidate.targeting, terms.viewer) ??
    pageRefusal(candidate.targeting.page, terms.page ?? null);
  if (mismatch !== undefined) return mismatch;

  const effectiveNanos = applyBidAdjustments(
    candidate.bidBaseNanos,
    candidate.adjustments,
    terms.viewer,
  );
  const costNanos = eventCostOf(candidate.campaign.pricingModel, effectiveNanos);
  if (costNanos === 0n) return 'ZERO_BID';
  const ecpmNanos = ecpmOf(effectiveNanos, candidate.yieldPpm);
  const contender = { candidate, effectiveNanos, ecpmNanos };
  if (isBelowFloor(contender, terms.zone)) return 'BELOW_FLOOR';
  return moneyRefusal(candidate, costNanos, terms) ?? contender;
}

function placementRefusal(candidate: Candidate, { zone }: AuctionTerms): NoBidReason | undefined {
  if (!fitsFormat(candidate, zone.type)) return 'FORMAT';
  if (!fitsSize(candidate, zone)) return 'SIZE';
  if (!zone.pricingModels.has(candidate.campaign.pricingModel)) return 'PRICING_TYPE';
  return undefined;
}

function timeRefusal(candidate: Candidate, { now }: AuctionTerms): NoBidReason | undefined {
  const today = dayOf(now);
  if (!inFlight(candidate.campaign.flight, today)) return 'SCHEDULE';
  if (!inFlight(candidate.adGroup.flight, today)) return 'SCHEDULE';
  return inDaypart(candidate.targeting, now) ? undefined : 'DAYPART';
}

export const inFlight = ({ startDay, endDay }: Flight, today: number): boolean =>
  (startDay === null || startDay <= today) && (endDay === null || today <= endDay);

/** Floors compare in the zone's own unit: CPC and CPM by bid, everything else by eCPM (interface 4.13). */
function isBelowFloor(
  { candidate, effectiveNanos, ecpmNanos }: Contender,
  zone: AuctionZone,
): boolean {
  switch (candidate.campaign.pricingModel) {
    case 'CPC':
      return effectiveNanos < zone.floorCpcNanos;
    case 'CPM':
      return effectiveNanos < zone.floorCpmNanos;
    case 'CPA':
    case 'CPS':
    case 'CPV':
      return ecpmNanos < zone.floorCpmNanos;
  }
}

/**
 * What is left must pay for one event at the full bid, so that what is shown can be charged.
 * `costNanos`: one billable event at the effective bid.
 */
function moneyRefusal(
  candidate: Candidate,
  costNanos: Nanos,
  terms: AuctionTerms,
): NoBidReason | undefined {
  const { advertiser, campaign, adGroup } = candidate;
  const today = dayOf(terms.now);
  if (advertiser.availableNanos - advertiser.heldNanos < costNanos) return 'BALANCE';
  const inAll = campaign.spend.totalNanos + campaign.spend.heldNanos;
  if (!leaves(campaign.totalBudgetNanos, inAll, costNanos)) return 'BUDGET_TOTAL';
  const spentToday = spentOn(campaign.spend, today) + campaign.spend.heldNanos;
  if (!leaves(campaign.dailyBudgetNanos, spentToday, costNanos)) return 'BUDGET_DAILY';
  const spentByGroup = spentOn(adGroup.spend, today) + adGroup.spend.heldNanos;
  if (!leaves(adGroup.dailyBudgetNanos, spentByGroup, costNanos)) return 'ADGROUP_BUDGET';
  return passesPacing(candidate, spentToday, terms) ? undefined : 'PACING';
}

export const leaves = (budgetNanos: Nanos | null, spentNanos: Nanos, costNanos: Nanos): boolean =>
  budgetNanos === null || budgetNanos - spentNanos >= costNanos;

export const spentOn = (spend: Spend, today: number): Nanos =>
  spend.day === today ? spend.todayNanos : 0n;
