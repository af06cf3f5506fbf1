import { decide, floorEcpmOf, type Observer, shortlist } from '../../domain/auction/auction.ts';
import { zoneRefusal } from '../../domain/auction/eligibility.ts';
import { displaysOf } from '../../domain/auction/formats.ts';
import {
  CAPPED_LOTS,
  FIRST_LOT,
  hasCaps,
  type Lot,
  nextLot,
} from '../../domain/auction/frequency.ts';
import { openScan } from '../../domain/auction/scan.ts';
import { gateOf } from '../../domain/auction/trait-bits.ts';
import type { AuctionTerms, Contender, PageWords, Win } from '../../domain/auction/types.ts';
import type { Nanos } from '../../domain/money.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import type { Viewer } from '../../domain/viewer.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import type { Frequency } from './frequency.ts';
import { listsFor } from './inventory-index.ts';
import type { Snapshot } from './snapshot.ts';
import { type Soon, whenThere } from './soon.ts';

export interface Selection {
  snapshot: Snapshot;
  zone: ServableZone;
  channel: TrackPayload['channel'];
  viewer: Viewer;
  page?: PageWords | null;
  limit: number;
  /** Contextual only: counters are neither read nor written, so capped ads stay out. */
  isRestricted: boolean;
  /** Creatives that the page has just shown. */
  excluded?: ReadonlySet<number>;
  now: Date;
  roll: number;
  /** As in ScanTerms. */
  stretch?: number;
}

/** Most zones are asked for by key: a look at one character says that it is none of digits. */
const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** interface 4.13: digits are an id; anything else is the zone_key, or the digits after `zone_`. */
export function findZone(snapshot: Snapshot, ref: string): ServableZone | undefined {
  if (isDigit(ref.charCodeAt(0)) && /^\d{1,15}$/.test(ref)) {
    return snapshot.zones.ofId(Number(ref));
  }
  const byKey = snapshot.zones.ofKey(ref);
  if (byKey !== undefined) return byKey;
  const digits = /^zone_(\d{1,15})$/.exec(ref)?.[1];
  return digits === undefined ? undefined : snapshot.zones.ofId(Number(digits));
}

/** Whose impressions a cap counts: address and agent, both as keyed hashes. */
export const frequencyViewer = (viewer: Viewer): string => `${viewer.viewerKey}${viewer.uaHash}`;

/** Spent ads that one auction takes out of the next ones' way. */
const SIDELINED_AT_ONCE = 64;

/** Those who lead one request, from memory. */
export function contendersFor(
  { snapshot, zone, channel, viewer }: Selection,
  terms: AuctionTerms,
  { lot, lotFull }: Pick<Observer<ServableAd>, 'lotFull'> & { lot?: Lot } = {},
): Contender<ServableAd>[] {
  const { sidelined, holds, index } = snapshot;
  holds.expire(terms.now);
  sidelined.advance(terms.now);
  const scan = openScan(listsFor(index, { zone, channel, country: viewer.country }), {
    roll: terms.roll,
    stretch: terms.stretch,
    gate: gateOf(viewer, terms.now, terms.page),
    floorOf: (list) => floorEcpmOf(zone, list),
  });
  const spent: ServableAd[] = [];
  const observer: Observer<ServableAd> = {
    spent: (ad) => {
      if (spent.length < SIDELINED_AT_ONCE) spent.push(ad);
    },
    cutShort: () => sidelined.countCut('LOOKS_LIMIT'),
    lotFull,
  };
  const contenders = shortlist(scan, terms, observer, lot);
  for (const ad of spent) sidelined.put(ad, terms.now);
  return contenders;
}

/** The winners for one request: memory only, and mostly one Redis round trip when a leader has a cap. */
export function selectAds(selection: Selection, frequency: Frequency): Soon<Win<ServableAd>[]> {
  const { snapshot, zone, channel, viewer, roll, stretch } = selection;
  if (zoneRefusal(zone, viewer.device) !== undefined) return [];
  // A zone of pictures and pages has nothing that a player could play.
  if (channel === 'vast' && !displaysOf(zone.type).includes('VIDEO')) return [];
  const terms: AuctionTerms = {
    zone,
    viewer,
    page: selection.page ?? null,
    now: selection.now,
    roll,
    ...(stretch === undefined ? {} : { stretch }),
    limit: selection.limit,
    ...(selection.excluded === undefined ? {} : { excluded: selection.excluded }),
    firstPrice: snapshot.settings['ad.first_price'],
  };
  return selectFrom({ selection, terms, frequency }, FIRST_LOT);
}

interface Asking {
  selection: Selection;
  terms: AuctionTerms;
  frequency: Frequency;
}

function selectFrom(asking: Asking, lot: Lot): Soon<Win<ServableAd>[]> {
  const { selection, terms, frequency } = asking;
  let fullAtNanos: Nanos | undefined;
  const lotFull = (nanos: Nanos): void => void (fullAtNanos ??= nanos);
  const list = contendersFor(selection, terms, { lot, lotFull });
  if (!hasCaps(list) || selection.isRestricted) return decide(list, terms, { counts: undefined });
  const reading = frequency.read(frequencyViewer(selection.viewer), list);
  return whenThere(reading, (counts) => {
    const wins = decide(list, terms, { counts });
    const next = nextLot(lot, { list, wins, counts, fullAtNanos, limit: terms.limit });
    if (next === undefined) return wins;
    if (next.round < CAPPED_LOTS.length) return selectFrom(asking, next);
    selection.snapshot.sidelined.countCut('CAPPED_LIMIT');
    return wins;
  });
}
