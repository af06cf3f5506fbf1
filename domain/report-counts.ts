import type { Nanos } from './money.ts';

/**
 * What becomes of conversions that wait for their advertiser, by the moment of their report (interface 4.5). The
 * money of what is approved is in the report's own as well, at the moment of its decision.
 */
export const HELD_COUNTS = ['pending', 'approved', 'rejected'] as const;
export type HeldCount = (typeof HELD_COUNTS)[number];

export interface Held {
  conversions: number;
  moneyNanos: Nanos;
}

/** Counted things; null where the rollup does not count them at this breakdown. */
export interface ReportCounts {
  requests: number | null;
  impressions: number;
  viewable: number;
  /** Counted views of videos. */
  views: number;
  clicks: number;
  conversions: number;
  removed: number;
  moneyNanos: Nanos;
  held: Readonly<Record<HeldCount, Held>>;
}

const eachHeld = (of: (name: HeldCount) => Held): ReportCounts['held'] => ({
  pending: of('pending'),
  approved: of('approved'),
  rejected: of('rejected'),
});

export function sumCounts(
  rows: readonly ReportCounts[],
  counted: { requests: boolean },
): ReportCounts {
  const sum = (of: (row: ReportCounts) => number): number =>
    rows.reduce((total, row) => total + of(row), 0);
  const money = (of: (row: ReportCounts) => Nanos): Nanos =>
    rows.reduce((total, row) => total + of(row), 0n);
  return {
    requests: counted.requests ? sum((row) => row.requests ?? 0) : null,
    impressions: sum((row) => row.impressions),
    viewable: sum((row) => row.viewable),
    views: sum((row) => row.views),
    clicks: sum((row) => row.clicks),
    conversions: sum((row) => row.conversions),
    removed: sum((row) => row.removed),
    moneyNanos: money((row) => row.moneyNanos),
    held: eachHeld((name) => ({
      conversions: sum((row) => row.held[name].conversions),
      moneyNanos: money((row) => row.held[name].moneyNanos),
    })),
  };
}

/** Nothing of these days can change: all of it was settled, and no conversion of theirs waits. */
export const isFinal = (
  state: { settledAt: Date | null; endsAt: Date },
  { held }: Pick<ReportCounts, 'held'>,
): boolean =>
  state.settledAt !== null && state.settledAt >= state.endsAt && held.pending.conversions === 0;

export interface ReportRates {
  /** Clicks per impression, conversions per click: 0 to 1, six decimals. */
  ctr: number;
  cvr: number;
  /** Money per thousand impressions. */
  ecpmNanos: Nanos;
}

/** 0 to 1, six decimals; 0 of nothing. */
export const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e6;

export function ratesOf(counts: ReportCounts): ReportRates {
  const { impressions, clicks, conversions, moneyNanos } = counts;
  return {
    ctr: ratio(clicks, impressions),
    cvr: ratio(conversions, clicks),
    ecpmNanos: impressions === 0 ? 0n : (moneyNanos * 1_000n) / BigInt(impressions),
  };
}
