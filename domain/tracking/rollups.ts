import type { JudgedEvent } from './batch.ts';
import { dayOf } from './batch.ts';
import { isCounted } from './verdict.ts';

/** What one event adds to the reports of both sides. */
export interface Counts {
  impressions: number;
  viewable: number;
  clicks: number;
  conversions: number;
  /** Counted views of videos. */
  views: number;
  /** Refused impressions, verified clicks and conversions. */
  removed: number;
}

export interface RollupRow extends Counts {
  /** Values of the key columns, in the order of the table's definition below. */
  key: (string | number)[];
  nanos: bigint;
}

/** Key columns of each rollup table, and which money it shows. */
export const ROLLUPS = {
  rollup_ad_hours: {
    keys: ['hour', 'advertiser_id', 'campaign_id', 'adgroup_id', 'ad_id', 'creative_id'],
    money: 'spend_nanos',
  },
  rollup_ad_traits: {
    keys: ['day', 'advertiser_id', 'campaign_id', 'country', 'device', 'os', 'browser'],
    money: 'spend_nanos',
  },
  rollup_zone_hours: {
    keys: ['hour', 'publisher_id', 'site_id', 'zone_id'],
    money: 'revenue_nanos',
  },
  rollup_zone_traits: {
    keys: ['day', 'publisher_id', 'site_id', 'zone_id', 'country', 'device', 'os', 'browser'],
    money: 'revenue_nanos',
  },
} as const;
export type RollupTable = keyof typeof ROLLUPS;
export const ROLLUP_TABLES = Object.keys(ROLLUPS) as RollupTable[];

/** CLDR's code for a place that is not known. */
export const UNKNOWN_COUNTRY = 'ZZ';
/**
 * Rollups of hours are kept by the quarter: every time zone is off UTC by whole quarters of an hour,
 * so its days and hours are sums of whole rows.
 */
const SLOT_MS = 900_000;

/** The start of the slot that a moment is in, as the `hour` columns hold it. */
export const slotOf = (atMs: number): string =>
  new Date(Math.floor(atMs / SLOT_MS) * SLOT_MS).toISOString();

/** Sums a batch per rollup row; rows come sorted by key, so that writers lock in one order. */
export function rollUp(judged: readonly JudgedEvent[]): Record<RollupTable, RollupRow[]> {
  const sums = Object.fromEntries(
    ROLLUP_TABLES.map((table) => [table, new Map<string, RollupRow>()]),
  ) as Record<RollupTable, Map<string, RollupRow>>;
  for (const row of judged) {
    const counts = countsOf(row);
    if (counts === null) continue;
    const keys = keysOf(row);
    if (keys === null) continue;
    add(sums.rollup_ad_hours, keys.rollup_ad_hours, counts, row.priceNanos);
    add(sums.rollup_ad_traits, keys.rollup_ad_traits, counts, row.priceNanos);
    add(sums.rollup_zone_hours, keys.rollup_zone_hours, counts, row.publisherNanos);
    add(sums.rollup_zone_traits, keys.rollup_zone_traits, counts, row.publisherNanos);
  }
  return Object.fromEntries(
    ROLLUP_TABLES.map((table) => [
      table,
      [...sums[table]].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum),
    ]),
  ) as Record<RollupTable, RollupRow[]>;
}

/** Null when the event is not one that reports count. */
function countsOf({ event: { kind }, verdict }: JudgedEvent): Counts | null {
  const none = { impressions: 0, viewable: 0, clicks: 0, conversions: 0, views: 0, removed: 0 };
  if (verdict.status === 'viewable') return { ...none, viewable: 1 };
  if (kind === 'video_view') return verdict.billable ? { ...none, views: 1 } : null;
  if (!isCounted(kind)) return null;
  if (!verdict.billable) return { ...none, removed: 1 };
  if (kind === 'impression') return { ...none, impressions: 1 };
  return kind === 'click_verify' ? { ...none, clicks: 1 } : { ...none, conversions: 1 };
}

function keysOf(row: JudgedEvent): Record<RollupTable, (string | number)[]> | null {
  const { event, track, ad, zone } = row;
  if (track === null || ad === null || zone === null || event.facts === null) return null;
  const day = dayOf(event.receivedAtMs);
  const slot = slotOf(event.receivedAtMs);
  const { country, device, os, browser } = event.facts;
  const traits = [country ?? UNKNOWN_COUNTRY, device, os, browser];
  const placed = [zone.publisherId, zone.siteId, track.zoneId];
  return {
    rollup_ad_hours: [
      slot,
      ad.advertiserId,
      ad.campaignId,
      ad.adGroupId,
      track.adId,
      track.creativeId,
    ],
    rollup_ad_traits: [day, ad.advertiserId, ad.campaignId, ...traits],
    rollup_zone_hours: [slot, ...placed],
    rollup_zone_traits: [day, ...placed, ...traits],
  };
}

function add(
  sums: Map<string, RollupRow>,
  key: (string | number)[],
  counts: Counts,
  nanos: bigint,
): void {
  const text = key.join('|');
  const sum = sums.get(text);
  if (sum === undefined) {
    sums.set(text, { key, ...counts, nanos });
    return;
  }
  sum.impressions += counts.impressions;
  sum.viewable += counts.viewable;
  sum.clicks += counts.clicks;
  sum.conversions += counts.conversions;
  sum.views += counts.views;
  sum.removed += counts.removed;
  sum.nanos += nanos;
}
