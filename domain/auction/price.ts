import type { Nanos } from '../money.ts';
import type { PricingModel } from '../tracking/facts.ts';
import { bidForEcpm, ecpmOf } from './rates.ts';
import type { AuctionZone, Candidate, Contender } from './types.ts';

/** A CPM price is per thousand events; below this it does not divide into nanos. */
const PER_MILLE = 1_000n;

/** What one billable event costs at a price in the campaign's unit, floored to a nano. */
export const eventCostOf = (model: PricingModel, priceNanos: Nanos): Nanos =>
  model === 'CPM' ? priceNanos / PER_MILLE : priceNanos;

/**
 * What showing it is expected to cost: a view's price, or of a price for clicks, conversions and videos the
 * share that is expected of one impression. Never less than nothing, and whole nanos.
 */
export const expectedCostOf = (
  { campaign, yieldPpm }: Pick<Candidate, 'campaign' | 'yieldPpm'>,
  eventPriceNanos: Nanos,
): Nanos =>
  campaign.pricingModel === 'CPM' ? eventPriceNanos : ecpmOf(eventPriceNanos, yieldPpm) / PER_MILLE;

/**
 * Second price: one nano per event above what the floor or the runner-up asks, and never above the
 * winner's own effective bid; with `firstPrice` the effective bid itself. Answers the price of one
 * billable event. The contender has passed the floor, so the price is at or above it.
 */
export function eventPriceOf(
  winner: Contender,
  runnerUp: Contender | undefined,
  rules: { zone: AuctionZone; firstPrice: boolean },
): Nanos {
  const model = winner.candidate.campaign.pricingModel;
  const ownNanos = eventCostOf(model, winner.effectiveNanos);
  if (rules.firstPrice) return ownNanos;
  const { yieldPpm } = winner.candidate;
  const beatsNanos = runnerUp === undefined ? 0n : bidForEcpm(runnerUp.ecpmNanos, yieldPpm);
  const floorNanos = floorInBidUnit(winner, rules.zone);
  const askedNanos = beatsNanos > floorNanos ? beatsNanos : floorNanos;
  // Rounded up to whole events first, so that the price still beats what it was measured against.
  const asked = model === 'CPM' ? (askedNanos + PER_MILLE - 1n) / PER_MILLE : askedNanos;
  return asked + 1n < ownNanos ? asked + 1n : ownNanos;
}

function floorInBidUnit({ candidate }: Contender, zone: AuctionZone): Nanos {
  switch (candidate.campaign.pricingModel) {
    case 'CPC':
      return zone.floorCpcNanos;
    case 'CPM':
      return zone.floorCpmNanos;
    case 'CPA':
    case 'CPS':
    case 'CPV':
      return bidForEcpm(zone.floorCpmNanos, candidate.yieldPpm);
  }
}
