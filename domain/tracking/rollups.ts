import type { Nanos } from '../money.ts';
import { dayOf, type JudgedEvent } from './batch.ts';
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

/** CLDR's code for a place that is not known. */
export const UNKNOWN_COUNTRY = 'ZZ';
/**
 * Rollups of hours are kept by the quarter: every time zone is off UTC by whole quarters of an hour,
 * so its days and hours are sums of whole rows.
 */
const SLOT_MS = 900_000;

/** The start of the slot that a moment is in, as the `hour` columns hold it. */
export const slotOf = (atMs: number): string =>
  new Date(slotNumberOf(atMs) * SLOT_MS).toISOString();

/** The same as a number, for those who count often. */
export const slotNumberOf = (atMs: number): number => Math.floor(atMs / SLOT_MS);

/**
 * What a batch adds to the rollup tables, as rows of them (db/tables/rollup-*.ts) with money as
 * decimal text.
 */
export function rollUp(judged: readonly JudgedEvent[]) {
  const adHours = new Map<string, Sum<AdHour>>();
  const adTraits = new Map<string, Sum<AdTrait>>();
  const zoneHours = new Map<string, Sum<ZoneHour>>();
  const zoneTraits = new Map<string, Sum<ZoneTrait>>();
  for (const row of judged) {
    const counts = countsOf(row);
    const keys = counts === null ? null : keysOf(row);
    if (counts === null || keys === null) continue;
    add(adHours, keys.adHour, counts, row.priceNanos);
    add(adTraits, keys.adTrait, counts, row.priceNanos);
    add(zoneHours, keys.zoneHour, counts, row.publisherNanos);
    add(zoneTraits, keys.zoneTrait, counts, row.publisherNanos);
  }
  return {
    adHours: rowsOf(adHours, 'spendNanos'),
    adTraits: rowsOf(adTraits, 'spendNanos'),
    zoneHours: rowsOf(zoneHours, 'revenueNanos'),
    zoneTraits: rowsOf(zoneTraits, 'revenueNanos'),
  };
}

interface Sum<Key> {
  key: Key;
  counts: Counts;
  nanos: Nanos;
}
type Keys = NonNullable<ReturnType<typeof keysOf>>;
type AdHour = Keys['adHour'];
type AdTrait = Keys['adTrait'];
type ZoneHour = Keys['zoneHour'];
type ZoneTrait = Keys['zoneTrait'];

const rowsOf = <Key extends object, Money extends string>(
  sums: ReadonlyMap<string, Sum<Key>>,
  money: Money,
): (Key & Counts & Record<Money, string>)[] =>
  [...sums.values()].map(({ key, counts, nanos }) => ({
    ...key,
    ...counts,
    ...({ [money]: nanos.toString() } as Record<Money, string>),
  }));

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

function keysOf({ event, track, ad, zone }: JudgedEvent) {
  if (track === null || ad === null || zone === null || event.facts === null) return null;
  const day = dayOf(event.receivedAtMs);
  const hour = slotOf(event.receivedAtMs);
  const { country, device, os, browser } = event.facts;
  const traits = { country: country ?? UNKNOWN_COUNTRY, device, os, browser };
  const { advertiserId, campaignId, adGroupId } = ad;
  const { adId, creativeId, zoneId } = track;
  const place = { publisherId: zone.publisherId, siteId: zone.siteId, zoneId };
  return {
    adHour: { hour, advertiserId, campaignId, adGroupId, adId, creativeId },
    adTrait: { day, advertiserId, campaignId, ...traits },
    zoneHour: { hour, ...place },
    zoneTrait: { day, ...place, ...traits },
  };
}

function add<Key extends object>(
  sums: Map<string, Sum<Key>>,
  key: Key,
  counts: Counts,
  nanos: Nanos,
): void {
  const text = Object.values(key).join('|');
  const sum = sums.get(text);
  if (sum === undefined) {
    sums.set(text, { key, counts: { ...counts }, nanos });
    return;
  }
  for (const name of Object.keys(counts) as (keyof Counts)[]) sum.counts[name] += counts[name];
  sum.nanos += nanos;
}
