import { Router } from 'express';
import * as yup from 'yup';
import type { RecordKey } from '../../activities/inventory/inventory-lifecycle.ts';
import { runner } from '../../db/postgres.ts';
import { findTracker, listConversions, listTrackers } from '../../db/queries/trackers.ts';
import { TRACKER_FIELDS, type TrackerFields, type TrackerRow } from '../../db/tables/tracker.ts';
import { notFound } from '../../domain/errors.ts';
import {
  CONVERSION_STATUSES,
  COUNT_MODES,
  TRACKER_EVENT_TYPES,
  TRACKER_TYPES,
} from '../../domain/tracker.ts';
import { OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import { CURSOR_SORTS, NAMED_SORTS, sortWords } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { archived, pageOfItems } from '../http/response-shapes.ts';
import { calledUrl } from '../http/called-url.ts';
import { amount, code, name, text } from '../http/fields.ts';
import {
  cursorFields,
  cursorPageOf,
  likePattern,
  pageFields,
  pageOf,
  presentCursorPage,
  presentPage,
  sortField,
  windowOf,
} from '../http/pagination.ts';
import { type Ask, route } from '../http/route.ts';
import { columnsFrom } from '../http/wire.ts';
import {
  presentTracker,
  presentTrackerCode,
  trackerCodeShape,
  trackerShape,
} from '../present/tracker.ts';
import { conversionShape, presentConversion } from '../present/conversion.ts';
import { trackerStatsShape } from '../present/tracker-stats.ts';
import { emptyToNull, nanosOf } from './targeting-fields.ts';
import { trackerStatsOf, trackerStatsQuery } from './tracker-stats.ts';

const PIXEL_CODE_CHARS_MAX = 10_000;

/** interface 2.7 */
const fields = {
  name: name(),
  type: yup.string().oneOf(TRACKER_TYPES),
  event_type: yup.string().oneOf(TRACKER_EVENT_TYPES),
  count_mode: yup.string().oneOf(COUNT_MODES),
  require_sig: yup.boolean(),
  conversion_value: amount(),
  attribution_window: yup.number().integer().min(1).max(365),
  validation_days: yup.number().integer().min(0).max(90).nullable(),
  postback_url: calledUrl().nullable(),
  pixel_code: code(PIXEL_CODE_CHARS_MAX).nullable(),
};
const trackerFields = yup.object(fields);
const createBody = yup.object({ ...fields, name: name().required() });
const updateBody = yup.object({
  ...fields,
  status: yup.string().oneOf(['ACTIVE', 'PAUSED'] as const),
});
const listQuery = yup.object({
  ...pageFields,
  ...sortField(sortWords(NAMED_SORTS)),
  keyword: text(),
  type: yup.string().oneOf(TRACKER_TYPES),
  status: yup.string().oneOf(OWNER_STATUSES),
});
const conversionQuery = yup.object({
  ...cursorFields,
  ...sortField(sortWords(CURSOR_SORTS)),
  status: yup.string().oneOf(CONVERSION_STATUSES),
});

const rule = 'interface 4.7, 2.7';

/** interface 4.7. Mounted at /api/advertiser/trackers. */
export function trackerRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addRecords(router, deps);
  addChanges(router, deps);
  addCode(router, deps);
  addConversions(router, deps);
  return router;
}

const keyOf = ({ id, caller, ifMatch }: Ask<unknown, unknown>): RecordKey => ({
  id,
  advertiserId: caller.id,
  ifMatch,
});

async function read(deps: ConsoleDeps, key: RecordKey): Promise<TrackerRow> {
  const tracker = await findTracker(runner(deps.db), key);
  if (tracker === undefined) throw notFound();
  return tracker;
}

