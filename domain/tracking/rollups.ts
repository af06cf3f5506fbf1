import type { Nanos } from '../money.ts';
import { dayOf, type JudgedEvent } from './batch.ts';
import type { EventFacts } from './facts.ts';
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
export function slotOf(atMs: number): string {
  const slot = slotNumberOf(atMs);
  if (slot !== lastSlot.slot) lastSlot = { slot, text: new Date(slot * SLOT_MS).toISOString() };
  return lastSlot.text;
}
/** Events come by time: most are of the slot of the one before. */
let lastSlot = { slot: Number.NaN, text: '' };

/** The same as a number, for those who count often. */
export const slotNumberOf = (atMs: number): number => Math.floor(atMs / SLOT_MS);

/**
 * What a batch adds to the rollup tables, as rows of them (db/tables/rollup-*.ts) with money as
 * decimal text.
 */
export function rollUp(judged: readonly JudgedEvent[]) {
  const adHours = new Sums<AdHour>();
  const adTraits = new Sums<AdTrait>();
  const zoneHours = new Sums<ZoneHour>();
  const zoneTraits = new Sums<ZoneTrait>();
  for (const row of judged) {
    const { event, track, ad, zone } = row;
    const count = countOf(row);
    if (count === null || track === null || ad === null || zone === null) continue;
    if (event.facts === null) continue;
    const day = dayOf(event.receivedAtMs);
    const hour = slotOf(event.receivedAtMs);
    const { country, device, os, browser } = event.facts;
    const traits = { country: country ?? UNKNOWN_COUNTRY, device, os, browser };
    const { advertiserId, campaignId, adGroupId } = ad;
    const { adId, creativeId, zoneId } = track;
    const { publisherId, siteId } = zone;
    const seen = `${traits.country}|${device}|${os}|${browser}`;
    const onAd = { count, nanos: row.priceNanos };
    const onZone = { count, nanos: row.publisherNanos };
    // The text names the row: ids are each of one owner, and made into a row once.
    adHours.add(`${hour}|${adGroupId}|${adId}|${creativeId}`, onAd, () => ({
      hour,
      advertiserId,
      campaignId,
      adGroupId,
      adId,
      creativeId,
    }));
    adTraits.add(`${day}|${campaignId}|${seen}`, onAd, () => ({
      day,
      advertiserId,
      campaignId,
      ...traits,
    }));
    zoneHours.add(`${hour}|${zoneId}`, onZone, () => ({ hour, publisherId, siteId, zoneId }));
    zoneTraits.add(`${day}|${zoneId}|${seen}`, onZone, () => ({
      day,
      publisherId,
      siteId,
      zoneId,
      ...traits,
    }));
  }
  return {
    adHours: adHours.rows('spendNanos'),
    adTraits: adTraits.rows('spendNanos'),
    zoneHours: zoneHours.rows('revenueNanos'),
    zoneTraits: zoneTraits.rows('revenueNanos'),
  };
}

type Traits = { country: string } & Pick<EventFacts, 'device' | 'os' | 'browser'>;
type Place = { publisherId: number; siteId: number; zoneId: number };
type AdHour = { hour: string } & Record<
  'advertiserId' | 'campaignId' | 'adGroupId' | 'adId' | 'creativeId',
  number
>;
type AdTrait = { day: string; advertiserId: number; campaignId: number } & Traits;
type ZoneHour = { hour: string } & Place;
type ZoneTrait = { day: string } & Place & Traits;

const NONE: Counts = {
  impressions: 0,
  viewable: 0,
  clicks: 0,
  conversions: 0,
  views: 0,
  removed: 0,
};

/** Rows under a text that names them. */
class Sums<Key extends object> {
  readonly #sums = new Map<string, { key: Key; counts: Counts; nanos: Nanos }>();

  add(text: string, one: { count: keyof Counts; nanos: Nanos }, keyOf: () => Key): void {
    let sum = this.#sums.get(text);
    if (sum === undefined) {
      sum = { key: keyOf(), counts: { ...NONE }, nanos: 0n };
      this.#sums.set(text, sum);
    }
    sum.counts[one.count] += 1;
    sum.nanos += one.nanos;
  }

  rows<Money extends string>(money: Money): (Key & Counts & Record<Money, string>)[] {
    // Assigned: so many fields spread into one another cost V8 ten times as much.
    return [...this.#sums.values()].map(({ key, counts, nanos }) =>
      Object.assign({}, key, counts, { [money]: nanos.toString() } as Record<Money, string>),
    );
  }
}

/** Null when the event is not one that reports count. */
function countOf({ event: { kind }, verdict }: JudgedEvent): keyof Counts | null {
  if (verdict.status === 'viewable') return 'viewable';
  if (kind === 'video_view') return verdict.billable ? 'views' : null;
  if (!isCounted(kind)) return null;
  if (!verdict.billable) return 'removed';
  if (kind === 'impression') return 'impressions';
  return kind === 'click_verify' ? 'clicks' : 'conversions';
}
