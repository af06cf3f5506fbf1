import type { Nanos } from '../money.ts';
import type { BidAdjustments } from './bid-adjustments.ts';
import { dayOf, inFlight, leaves, spentOn } from './eligibility.ts';
import { elapsedShare, passShare } from './pacing.ts';
import { eventCostOf } from './price.ts';
import type { Candidate } from './types.ts';

/**
 * What an ad that cannot serve waits for, whoever asks: the next day (UTC), more money on the
 * account, or its pace: the day's curve of an even budget, or word of what was shown last. Hours and weekdays are rows of the lists
 * (trait-bits.ts) and need no waiting.
 */
export type Awaits = 'day' | 'money' | 'pace';

/** Undefined while some viewer could still be shown it. */
export function awaits(candidate: Candidate, now: Date): Awaits | undefined {
  const { advertiser, campaign, adGroup } = candidate;
  const today = dayOf(now);
  if (!inFlight(campaign.flight, today) || !inFlight(adGroup.flight, today)) return 'day';
  const least = leastCostOf(candidate);
  const spentToday = spentOn(campaign.spend, today);
  const canPay =
    leaves(campaign.totalBudgetNanos, campaign.spend.totalNanos, least) &&
    leaves(campaign.dailyBudgetNanos, spentToday, least) &&
    leaves(adGroup.dailyBudgetNanos, spentOn(adGroup.spend, today), least);
  if (!canPay) return 'day';
  if (advertiser.availableNanos < least) return 'money';
  if (isHeld(candidate, today, least)) return 'pace';
  const { rotation, dailyBudgetNanos } = campaign;
  if (rotation === 'ASAP' || dailyBudgetNanos === null) return undefined;
  const elapsed = elapsedShare(candidate.targeting, now);
  const spentOrHeld = spentToday + campaign.spend.heldNanos;
  return passShare(spentOrHeld, dailyBudgetNanos, elapsed) > 0 ? undefined : 'pace';
}

/** There is money, and what was shown last may cost it. */
function isHeld(
  { advertiser, campaign, adGroup }: Candidate,
  today: number,
  least: Nanos,
): boolean {
  const { totalNanos, heldNanos } = campaign.spend;
  return (
    advertiser.availableNanos - advertiser.heldNanos < least ||
    !leaves(campaign.totalBudgetNanos, totalNanos + heldNanos, least) ||
    !leaves(campaign.dailyBudgetNanos, spentOn(campaign.spend, today) + heldNanos, least) ||
    !leaves(
      adGroup.dailyBudgetNanos,
      spentOn(adGroup.spend, today) + adGroup.spend.heldNanos,
      least,
    )
  );
}

/** One event for the viewer who costs least: at least a nano, as nothing is shown for nothing. */
function leastCostOf({ bidBaseNanos, adjustments, campaign }: Candidate): Nanos {
  const bid = (bidBaseNanos * BigInt(leastPercent(adjustments))) / 100n;
  const cost = eventCostOf(campaign.pricingModel, bid);
  return cost > 0n ? cost : 1n;
}

/** Rounded down to whole percents: no viewer bids less. */
function leastPercent(adjustments: BidAdjustments | null): number {
  if (adjustments === null) return 100;
  const parts = [adjustments.device, adjustments.geo, adjustments.os].map((entries) =>
    Math.floor(Math.min(0, ...Object.values(entries ?? {}))),
  );
  return Math.max(
    0,
    parts.reduce((sum, percent) => sum + percent, 100),
  );
}
