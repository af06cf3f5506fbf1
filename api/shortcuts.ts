import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AdDeps, adHandlers, type AdHandler } from './ad/surface.ts';
import { trackAnswer, type TrackAnswer, type TrackDeps } from './track/surface.ts';

/** What answers on the hot surfaces; undefined for a surface that this process does not serve. */
export interface HotHandlers {
  ad: Record<'request' | 'render' | 'document' | 'vast', AdHandler> | undefined;
  track: TrackAnswer | undefined;
}

export const hotHandlers = ({ ad, track }: HotDeps): HotHandlers => ({
  ad: ad && adHandlers(ad),
  track: track && trackAnswer(track),
});

interface HotDeps {
  ad: AdDeps | undefined;
  track: TrackDeps | undefined;
}

/** False when the request was left alone. */
export type Shortcut = (req: IncomingMessage, res: ServerResponse) => boolean;

/**
 * The paths that carry nearly all requests, told by their first characters before Express sees them:
 * its routers cost 5 to 10 us, of 40 that an ad request may take. Whatever is not taken here goes on to
 * the routers, which lead to the same handlers.
 */
export function shortcuts({
  ad,
  track,
}: Pick<HotHandlers, 'track'> & { ad: AdRequests }): Shortcut {
  return (req, res) => {
    const { url = '' } = req;
    if (track !== undefined && url.startsWith('/track/')) return track(req, res, url.slice(6));
    if (ad === undefined || req.method !== 'GET' || !url.startsWith('/ad/request?')) return false;
    // It answers for its own faults, so nothing is left to wait for.
    void ad.request(req, res, {});
    return true;
  };
}
type AdRequests = { request: AdHandler } | undefined;
