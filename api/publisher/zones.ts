import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { findZone, listZones, type ZoneRow } from '../../db/queries/publisher.ts';
import { notFound } from '../../domain/errors.ts';
import { ZONE_TYPES } from '../../domain/zone-settings.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { id, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { reportFields, reportOf } from '../http/reports.ts';
import { presentZone, presentZoneCode, presentZonePreview } from '../present/zone.ts';
import { createZoneBody, updateZoneBody, zoneFieldsOf } from './zone-fields.ts';

const emptyBody = yup.object({});
const listQuery = yup.object({
  ...pageFields,
  site_id: id(),
  type: yup.string().oneOf(ZONE_TYPES),
  status: yup.string().oneOf(['ACTIVE', 'PAUSED']),
  audit_status: yup.string().oneOf(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED']),
  keyword: text(),
});
const statsQuery = yup.object(reportFields);

type ZoneKey = { id: number; publisherId: number };

const zoneLoader =
  ({ db }: ConsoleDeps) =>
  async (key: ZoneKey): Promise<ZoneRow> => {
    const zone = await findZone(runner(db), key);
    if (zone === undefined) throw notFound();
    return zone;
  };

/** interface 4.10. Mounted at /api/publisher/zones. */
export function zoneRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const { activities } = deps;
  const load = zoneLoader(deps);

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const page = pageOf(query);
    const filter = {
      publisherId: identityOf(req).id,
      siteId: query.site_id,
      type: query.type,
      pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
      status: query.status,
      auditStatus: query.audit_status,
    };
    const { rows, total } = await listZones(sql, filter, page);
    ok(res, presentPage(rows.map(presentZone), total, page));
  });

  router.post('/', async (req, res) => {
    const body = readBody(req, createZoneBody);
    const publisherId = identityOf(req).id;
    const fields = zoneFieldsOf(body);
    const zoneId = await activities.createZone({
      ...fields,
      publisherId,
      siteId: body.site_id,
      name: body.name,
      type: fields.type ?? 'BANNER',
      saveAsDraft: body.save_as_draft ?? false,
    });
    created(res, presentZone(await load({ id: zoneId, publisherId })));
  });

  router.get('/:id', async (req, res) => {
    ok(res, presentZone(await load({ id: readId(req), publisherId: identityOf(req).id })));
  });

  router.put('/:id', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    const body = readBody(req, updateZoneBody);
    await activities.updateZone(key, { ...zoneFieldsOf(body), siteId: body.site_id });
    ok(res, presentZone(await load(key)));
  });

  router.delete('/:id', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    await activities.archiveZone(key);
    ok(res, { id: key.id, status: 'ARCHIVED' });
  });

  for (const [path, act] of [
    ['/:id/toggle', async (key: ZoneKey) => await activities.toggleZone(key)],
    ['/:id/submit-audit', async (key: ZoneKey) => await activities.submitZoneAudit(key)],
  ] as const) {
    router.post(path, async (req, res) => {
      const key = { id: readId(req), publisherId: identityOf(req).id };
      readBody(req, emptyBody);
      await act(key);
      ok(res, presentZone(await load(key)));
    });
  }

  addReads(router, deps);
  return router;
}

function addReads(router: Router, deps: ConsoleDeps): void {
  const load = zoneLoader(deps);
  const { urls } = deps.config;

  router.get('/:id/code', async (req, res) => {
    const zone = await load({ id: readId(req), publisherId: identityOf(req).id });
    ok(res, presentZoneCode(zone, urls));
  });

  router.get('/:id/preview', async (req, res) => {
    const zone = await load({ id: readId(req), publisherId: identityOf(req).id });
    ok(res, presentZonePreview(zone, urls));
  });

  router.get('/:id/stats', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    const query = readQuery(req, statsQuery);
    await load(key);
    const filter = { zone: key.id };
    ok(res, await reportOf(deps, { side: 'publisher', ownerId: key.publisherId, query, filter }));
  });
}
