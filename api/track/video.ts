import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import { NO_AD_TRACK_ID } from '../../domain/creative/vast.ts';
import type { EventFacts, EventKind } from '../../domain/tracking/facts.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import { sendPixel } from '../http/pixel.ts';
import type { Exchange, Report, TrackDeps } from './deps.ts';
import { beaconProtocol, factsOf, openTrack } from './facts.ts';

/** What players of either VAST version report; other names are answered and not kept. */
const PLAYER_EVENTS: ReadonlySet<string> = new Set([
  'creativeView',
  'loaded',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'view',
  'progress',
  'skip',
  'pause',
  'resume',
  'rewind',
  'mute',
  'unmute',
  'fullscreen',
  'exitFullscreen',
  'playerExpand',
  'playerCollapse',
  'expand',
  'collapse',
  'acceptInvitation',
  'close',
  'closeLinear',
]);

/** The end, or 30 seconds: the first of the two is the view (interface 6). */
const VIEWS: ReadonlySet<string> = new Set(['complete', 'view']);

/** VAST's "undefined error", for players that do not fill in their code. */
const UNDEFINED_ERROR = 900;

/** `/track/video/{track_id}?e=`: progress of a video (interface 4.14). Judged in settlement. */
export function reportVideo(deps: TrackDeps, exchange: Exchange): Report {
  const name = exchange.query.get('e') ?? '';
  const event = PLAYER_EVENTS.has(name)
    ? eventOf(deps, exchange, {
        name: 'video',
        // The length of another server's video is not known, so its end cannot count as a view.
        kindOf: (viewSeconds) =>
          VIEWS.has(name) && viewSeconds !== undefined ? 'video_view' : 'video',
        said: { video: name },
      })
    : null;
  return { event, send: () => sendPixel(exchange.res) };
}

/** `/track/vast-error/{track_id}?code=` (or `c`): a player could not show what it was given. */
export function reportVastError(deps: TrackDeps, exchange: Exchange): Report {
  const send = (): void => sendPixel(exchange.res);
  // An answer without an ad has no track_id: that it was empty was counted when it was given.
  if (exchange.trackId === NO_AD_TRACK_ID) return { event: null, send };
  const said = ['code', 'c'].map((name) => exchange.query.get(name) ?? '');
  const code = said.find((text) => text !== '') ?? '';
  const event = eventOf(deps, exchange, {
    name: 'vast-error',
    kindOf: () => 'vast_error',
    said: { vastError: /^[1-9]\d{2}$/.test(code) ? Number(code) : UNDEFINED_ERROR },
  });
  return { event, send };
}

function eventOf(
  deps: TrackDeps,
  exchange: Exchange,
  beacon: {
    name: string;
    kindOf: (viewSeconds: number | undefined) => EventKind;
    said: Pick<EventFacts, 'video' | 'vastError'>;
  },
): LoggedEvent {
  const now = deps.clock();
  const viewer = deps.readViewer(exchange.req);
  const { name } = beacon;
  const ttlSeconds = TRACK_TTL_SECONDS.video;
  const track = openTrack(deps, exchange, { ttlSeconds, now });
  const protocol = beaconProtocol(deps, { name, exchange, track, viewer, now });
  return {
    id: newEventId(now),
    kind: beacon.kindOf(track.payload?.viewSeconds),
    shard: track.shard,
    receivedAt: now,
    facts: Object.assign(factsOf(track, viewer, protocol), beacon.said),
  };
}
