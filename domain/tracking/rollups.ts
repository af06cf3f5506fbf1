import type { Nanos } from '../money.ts';
import type { JudgedEvent } from './batch.ts';
import { dayOf } from './utc-day.ts';
import type { EventFacts, EventKind } from './facts.ts';
import { isCounted, type Verdict } from './verdict.ts';

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

/** What a batch adds to the rollup tables, as rows of them (db/tables/rollup-*.ts). */
export function rollUp(judged: readonly JudgedEvent[]) {
  const adHours = new Sums<AdHour, 'spendNanos'>('spendNanos');
  const adTraits = new Sums<AdTrait, 'spendNanos'>('spendNanos');
  const zoneHours = new Sums<ZoneHour, 'revenueNanos'>('revenueNanos');
  const zoneTraits = new Sums<ZoneTrait, 'revenueNanos'>('revenueNanos');
  const [hours, days, ads, creatives] = [
    new Numbers(),
    new Numbers(),
    new Numbers(),
    new Numbers(),
  ];
  const [campaigns, zones, viewers] = [new Numbers(), new Numbers(), new Numbers()];
  // There are fewer numbers of anything than this, so that three of them make one that is no other's.
  const wide = judged.length + 1;
  for (const { event, verdict, track, ad, zone, priceNanos, publisherNanos } of judged) {
    const count = countOf(event.kind, verdict);
    if (count === null || track === null || ad === null || zone === null) continue;
    if (event.facts === null) continue;
    const day = dayOf(event.receivedAtMs);
    const hour = slotOf(event.receivedAtMs);
    const { device, os, browser } = event.facts;
    const country = event.facts.country ?? UNKNOWN_COUNTRY;
    const { advertiserId, campaignId, adGroupId } = ad;
    const { adId, creativeId, zoneId } = track;
    const { publisherId, siteId } = zone;
    const atHour = hours.of(hour) * wide;
    const seenAtDay =
      (days.of(day) * wide + viewers.of(`${country}|${device}|${os}|${browser}`)) * wide;
    const ofZone = zones.of(zoneId);
    // A row is made once, and so are the objects that it is spread of.
    const seen = () => ({ country, device, os, browser, ...NONE });
    adHours.add(
      (atHour + ads.of(adId)) * wide + creatives.of(creativeId),
      count,
      priceNanos,
      () => {
        const shown = { advertiserId, campaignId, adGroupId, adId, creativeId };
        return { hour, ...shown, ...NONE, spendNanos: 0n };
      },
    );
    adTraits.add(seenAtDay + campaigns.of(campaignId), count, priceNanos, () => {
      return { day, advertiserId, campaignId, ...seen(), spendNanos: 0n };
    });
    zoneHours.add(atHour + ofZone, count, publisherNanos, () => {
      return { hour, publisherId, siteId, zoneId, ...NONE, revenueNanos: 0n };
    });
    zoneTraits.add(seenAtDay + ofZone, count, publisherNanos, () => {
      return { day, publisherId, siteId, zoneId, ...seen(), revenueNanos: 0n };
    });
  }
  return {
    adHours: adHours.rows,
    adTraits: adTraits.rows,
    zoneHours: zoneHours.rows,
    zoneTraits: zoneTraits.rows,
  };
}

export type Rollups = ReturnType<typeof rollUp>;

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

/** Values counted through as they come: a row is found by small numbers instead of a text made for each event. */
class Numbers {
  readonly #numbers = new Map<number | string, number>();

  of(value: number | string): number {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(value, number);
    }
    return number;
  }
}

/** Rows under a number of their own. */
class Sums<Key extends object, Money extends string> {
  readonly rows: (Key & Counts & Record<Money, Nanos>)[] = [];
  readonly #rows = new Map<number, Counts & Record<Money, Nanos>>();
  readonly #money: Money;

  constructor(money: Money) {
    this.#money = money;
  }

  add(
    key: number,
    count: keyof Counts,
    nanos: Nanos,
    rowOf: () => Key & Counts & Record<Money, Nanos>,
  ): void {
    let row = this.#rows.get(key);
    if (row === undefined) {
      const made = rowOf();
      this.rows.push(made);
      this.#rows.set(key, (row = made));
    }
    row[count] += 1;
    if (nanos === 0n) return;
    const money: Record<Money, Nanos> = row;
    money[this.#money] += nanos;
  }
}

/** Null when the event is not one that reports count. */
function countOf(kind: EventKind, verdict: Verdict): keyof Counts | null {
  if (verdict.status === 'viewable') return 'viewable';
  if (kind === 'video_view') return verdict.billable ? 'views' : null;
  if (!isCounted(kind)) return null;
  if (!verdict.billable) return 'removed';
  if (kind === 'impression') return 'impressions';
  return kind === 'click_verify' ? 'clicks' : 'conversions';
}
