import { Router } from 'express';
import * as yup from 'yup';
import { POSTBACK_SECRET_PLACE } from '../../activities/tracking/postbacks.ts';
import { createBlindIndex } from '../../db/blind-index.ts';
import { runner } from '../../db/postgres.ts';
import { findPostback, listPostbacks } from '../../db/queries/postbacks.ts';
import { findTracker } from '../../db/queries/trackers.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { notFound } from '../../domain/errors.ts';
import { POSTBACK_STATUSES } from '../../domain/lifecycle/postback.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readId } from '../http/read.ts';
import { type Ask, route } from '../http/route.ts';
import {
  postbackSecretShape,
  postbackShape,
  presentPostback,
  presentPostbackSecret,
} from '../present/postback.ts';

const rule = 'interface 4.14';
const listQuery = yup.object({ ...pageFields, status: yup.string().oneOf(POSTBACK_STATUSES) });

/** Calls of a tracker's postback_url, and those that nobody took. Mounted at /api/advertiser/trackers. */
export function postbackRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const secretOf = createBlindIndex(deps.config.keys.hash);
  const tracker = async ({ id, caller }: Ask<unknown, unknown>): Promise<TrackerRow> => {
    const found = await findTracker(sql, { id, advertiserId: caller.id });
    if (found === undefined) throw notFound();
    return found;
  };

  router.get(
    '/:id/postbacks',
    route(
      {
        summary: 'List the calls of a postback_url, newest first',
        rule,
        query: listQuery,
        answer: pageOfItems(postbackShape),
      },
      async (ask) => {
        await tracker(ask);
        const page = pageOf(ask.query);
        const { rows, total } = await listPostbacks(sql, {
          trackerId: ask.id,
          advertiserId: ask.caller.id,
          status: ask.query.status,
          ...page,
        });
        return presentPage(rows.map(presentPostback), total, page);
      },
    ),
  );

  router.get(
    '/:id/postback-secret',
    route(
      {
        summary: 'Show the secret by which our calls are signed; a new code makes a new one',
        rule,
        // A secret is for whoever may also make a new one.
        roles: ['EDITOR'],
        answer: postbackSecretShape,
      },
      async (ask) => {
        const { trackingCode } = await tracker(ask);
        return presentPostbackSecret(secretOf(trackingCode, POSTBACK_SECRET_PLACE));
      },
    ),
  );

  router.post(
    '/:id/postbacks/:postback_id/retry',
    route(
      { summary: 'Send a call again that nobody took', rule, answer: postbackShape },
      async (ask) => {
        const key = {
          id: readId(ask.req, 'postback_id'),
          trackerId: ask.id,
          advertiserId: ask.caller.id,
        };
        await deps.activities.resendPostback(key);
        const sent = await findPostback(sql, key);
        if (sent === undefined) throw notFound();
        return presentPostback(sent);
      },
    ),
  );

  return router;
}
