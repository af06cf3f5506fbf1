import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { Exchange, Report, TrackDeps } from './deps.ts';
import { beaconProtocol, factsOf, openTrack } from './facts.ts';
import { sendPixel } from '../http/pixel.ts';

/**
 * Viewability: `s=viewable` when the ad was seen (half of it for a second), `notviewable` or
 * `undetermined` when it was not or that is not known; only the first is counted.
 */
export function reportView(deps: TrackDeps, exchange: Exchange): Report {
  const now = deps.clock();
  const viewer = deps.readViewer(exchange.req);
  const ttlSeconds = TRACK_TTL_SECONDS.view;
  const track = openTrack(deps, exchange, { ttlSeconds, now });
  const protocol = beaconProtocol(deps, { name: 'view', exchange, track, viewer, now });
  const facts = factsOf(track, viewer, protocol);
  facts.viewable = exchange.query.get('s') === 'viewable';
  const event: LoggedEvent = {
    id: newEventId(now),
    kind: 'view',
    shard: track.shard,
    receivedAt: now,
    facts,
  };
  return { event, send: () => sendPixel(exchange.res) };
}
