import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { Exchange, Report, TrackDeps } from './deps.ts';
import { beaconProtocol, factsOf, openTrack } from './facts.ts';
import { sendPixel } from '../http/pixel.ts';

/** Opens the seal and collects the facts; the answer is the GIF. */
export function reportImpression(deps: TrackDeps, exchange: Exchange): Report {
  const now = deps.clock();
  const viewer = deps.readViewer(exchange.req);
  const ttlSeconds = TRACK_TTL_SECONDS.impression;
  const track = openTrack(deps, exchange, { ttlSeconds, now });
  const protocol = beaconProtocol(deps, { name: 'impression', exchange, track, viewer, now });
  const event: LoggedEvent = {
    id: newEventId(now),
    kind: 'impression',
    shard: track.shard,
    receivedAt: now,
    facts: factsOf(track, viewer, protocol),
  };
  return { event, send: () => sendPixel(exchange.res) };
}
