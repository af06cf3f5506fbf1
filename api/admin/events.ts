import { Router } from 'express';
import * as yup from 'yup';
import { findClickBid, traceEvents } from '../../db/queries/event-trace.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import type { ConsoleDeps } from '../deps.ts';
import { route } from '../http/route.ts';
import { eventTraceShape, presentTrace } from '../present/event-trace.ts';

const token = () =>
  yup
    .string()
    .matches(/^[\w.~-]{1,512}$/, 'is not an id')
    .meta({ kind: 'token' });

const traceQuery = yup.object({ track_id: token(), request_id: token(), click_id: token() });

/**
 * What became of one impression or click, and why (interface 5.2): by exactly one of track_id,
 * request_id and click_id. A track_id that was not sealed here, or an unknown click, is 404.
 */
export function eventRoutes(
  deps: ConsoleDeps,
  openTrack: (trackId: string) => TrackPayload | null,
): Router {
  const router = Router();
  router.get(
    '/',
    route(
      {
        summary: 'Show what became of one impression or click',
        rule: 'interface 5.2',
        roles: ['SUPPORT'],
        query: traceQuery,
        answer: eventTraceShape,
        refusals: ['not_found'],
      },
      async ({ query }) => {
        const given = Object.values(query).filter((value) => value !== undefined);
        if (given.length !== 1) {
          const message = 'exactly one of track_id, request_id and click_id is needed';
          throw invalid({ field: 'track_id', code: 'one_of', message });
        }
        const track = query.track_id === undefined ? null : openTrack(query.track_id);
        const bid =
          track ??
          (query.click_id === undefined ? undefined : await findClickBid(deps.db, query.click_id));
        if (bid !== undefined) {
          return presentTrace(track, await traceEvents(deps.db, bid, track ?? {}));
        }
        if (query.request_id === undefined) throw notFound();
        return presentTrace(null, await traceEvents(deps.db, { requestId: query.request_id }));
      },
    ),
  );
  return router;
}
