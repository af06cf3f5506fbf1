import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { sendNothing, sendPreflight } from './answer.ts';
import { createFrequency } from './frequency.ts';
import { inTurn } from '../http/turn.ts';
import { createPageReader } from '../pages.ts';
import { ItemTexts } from './item-texts.ts';
import { answerAdDocument, answerRender } from './render.ts';
import { answerAdRequest } from './request.ts';
import type { AdDeps } from './serve.ts';
import type { Soon } from './soon.ts';
import { createStretch } from './stretch.ts';
import { answerVast } from './vast.ts';

export type { AdDeps } from './serve.ts';

/** Runs with Node's own request and response; the router only chooses which one. */
export type AdHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  params: Readonly<Record<string, string | undefined>>,
) => Soon<void>;

/** The handlers by name, for a server without Express. */
export function adHandlers(
  options: AdDeps,
): Record<'request' | 'render' | 'document' | 'vast', AdHandler> {
  const deps = {
    roll: Math.random,
    ...options,
    stretch: createStretch(options.roll ?? Math.random),
    frequency: createFrequency(options.redis, options.log, options.countersWaitMs),
    readPage: createPageReader(),
    texts: new ItemTexts(),
  };
  return {
    request: (req, res, params) =>
      inTurn(() => answerAdRequest(deps, { req, res }, params['zone_id'])),
    render: (req, res, params) =>
      inTurn(() => answerRender(deps, { req, res }, params['zone_id'] ?? '')),
    document: (req, res, params) => answerAdDocument(deps, { req, res }, params['track_id'] ?? ''),
    vast: (req, res, params) =>
      inTurn(() => answerVast(deps, { req, res }, params['zone_id'] ?? '')),
  };
}

/** Mounted at /ad, before any parser or policy. */
export function createAdSurface(deps: AdDeps, handlers = adHandlers(deps)): Router {
  const router = Router();
  // Express would run a GET handler for HEAD: who looks whether we answer gets no ad, and no cap counts one.
  router.head(['/request', '/request/:zone_id', '/render/{*rest}'], (_req, res) => {
    sendNothing(res);
  });
  router
    .route('/request')
    .get((req, res) => handlers.request(req, res, {}))
    .post((req, res) => handlers.request(req, res, {}))
    .options((_req, res) => sendPreflight(res));
  router.get('/request/:zone_id', (req, res) => handlers.request(req, res, req.params));
  router.get('/render/vast/:zone_id', (req, res) => handlers.vast(req, res, req.params));
  router.get('/render/ad/:track_id', (req, res) => handlers.document(req, res, req.params));
  router.get('/render/:zone_id', (req, res) => handlers.render(req, res, req.params));
  return router;
}
