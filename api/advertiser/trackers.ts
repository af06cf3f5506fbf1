import { type Request, Router } from 'express';
import * as yup from 'yup';
import type { TrackerFields } from '../../activities/trackers.ts';
import { runner } from '../../db/postgres.ts';
import {
  findTracker,
  listConversions,
  listTrackers,
  type TrackerRow,
} from '../../db/queries/trackers.ts';
import { notFound } from '../../domain/errors.ts';
import { parseAmount } from '../../domain/money.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { amount, id, name, text, webUrl } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { presentConversion, presentTracker, presentTrackerCode } from '../present/tracker.ts';

const TYPES = ['PIXEL', 'POSTBACK', 'JS', 'IMPORT'] as const;
const CONVERSION_STATUSES = ['ACCEPTED', 'UNATTRIBUTED', 'EXPIRED', 'BILLED', 'UNBILLED'];
const PIXEL_CODE_CHARS_MAX = 10_000;

/** interface 2.7 */
const fields = {
  name: name(),
  type: yup.string().oneOf(TYPES),
  event_type: yup.string().matches(/^[\w.:-]{1,64}$/, 'must be 1 to 64 letters, digits or . : _ -'),
  count_mode: yup.string().oneOf(['ONE', 'EVERY'] as const),
  conversion_value: amount(),
  attribution_window: yup.number().integer().min(1).max(365),
  postback_url: webUrl().nullable(),
  pixel_code: yup
    .string()
    .max(PIXEL_CODE_CHARS_MAX)
    .test(
      'text',
      'must be text',
      (value) => value === undefined || value === null || !value.includes('\0'),
    )
    .nullable(),
};
const createBody = yup.object({ ...fields, name: name().required() });
const updateBody = yup.object({
  ...fields,
  status: yup.string().oneOf(['ACTIVE', 'PAUSED'] as const),
});
const emptyBody = yup.object({});
const listQuery = yup.object({
  ...pageFields,
  keyword: text(),
  type: yup.string().oneOf(TYPES),
  status: yup.string().oneOf(['ACTIVE', 'PAUSED', 'ARCHIVED']),
});
const conversionQuery = yup.object({
  ...pageFields,
  status: yup.string().oneOf(CONVERSION_STATUSES),
  cursor: id(),
});

/** interface 4.7 */
export function trackerRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities } = deps;
  const trackUrl = deps.config.urls.track;
  const read = async (key: { id: number; advertiserId: number }): Promise<TrackerRow> => {
    const tracker = await findTracker(runner(deps.db), key);
    if (tracker === null) throw notFound();
    return tracker;
  };

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const page = pageOf(query);
    const { items, total } = await listTrackers(runner(deps.db), {
      advertiserId: identityOf(req).id,
      pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
      type: query.type,
      status: query.status,
      ...page,
    });
    ok(res, presentPage(items.map(presentTracker), total, page));
  });

  router.post('/', async (req, res) => {
    const body = readBody(req, createBody);
    const advertiserId = identityOf(req).id;
    const trackerId = await activities.createTracker({
      ...fieldsOf(body),
      name: body.name,
      advertiserId,
    });
    created(res, presentTracker(await read({ id: trackerId, advertiserId })));
  });

  router.get('/:id', async (req, res) => {
    ok(res, presentTracker(await read(keyOf(req))));
  });

  router.put('/:id', async (req, res) => {
    const key = keyOf(req);
    const body = readBody(req, updateBody);
    await activities.updateTracker(key, { ...fieldsOf(body), status: body.status });
    ok(res, presentTracker(await read(key)));
  });

  router.delete('/:id', async (req, res) => {
    const key = keyOf(req);
    await activities.archiveTracker(key);
    ok(res, { id: key.id, status: 'ARCHIVED' });
  });

  router.get('/:id/code', async (req, res) => {
    ok(res, presentTrackerCode(await read(keyOf(req)), trackUrl));
  });

  router.post('/:id/regenerate-code', async (req, res) => {
    const key = keyOf(req);
    readBody(req, emptyBody);
    await activities.regenerateTrackingCode(key);
    ok(res, presentTrackerCode(await read(key), trackUrl));
  });

  router.get('/:id/conversions', async (req, res) => {
    const query = readQuery(req, conversionQuery);
    const key = keyOf(req);
    await read(key);
    const page = pageOf(query);
    const { items, total } = await listConversions(runner(deps.db), {
      trackerId: key.id,
      advertiserId: key.advertiserId,
      status: query.status,
      beforeId: query.cursor,
      limit: page.limit,
      offset: query.cursor === undefined ? page.offset : 0,
    });
    const last = items.length === page.limit ? items.at(-1) : undefined;
    ok(res, {
      ...presentPage(items.map(presentConversion), total, page),
      next_cursor: last?.id ?? null,
    });
  });
  return router;
}

const keyOf = (req: Request) => ({ id: readId(req), advertiserId: identityOf(req).id });

function fieldsOf(
  body: yup.InferType<typeof updateBody> | yup.InferType<typeof createBody>,
): TrackerFields {
  return {
    name: body.name,
    type: body.type,
    eventType: body.event_type,
    countMode: body.count_mode,
    conversionValueNanos:
      body.conversion_value === undefined ? undefined : parseAmount(body.conversion_value),
    attributionWindow: body.attribution_window,
    postbackUrl: body.postback_url,
    pixelCode: body.pixel_code,
  };
}
