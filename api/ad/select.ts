import { decide, floorEcpmOf, hasCaps, shortlist } from '../../domain/auction/auction.ts';
import { zoneRefusal } from '../../domain/auction/eligibility.ts';
import { displaysOf } from '../../domain/auction/formats.ts';
import { openScan } from '../../domain/auction/ranked-list.ts';
import type { AuctionTerms, Win } from '../../domain/auction/types.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import type { Viewer } from '../../domain/viewer.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import type { Frequency } from './frequency.ts';
import { listsFor } from './inventory-index.ts';
import type { Snapshot } from './snapshot.ts';

export interface Selection {
  snapshot: Snapshot;
  zone: ServableZone;
  channel: TrackPayload['channel'];
  viewer: Viewer;
  limit: number;
  /** Contextual only: counters are neither read nor written, so capped ads stay out. */
  isRestricted: boolean;
  now: Date;
  roll: number;
}

/** interface 4.13: digits are an id; anything else is the zone_key, or the digits after `zone_`. */
export function findZone(snapshot: Snapshot, ref: string): ServableZone | undefined {
  if (/^\d{1,15}$/.test(ref)) return snapshot.zonesById.get(Number(ref));
  const byKey = snapshot.zonesByKey.get(ref);
  if (byKey !== undefined) return byKey;
  const digits = /^zone_(\d{1,15})$/.exec(ref)?.[1];
  return digits === undefined ? undefined : snapshot.zonesById.get(Number(digits));
}

/** Whose impressions a cap counts: address and agent, both as keyed hashes. */
export const frequencyViewer = (viewer: Viewer): string => `${viewer.viewerKey}${viewer.uaHash}`;

/** The winners for one request: memory only, and one Redis round trip when a leader has a cap. */
export async function selectAds(
  selection: Selection,
  frequency: Frequency,
): Promise<Win<ServableAd>[]> {
  const { snapshot, zone, channel, viewer, roll } = selection;
  if (zoneRefusal(zone, viewer.device) !== undefined) return [];
  // A zone of pictures and pages has nothing that a player could play.
  if (channel === 'vast' && !displaysOf(zone.type).includes('VIDEO')) return [];
  const terms: AuctionTerms = {
    zone,
    viewer,
    now: selection.now,
    roll,
    limit: selection.limit,
    firstPrice: snapshot.settings['ad.first_price'],
  };
  const lists = listsFor(snapshot.index, { zone, channel, country: viewer.country });
  const scan = openScan(lists, roll, (list) => floorEcpmOf(zone, list));
  const contenders = shortlist(scan, terms);
  const needsCounts = hasCaps(contenders) && !selection.isRestricted;
  const counts = needsCounts
    ? await frequency.read(frequencyViewer(viewer), contenders)
    : undefined;
  return decide(contenders, terms, { counts });
}
