import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listTrackerTests } from '../../db/queries/tracker-tests.ts';
import { findTracker } from '../../db/queries/trackers.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { conflict, notFound } from '../../domain/errors.ts';
import type { ConsoleDeps } from '../deps.ts';
import { readId } from '../http/read.ts';
import { type Ask, route } from '../http/route.ts';
import {
  presentTrackerTest,
  trackerTestShape,
  trackerTestsShape,
} from '../present/tracker-test.ts';

const rule = 'interface 4.7';
const LISTED = 20;
const testBody = yup.object({ call_now: yup.boolean() });

/** Tries a tracker without a conversion. Mounted at /api/advertiser/trackers. */
export function trackerTestRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const trackUrl = deps.config.urls.track;
  const tracker = async ({ id, caller }: Ask<unknown, unknown>): Promise<TrackerRow> => {
    const found = await findTracker(sql, { id, advertiserId: caller.id });
    if (found === undefined) throw notFound();
    return found;
  };
  const show = async (ask: Ask<unknown, unknown>, id: number) => {
    const { trackingCode: code } = await tracker(ask);
    const key = { trackerId: ask.id, advertiserId: ask.caller.id };
    const [test] = await listTrackerTests(sql, { ...key, id, limit: 1 });
    if (test === undefined) throw notFound();
    return presentTrackerTest(test, { trackUrl, code });
  };

  router.post(
    '/:id/test',
    route(
      {
        summary: 'Begin a test: a click id for an hour whose reports are judged and never counted',
        rule,
        body: testBody,
        answer: trackerTestShape,
        statuses: [201],
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const { postbackUrl } = await tracker(ask);
        const callNow = ask.body.call_now ?? false;
        if (callNow && postbackUrl === null) {
          throw conflict('This tracker has no postback_url to call. Give it one, then test.');
        }
        const { id } = await deps.activities.beginTrackerTest({
          trackerId: ask.id,
          advertiserId: ask.caller.id,
          callNow,
        });
        return await show(ask, id);
      },
    ),
  );

  router.get(
    '/:id/tests',
    route(
      { summary: 'List the latest tests of a tracker', rule, answer: trackerTestsShape },
      async (ask) => {
        const { trackingCode: code } = await tracker(ask);
        const key = { trackerId: ask.id, advertiserId: ask.caller.id };
        const tests = await listTrackerTests(sql, { ...key, limit: LISTED });
        return { items: tests.map((test) => presentTrackerTest(test, { trackUrl, code })) };
      },
    ),
  );

  router.get(
    '/:id/tests/:test_id',
    route(
      { summary: 'Show what a test has come to', rule, answer: trackerTestShape },
      async (ask) => await show(ask, readId(ask.req, 'test_id')),
    ),
  );

  return router;
}
