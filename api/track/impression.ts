import { newEventId } from '../../db/events/event-log.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { Exchange, TrackDeps } from './deps.ts';
import { beaconProtocol, factsOf, openTrack } from './facts.ts';
import { sendPixel } from '../http/pixel.ts';

/**
 * Opens the seal, collects the facts, appends durably, answers the GIF. Rejects when the append does.
 * No async function: of these there are thousands a second, and each promise less is a microsecond.
 */
export function answerImpression(deps: TrackDeps, exchange: Exchange): Promise<void> {
  const now = deps.clock();
  const viewer = deps.readViewer(exchange.req);
  const ttlSeconds = TRACK_TTL_SECONDS.impression;
  const track = openTrack(deps, { trackId: exchange.trackId, ttlSeconds, now });
  const protocol = beaconProtocol(deps, { name: 'impression', exchange, track, viewer, now });
  const event = {
    id: newEventId(now),
    kind: 'impression' as const,
    shard: track.shard,
    receivedAt: now,
    facts: factsOf(track, viewer, protocol),
  };
  return deps.eventLog.append(event).then(() => sendPixel(exchange.res));
}