function addRecords(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/',
    route(
      {
        summary: 'List conversion trackers',
        rule,
        query: listQuery,
        answer: pageOfItems(trackerShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const { items, total } = await listTrackers(runner(deps.db), {
          advertiserId: caller.id,
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          type: query.type,
          status: query.status,
          sort: query.sort,
          ...page,
        });
        return presentPage(items.map(presentTracker), total, page);
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Create a conversion tracker with a code of its own',
        rule,
        body: createBody,
        answer: trackerShape,
        statuses: [201],
      },
      async ({ body, caller }) => {
        const advertiserId = caller.id;
        const values = { ...fieldsOf(body), name: body.name, advertiserId };
        const id = await deps.activities.createTracker(values);
        return presentTracker(await read(deps, { id, advertiserId }));
      },
    ),
  );

  router.get(
    '/:id',
    route({ summary: 'Show a conversion tracker', rule, answer: trackerShape }, async (ask) =>
      presentTracker(await read(deps, keyOf(ask))),
    ),
  );
}

function addChanges(router: Router, deps: ConsoleDeps): void {
  router.put(
    '/:id',
    route(
      {
        summary: 'Update a conversion tracker, pause or resume it',
        rule,
        body: updateBody,
        answer: trackerShape,
        updates: true,
        current: async (ask) => presentTracker(await read(deps, keyOf(ask))),
      },
      async (ask) => {
        const key = keyOf(ask);
        const { status } = ask.body;
        await deps.activities.updateTracker(key, { ...fieldsOf(ask.body), status });
        return presentTracker(await read(deps, key));
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        summary: 'Archive a conversion tracker that no campaign uses',
        rule,
        answer: archived(),
        updates: true,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        await deps.activities.archiveTracker(keyOf(ask));
        return { id: ask.id, status: 'ARCHIVED' as const };
      },
    ),
  );
}

function addCode(router: Router, deps: ConsoleDeps): void {
  const trackUrl = deps.config.urls.track;

  router.get(
    '/:id/code',
    route(
      { summary: 'Show what to put on the page or server', rule, answer: trackerCodeShape },
      async (ask) => presentTrackerCode(await read(deps, keyOf(ask)), trackUrl),
    ),
  );

  router.post(
    '/:id/regenerate-code',
    route(
      { summary: 'Replace the code; the old one ends', rule, answer: trackerCodeShape },
      async (ask) => {
        const key = keyOf(ask);
        await deps.activities.regenerateTrackingCode(key);
        return presentTrackerCode(await read(deps, key), trackUrl);
      },
    ),
  );
}

function addConversions(router: Router, deps: ConsoleDeps): void {
  router.get(
    '/:id/conversions',
    route(
      {
        summary: 'List the conversions of a tracker',
        rule,
        query: conversionQuery,
        answer: cursorPageOf(conversionShape),
      },
      async (ask) => {
        const { query } = ask;
        const key = keyOf(ask);
        await read(deps, key);
        const page = pageOf(query);
        const { items, total } = await listConversions(runner(deps.db), {
          trackerId: key.id,
          advertiserId: key.advertiserId,
          status: query.status,
          sort: query.sort,
          cursor: query.cursor,
          ...windowOf(page, query.cursor),
        });
        return presentCursorPage(items.map(presentConversion), total, page);
      },
    ),
  );

  router.get(
    '/:id/stats',
    route(
      {
        summary: 'Count the conversions of a tracker',
        rule: 'interface 4.7',
        query: trackerStatsQuery,
        answer: trackerStatsShape,
      },
      async (ask) => {
        const key = keyOf(ask);
        await read(deps, key);
        return await trackerStatsOf(deps, key, ask.query);
      },
    ),
  );
}

function fieldsOf(body: yup.InferType<typeof trackerFields>): TrackerFields {
  const { conversion_value: value, ...columns } = body;
  return {
    ...columnsFrom(columns, TRACKER_FIELDS),
    conversionValueNanos: nanosOf(value),
    postbackUrl: emptyToNull(body.postback_url),
    pixelCode: emptyToNull(body.pixel_code),
  };
}
