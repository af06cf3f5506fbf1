import type { VastAd, VastVersion } from '../../domain/creative/vast.ts';
import { vast2 } from '../../domain/creative/vast-2.ts';
import { vast4 } from '../../domain/creative/vast-4.ts';
import type { ItemFrame, ItemIds } from './item.ts';
import type { ServableAd } from './servable-ads.ts';

/** An ad as a player is told of it, with the ids of this answer. */
export function vastAdOf(ad: ServableAd, frame: ItemFrame, ids: ItemIds): VastAd {
  const { adId, content, creative } = ad;
  // The inventory's index holds no video ad without its source, and this channel asks for no other.
  if (content.video === null) throw new Error(`ad ${adId} won as a video and has none`);
  return {
    adId,
    creativeId: creative.id,
    requestId: ids.requestId,
    title: content.title ?? '',
    adName: ids.adName,
    description: content.description ?? '',
    advertiser: content.brandName ?? '',
    source: content.video,
    companion: content.companion,
    skipAfterSeconds: frame.skipAfterSeconds ?? null,
    trackUrl: frame.trackUrl,
    trackId: ids.trackId,
  };
}

export const vastDocument = (
  version: VastVersion,
  ads: readonly VastAd[],
  trackUrl: string,
): string => (version === '2.0' ? vast2(ads) : vast4(ads, trackUrl));
