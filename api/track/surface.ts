import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { answerClick } from './click.ts';
import { answerClickVerify, answerPreflight } from './click-verify.ts';
import { inTurn } from '../http/turn.ts';
import type { Exchange, TrackDeps } from './deps.ts';
import { answerImpression } from './impression.ts';
import { answerVastError, answerVideo } from './video.ts';
import { answerView } from './view.ts';

export type { TrackDeps } from './deps.ts';

type Answer = (deps: TrackDeps, exchange: Exchange) => Promise<void>;

const BY_ID: ReadonlyMap<string, Answer> = new Map([
  ['impression', answerImpression],
  ['click', answerClick],
  ['view', answerView],
  ['video', answerVideo],
  ['vast-error', answerVastError],
]);

/**
 * interface 4.14, mounted at /track: impression, click, click-verify and the viewability beacon.
 * Other paths go on to the conversion routes. When an event could not be made durable the answer
 * is an empty 503, never a GIF.
 */
export function createTrackSurface(deps: TrackDeps, answer = trackAnswer(deps)): Router {
  const router = Router();
  router.use((req, res, next) => {
    if (!answer(req, res, req.url)) next();
  });
  return router;
}

/** `url` is relative to /track. False when it is not this surface's: then nothing was done. */
export type TrackAnswer = (req: IncomingMessage, res: ServerResponse, url: string) => boolean;

export function trackAnswer(deps: TrackDeps): TrackAnswer {
  return (req, res, url) => {
    const fail = (error: unknown): void => {
      deps.log.error({ err: error }, 'tracking event could not be stored');
      if (res.headersSent) res.destroy();
      else res.writeHead(503, { 'Cache-Control': 'no-store', 'Retry-After': '1' }).end();
    };
    const answer = route(deps, { req, res, url });
    if (answer === undefined) return false;
    inTurn(() => {
      try {
        answer().catch(fail);
      } catch (error) {
        fail(error);
      }
    });
    return true;
  };
}

/** Nobody writes to it. */
const NO_QUERY = new URLSearchParams();

function route(
  deps: TrackDeps,
  { req, res, url }: { req: IncomingMessage; res: ServerResponse; url: string },
): (() => Promise<void>) | undefined {
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  if (path === '/click-verify') {
    if (req.method === 'POST') return () => answerClickVerify(deps, req, res);
    if (req.method === 'OPTIONS') return () => answerPreflight(res);
    return undefined;
  }
  if (req.method !== 'GET') return undefined;
  const [, name = '', trackId = '', ...rest] = path.split('/');
  const answer = BY_ID.get(name);
  if (answer === undefined || trackId === '' || rest.length > 0) return undefined;
  const query = cut < 0 ? NO_QUERY : new URLSearchParams(url.slice(cut + 1));
  return () => answer(deps, { req, res, trackId, query });
}
