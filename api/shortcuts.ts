import type { RequestHandler } from 'express';
import type { AdHandler } from './ad/surface.ts';
import type { TrackAnswer } from './track/surface.ts';

/**
 * The paths that carry nearly all requests, told by their first characters. Each level of routers costs
 * some 2 us, of 40 that an ad request may take. Whatever is not taken here goes on to the routers, which
 * lead to the same handlers.
 */
export function shortcuts(surfaces: {
  ad: { request: AdHandler } | undefined;
  track: TrackAnswer | undefined;
}): RequestHandler {
  const { ad, track } = surfaces;
  return (req, res, next) => {
    const { url } = req;
    if (ad !== undefined && url.startsWith('/ad/request?') && req.method === 'GET') {
      return ad.request(req, res, {});
    }
    if (track !== undefined && url.startsWith('/track/') && track(req, res, url.slice(6))) {
      return undefined;
    }
    next();
    return undefined;
  };
}
