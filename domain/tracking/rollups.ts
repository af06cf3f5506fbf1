import type { Nanos } from '../money.ts';
import type { AdReference, InboxEvent, JudgedEvent, ZoneReference } from './batch.ts';
import { dayOf } from './utc-day.ts';
import type { EventFacts, TrackFacts } from './facts.ts';
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

/** What a batch adds to the rollup tables, as rows of them (db/tables/rollup-*.ts). */
export function rollUp(judged: readonly JudgedEvent[]) {
  const numbers = new EventNumbers(judged.length);
  return { ...ofAds(judged, numbers), ...ofZones(judged, numbers) };
}

/** Rows are written out here, not spread into one another: that made all of this four times as dear. */
function ofAds(judged: readonly JudgedEvent[], numbers: EventNumbers) {
  const hours = new Sums<AdHour>();
  const traits = new Sums<AdTrait>();
  const [campaigns, ads, creatives] = [new Numbers(), new Numbers(), new Numbers()];
  for (const of of judged) {
    const count = countOf(of);
    if (count === null || !isKnown(of)) continue;
    const { event, track, ad, priceNanos } = of;
    const { adId, creativeId } = track;
    const { advertiserId, campaignId, adGroupId } = ad;
    const shown = numbers.pair(
      numbers.pair(numbers.hourOf(event), ads.of(adId)),
      creatives.of(creativeId),
    );
    const hour =
      hours.of(shown) ??
      hours.begin(shown, {
        hour: slotOf(event.receivedAtMs),
        advertiserId,
        campaignId,
        adGroupId,
        adId,
        creativeId,
        impressions: 0,
        viewable: 0,
        clicks: 0,
        conversions: 0,
        views: 0,
        removed: 0,
        spendNanos: 0n,
      });
    const seen = numbers.pair(numbers.traitsOf(event), campaigns.of(campaignId));
    const { device, os, browser } = event.facts;
    const trait =
      traits.of(seen) ??
      traits.begin(seen, {
        day: dayOf(event.receivedAtMs),
        advertiserId,
        campaignId,
        country: countryOf(event),
        device,
        os,
        browser,
        impressions: 0,
        viewable: 0,
        clicks: 0,
        conversions: 0,
        views: 0,
        removed: 0,
        spendNanos: 0n,
      });
    hour[count] += 1;
    trait[count] += 1;
    if (priceNanos === 0n) continue;
    hour.spendNanos += priceNanos;
    trait.spendNanos += priceNanos;
  }
  return { adHours: hours.rows, adTraits: traits.rows };
}

function ofZones(judged: readonly JudgedEvent[], numbers: EventNumbers) {
  const hours = new Sums<ZoneHour>();
  const traits = new Sums<ZoneTrait>();
  const zones = new Numbers();
  for (const of of judged) {
    const count = countOf(of);
    if (count === null || !isKnown(of)) continue;
    const { event, track, zone, publisherNanos } = of;
    const { publisherId, siteId } = zone;
    const { zoneId } = track;
    const shown = numbers.pair(numbers.hourOf(event), zones.of(zoneId));
    const hour =
      hours.of(shown) ??
      hours.begin(shown, {
        hour: slotOf(event.receivedAtMs),
        publisherId,
        siteId,
        zoneId,
        impressions: 0,
        viewable: 0,
        clicks: 0,
        conversions: 0,
        views: 0,
        removed: 0,
        revenueNanos: 0n,
      });
    const seen = numbers.pair(numbers.traitsOf(event), zones.of(zoneId));
    const { device, os, browser } = event.facts;
    const trait =
      traits.of(seen) ??
      traits.begin(seen, {
        day: dayOf(event.receivedAtMs),
        publisherId,
        siteId,
        zoneId,
        country: countryOf(event),
        device,
        os,
        browser,
        impressions: 0,
        viewable: 0,
        clicks: 0,
        conversions: 0,
        views: 0,
        removed: 0,
        revenueNanos: 0n,
      });
    hour[count] += 1;
    trait[count] += 1;
    if (publisherNanos === 0n) continue;
    hour.revenueNanos += publisherNanos;
    trait.revenueNanos += publisherNanos;
  }
  return { zoneHours: hours.rows, zoneTraits: traits.rows };
}

type Known = JudgedEvent & {
  event: KnownEvent;
  track: TrackFacts;
  ad: AdReference;
  zone: ZoneReference;
};
type KnownEvent = InboxEvent & { facts: EventFacts };

const isKnown = (judged: JudgedEvent): judged is Known =>
  judged.event.facts !== null &&
  judged.track !== null &&
  judged.ad !== null &&
  judged.zone !== null;

const countryOf = ({ facts }: KnownEvent): string => facts.country ?? UNKNOWN_COUNTRY;

export type Rollups = ReturnType<typeof rollUp>;

type Spend = Counts & { spendNanos: Nanos };
type Revenue = Counts & { revenueNanos: Nanos };
type Campaign = Record<'advertiserId' | 'campaignId', number>;
type Place = Record<'publisherId' | 'siteId' | 'zoneId', number>;
type Traits = { country: string } & Pick<EventFacts, 'device' | 'os' | 'browser'>;
type AdHour = { hour: string } & Campaign &
  Record<'adGroupId' | 'adId' | 'creativeId', number> &
  Spend;
type AdTrait = { day: string } & Campaign & Traits & Spend;
type ZoneHour = { hour: string } & Place & Revenue;
type ZoneTrait = { day: string } & Place & Traits & Revenue;

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

/** When events were and what their viewers had, as such numbers. */
class EventNumbers {
  /** There are fewer numbers of anything than this, so that three of them make one that is no other's. */
  readonly #wide: number;
  readonly #hours = new Numbers();
  readonly #days = new Numbers();
  readonly #viewers = new Numbers();

  constructor(events: number) {
    this.#wide = events + 1;
  }

  pair(first: number, second: number): number {
    return first * this.#wide + second;
  }

  hourOf({ receivedAtMs }: InboxEvent): number {
    return this.#hours.of(slotNumberOf(receivedAtMs));
  }

  /** Of its day, too. */
  traitsOf(event: KnownEvent): number {
    const { device, os, browser } = event.facts;
    const viewer = this.#viewers.of(`${countryOf(event)}|${device}|${os}|${browser}`);
    return this.pair(this.#days.of(dayOf(event.receivedAtMs)), viewer);
  }
}

/** Rows under a number of their own. */
class Sums<Row> {
  readonly rows: Row[] = [];
  readonly #rows = new Map<number, Row>();

  of(number: number): Row | undefined {
    return this.#rows.get(number);
  }

  begin(number: number, row: Row): Row {
    this.rows.push(row);
    this.#rows.set(number, row);
    return row;
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
