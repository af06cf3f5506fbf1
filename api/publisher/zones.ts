import { Router } from 'express';
import * as yup from 'yup';
import type { ZoneKey } from '../../activities/publisher/zones.ts';
import { runner } from '../../db/postgres.ts';
import { listAdFormats } from '../../db/queries/ad-formats.ts';
import { findZone, listZones, type ZoneScreen } from '../../db/queries/publisher.ts';
import { notFound } from '../../domain/errors.ts';
import { auditLifecycle, OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import { PREVIEW_FILLS } from '../../domain/zone-preview.ts';
import { ZONE_TYPES } from '../../domain/zone-settings.ts';
import { ZONE_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { archived, listOf, pageOfItems, record } from '../http/response-shapes.ts';
import { appealBody, id, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { type Ask, route, SENT } from '../http/route.ts';
import { adFormatShape, presentAdFormat } from '../present/campaign.ts';
import {
  presentZone,
  presentZoneCode,
  presentZonePreview,
  zoneCodeShape,
  zonePreviewShape,
  zoneShape,
} from '../present/zone.ts';
import { figureSortFields, readListOrder } from '../reports/figure-order.ts';
import { createZoneBody, updateZoneBody, zoneFieldsOf } from './zone-fields.ts';

const listQuery = yup.object({
  ...pageFields,
  ...figureSortFields('publisher', ZONE_SORTS),
  site_id: id(),
  type: yup.string().oneOf(ZONE_TYPES),
  status: yup.string().oneOf(OWNER_STATUSES),
  audit_status: yup.string().oneOf(auditLifecycle.statuses),
  keyword: text(),
});
/** As long as BCP 47 asks readers of tags to expect. */
const LANGUAGE_CHARS_MAX = 35;
/** Of the page that it is for: a frame's title and a player's words are in it. */
const codeQuery = yup.object({ page_lang: text(LANGUAGE_CHARS_MAX) });
const previewQuery = yup.object({ fill: yup.string().oneOf(PREVIEW_FILLS).default('house') });

const RULE = 'interface 4.10, 2.9';

const zoneKey = ({ id: zoneId, caller, ifMatch }: Ask<unknown, unknown>): ZoneKey => ({
  id: zoneId,
  publisherId: caller.id,
  ifMatch,
});

const zoneLoader =
  ({ db }: ConsoleDeps) =>
  async (key: ZoneKey): Promise<ZoneScreen> => {
    const zone = await findZone(runner(db), key);
    if (zone === undefined) throw notFound();
    return zone;
  };

/** interface 4.10. Mounted at /api/publisher/zones. */
export function zoneRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addReads(router, deps);
  addWrites(router, deps);
  addMoves(router, deps);
  addEmbedding(router, deps);
  return router;
}

function addReads(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);
  const load = zoneLoader(deps);

  router.get(
    '/',
    route(
      {
        summary: 'List zones',
        rule: 'interface 4.10',
        query: listQuery,
        answer: pageOfItems(zoneShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const owner = { side: 'publisher', ownerId: caller.id, by: 'zone' } as const;
        const order = await readListOrder(deps, owner, query);
        const filter = {
          publisherId: caller.id,
          siteId: query.site_id,
          type: query.type,
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          status: query.status,
          auditStatus: query.audit_status,
          ...order,
        };
        const { rows, total } = await listZones(sql, filter, page);
        return presentPage(rows.map(presentZone), total, page);
      },
    ),
  );

  router.get(
    '/options',
    route(
      {
        summary: 'List ad formats, for ad_format_id, zone_type_id and size_id',
        rule: RULE,
        answer: record({ items: listOf(adFormatShape) }),
      },
      async () => ({ items: (await listAdFormats(sql)).map(presentAdFormat) }),
    ),
  );

  router.get(
    '/:id',
    route({ summary: 'Show a zone', rule: RULE, answer: zoneShape }, async (ask) =>
      presentZone(await load(zoneKey(ask))),
    ),
  );
}

function addWrites(router: Router, deps: ConsoleDeps): void {
  const load = zoneLoader(deps);
  const { activities } = deps;

  router.post(
    '/',
    route(
      {
        summary: 'Create a zone in an approved site; it enters review',
        rule: 'interface 4.10, 2.9, 2.12',
        body: createZoneBody,
        answer: zoneShape,
        statuses: [201],
      },
      async ({ body, caller }) => {
        const publisherId = caller.id;
        const fields = zoneFieldsOf(body);
        const zoneId = await activities.createZone({
          ...fields,
          publisherId,
          siteId: body.site_id,
          name: body.name,
          saveAsDraft: body.save_as_draft ?? false,
        });
        return presentZone(await load({ id: zoneId, publisherId }));
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update a zone; its site stays',
        rule: 'interface 4.10, 2.9, 2.12',
        body: updateZoneBody,
        answer: zoneShape,
        updates: true,
        current: async (ask) => presentZone(await load(zoneKey(ask))),
      },
      async (ask) => {
        const key = zoneKey(ask);
        await activities.updateZone(key, { ...zoneFieldsOf(ask.body), siteId: ask.body.site_id });
        return presentZone(await load(key));
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        summary: 'Archive a zone',
        rule: 'interface 4.10, 3',
        answer: archived(),
        updates: true,
      },
      async (ask) => {
        await activities.archiveZone(zoneKey(ask));
        return { id: ask.id, status: 'ARCHIVED' as const };
      },
    ),
  );
}

function addMoves(router: Router, deps: ConsoleDeps): void {
  const load = zoneLoader(deps);
  const { activities } = deps;
  for (const { path, summary, act } of [
    {
      path: '/:id/toggle',
      summary: 'Pause or resume a zone',
      act: async (key: ZoneKey) => await activities.toggleZone(key),
    },
    {
      path: '/:id/submit-audit',
      summary: 'Submit a zone for review',
      act: async (key: ZoneKey) => await activities.submitZoneAudit(key),
    },
  ]) {
    router.post(
      path,
      route({ summary, rule: 'interface 4.10, 3', answer: zoneShape }, async (ask) => {
        const key = zoneKey(ask);
        await act(key);
        return presentZone(await load(key));
      }),
    );
  }
  router.post(
    '/:id/appeal',
    route(
      {
        summary: 'Appeal the rejection of a zone, once',
        rule: 'interface 4.10, 3',
        body: appealBody,
        answer: zoneShape,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const key = zoneKey(ask);
        const { id: of, publisherId: accountId } = key;
        await activities.appealReview({ type: 'zone', id: of, accountId, text: ask.body.text });
        return presentZone(await load(key));
      },
    ),
  );
}

function addEmbedding(router: Router, deps: ConsoleDeps): void {
  const load = zoneLoader(deps);
  const { urls } = deps.config;

  router.get(
    '/:id/code',
    route(
      {
        summary: 'Show what to put into a page, a player or an app',
        rule: 'interface 4.10',
        query: codeQuery,
        answer: zoneCodeShape,
      },
      async (ask) => presentZoneCode(await load(zoneKey(ask)), urls, ask.query.page_lang),
    ),
  );

  router.get(
    '/:id/preview',
    route(
      {
        summary: 'Show the zone with house ads; the page itself when text/html is asked for',
        rule: 'interface 4.10',
        query: previewQuery,
        answer: zonePreviewShape,
        produces: ['text/html'],
      },
      async (ask) => {
        const zone = await load(zoneKey(ask));
        const preview = presentZonePreview(zone, { urls, fill: ask.query.fill });
        if (ask.req.accepts(['json', 'html']) !== 'html') return preview;
        ask.res.set('Content-Security-Policy', PREVIEW_POLICY).type('html').send(preview.html);
        return SENT;
      },
    ),
  );
}

/** The page is drawn, not fetched: nothing but its own styles and its sandboxed frames. */
const PREVIEW_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; frame-ancestors 'self'; sandbox allow-popups";
