import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { reportClick } from './click.ts';
import { answerClickVerify, answerPreflight } from './click-verify.ts';
import { inShortTurn } from '../http/turn.ts';
import type { Exchange, Report, TrackDeps } from './deps.ts';
import { reportImpression } from './impression.ts';
import { reportVastError, reportVideo } from './video.ts';
import { reportView } from './view.ts';

export type { TrackDeps } from './deps.ts';

type ReadReport = (deps: TrackDeps, exchange: Exchange) => Report;

const BY_ID: ReadonlyMap<string, ReadReport> = new Map([
  ['impression', reportImpression],
  ['click', reportClick],
  ['view', reportView],
  ['video', reportVideo],
  ['vast-error', reportVastError],
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
    const answer = route(deps, { req, res, url, fail });
    if (answer === undefined) return false;
    inShortTurn(() => attempt(answer, fail));
    return true;
  };
}

type Fail = (error: unknown) => void;

function attempt(step: () => void, fail: Fail): void {
  try {
    step();
  } catch (error) {
    fail(error);
  }
}

/** No promise on the way: there are thousands a second, and each is a microsecond. */
function keepAndSend({ eventLog }: TrackDeps, { event, send }: Report, fail: Fail): void {
  if (event === null) send();
  else
    eventLog.store(event, (fault) => {
      if (fault === undefined) attempt(send, fail);
      else fail(fault);
    });
}

/** Nobody writes to it. */
const NO_QUERY = new URLSearchParams();

function route(
  deps: TrackDeps,
  { req, res, url, fail }: { req: IncomingMessage; res: ServerResponse; url: string; fail: Fail },
): (() => void) | undefined {
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  if (path === '/click-verify') {
    if (req.method === 'POST') return () => void answerClickVerify(deps, req, res).catch(fail);
    if (req.method === 'OPTIONS') return () => answerPreflight(res);
    return undefined;
  }
  if (req.method !== 'GET') return undefined;
  const [, name = '', trackId = '', ...rest] = path.split('/');
  const read = BY_ID.get(name);
  if (read === undefined || trackId === '' || rest.length > 0) return undefined;
  const query = cut < 0 ? NO_QUERY : new URLSearchParams(url.slice(cut + 1));
  return () => keepAndSend(deps, read(deps, { req, res, trackId, query }), fail);
}
