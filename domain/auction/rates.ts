import type { Nanos } from '../money.ts';
import type { PricingModel } from '../tracking/facts.ts';

/**
 * How bids of different units are ranked in one currency, eCPM (interface 4.13). A rate is smoothed:
 * `(successes + prior x strength) / (trials + strength)`, so a new ad starts at the prior and moves
 * with evidence. All rates are parts per million.
 */
export const PRIOR_CTR_PPM = 2_000;
export const PRIOR_CVR_PPM = 20_000;
export const PRIOR_VTR_PPM = 300_000;
/** Trials that weigh as much as the prior. */
export const PRIOR_STRENGTH = { ctr: 5_000, cvr: 200, vtr: 1_000 } as const;

export interface AdCounts {
  impressions: number;
  clicks: number;
  conversions: number;
  views: number;
}

export const NO_COUNTS: AdCounts = { impressions: 0, clicks: 0, conversions: 0, views: 0 };

const PPM = 1_000_000;

export function smoothedRatePpm(
  successes: number,
  trials: number,
  prior: { ratePpm: number; strength: number },
): number {
  const rate = (successes * PPM + prior.ratePpm * prior.strength) / (trials + prior.strength);
  return Math.min(PPM, Math.max(1, Math.round(rate)));
}

/** Expected billable units per thousand impressions, in millionths; never 0. */
export function yieldPpmOf(model: PricingModel, counts: AdCounts): Nanos {
  const ctr = smoothedRatePpm(counts.clicks, counts.impressions, {
    ratePpm: PRIOR_CTR_PPM,
    strength: PRIOR_STRENGTH.ctr,
  });
  switch (model) {
    case 'CPM':
      return 1_000_000n;
    case 'CPC':
      return BigInt(ctr) * 1_000n;
    case 'CPV': {
      const vtr = smoothedRatePpm(counts.views, counts.impressions, {
        ratePpm: PRIOR_VTR_PPM,
        strength: PRIOR_STRENGTH.vtr,
      });
      return BigInt(vtr) * 1_000n;
    }
    case 'CPA':
    case 'CPS': {
      const cvr = smoothedRatePpm(counts.conversions, counts.clicks, {
        ratePpm: PRIOR_CVR_PPM,
        strength: PRIOR_STRENGTH.cvr,
      });
      const units = (BigInt(ctr) * BigInt(cvr)) / 1_000n;
      return units > 0n ? units : 1n;
    }
  }
}

export const ecpmOf = (bidNanos: Nanos, yieldPpm: Nanos): Nanos =>
  (bidNanos * yieldPpm) / 1_000_000n;

/** The smallest bid whose eCPM is at least `ecpmNanos`. */
export const bidForEcpm = (ecpmNanos: Nanos, yieldPpm: Nanos): Nanos =>
  (ecpmNanos * 1_000_000n + yieldPpm - 1n) / yieldPpm;
