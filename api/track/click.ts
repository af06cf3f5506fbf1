import { type LoggedEvent, newEventId } from '../../db/events/event-log.ts';
import { NOTHING_SAID } from '../../domain/page-context.ts';
import { readClickPage } from '../../domain/tracking/obfuscation.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import type { Exchange, Report, TrackDeps } from './deps.ts';
import { factsOf, openTrack, V1_FACTS } from './facts.ts';
import { sendInterstitial } from './interstitial.ts';

/**
 * interface 3: the click is stored before the page is answered, so it survives a browser without
 * script; until it is verified it waits, and settlement gives it the row that says so. The page looks the
 * same for every track_id: a forged one gets a key too, which names a click that nothing can verify. `_p` adds nothing that is judged: it names the page where the
 * ad request did not.
 */
export function reportClick(deps: TrackDeps, exchange: Exchange): Report {
  const now = deps.clock();
  const { trackId } = exchange;
  const viewer = deps.readViewer(exchange.req);
  const track = openTrack(deps, exchange, { ttlSeconds: TRACK_TTL_SECONDS.click, now });
  const id = newEventId(now);
  const event: LoggedEvent = {
    id,
    kind: 'click',
    shard: track.shard,
    receivedAt: now,
    facts: factsOf(track, viewer, V1_FACTS),
  };
  const { payload } = track;
  if (track.seal === 'ok' && payload !== null && payload.pageId === undefined) {
    const pageId = pageOf(deps, exchange, { zoneId: payload.zoneId, now });
    if (pageId !== undefined) event.facts.pageId = pageId;
  }
  return {
    event,
    send: () => {
      const clickKey = deps.sessionKeys.mintClick({ trackId, clickEventId: id, viewer, now });
      sendInterstitial(exchange.res, clickKey);
    },
  };
}

function pageOf(
  { readPage, pages }: TrackDeps,
  exchange: Exchange,
  { zoneId, now }: { zoneId: number; now: Date },
): number | undefined {
  const said = readClickPage(exchange.trackId, exchange.query.get('_p'));
  const page = said === null ? null : readPage({ ...NOTHING_SAID, ...said });
  if (page === null) return undefined;
  pages.note(page, `zone ${zoneId}`, now);
  return page.id;
}
