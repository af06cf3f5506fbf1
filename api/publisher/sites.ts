import { Router } from 'express';
import * as yup from 'yup';
import { adsTxtDomain } from '../../activities/providers/outbound.ts';
import { runner } from '../../db/postgres.ts';
import { findSite, listSites, type SiteRow } from '../../db/queries/publisher.ts';
import { findOperation } from '../../db/queries/operations.ts';
import { invalid, notFound } from '../../domain/errors.ts';
import { readVerifyMethod, VERIFY_METHODS } from '../../domain/lifecycle/site.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { accepted, created, ok } from '../http/envelope.ts';
import { day, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { reportFields, reportOf } from '../http/reports.ts';
import { presentOperation } from '../present/operation.ts';
import { presentSite, presentVerifyCode } from '../present/site.ts';
import { createSiteBody, newSiteOf, patchOf, updateSiteBody } from './site-fields.ts';

const verifyBody = yup.object({ method: yup.string().required() });
const emptyBody = yup.object({});
const listQuery = yup.object({
  ...pageFields,
  keyword: text(),
  status: yup.string().oneOf(['ACTIVE', 'PAUSED']),
  audit_status: yup.string().oneOf(['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED']),
  start_date: day(),
  end_date: day(),
});
const statsQuery = yup.object(reportFields);

type SiteKey = { id: number; publisherId: number };

const siteLoader =
  ({ db }: ConsoleDeps) =>
  async (key: SiteKey): Promise<SiteRow> => {
    const site = await findSite(runner(db), key);
    if (site === undefined) throw notFound();
    return site;
  };

/** interface 4.9, and submit-audit for a site that was rejected. Mounted at /api/publisher/sites. */
export function siteRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const { activities } = deps;
  const load = siteLoader(deps);

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const page = pageOf(query);
    const filter = {
      publisherId: identityOf(req).id,
      pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
      status: query.status,
      auditStatus: query.audit_status,
      startDate: query.start_date,
      endDate: query.end_date,
    };
    const { rows, total } = await listSites(sql, filter, page);
    ok(res, presentPage(rows.map(presentSite), total, page));
  });

  router.post('/', async (req, res) => {
    const body = readBody(req, createSiteBody);
    const publisherId = identityOf(req).id;
    const siteId = await activities.createSite(newSiteOf(publisherId, body));
    created(res, presentSite(await load({ id: siteId, publisherId })));
  });

  router.get('/:id', async (req, res) => {
    ok(res, presentSite(await load({ id: readId(req), publisherId: identityOf(req).id })));
  });

  router.put('/:id', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    const body = readBody(req, updateSiteBody);
    const site = await load(key);
    await activities.updateSite(key, patchOf(site, body));
    ok(res, presentSite(await load(key)));
  });

  router.delete('/:id', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    await activities.archiveSite(key);
    ok(res, { id: key.id, status: 'ARCHIVED' });
  });

  for (const [path, act] of [
    ['/:id/toggle', async (key: SiteKey) => await activities.toggleSite(key)],
    ['/:id/submit-audit', async (key: SiteKey) => await activities.submitSiteAudit(key)],
  ] as const) {
    router.post(path, async (req, res) => {
      const key = { id: readId(req), publisherId: identityOf(req).id };
      readBody(req, emptyBody);
      await act(key);
      ok(res, presentSite(await load(key)));
    });
  }

  addVerification(router, deps);

  router.get('/:id/stats', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    const query = readQuery(req, statsQuery);
    await load(key);
    ok(
      res,
      await reportOf(deps, {
        side: 'publisher',
        ownerId: key.publisherId,
        query,
        filter: { site: key.id },
      }),
    );
  });

  return router;
}

function addVerification(router: Router, deps: ConsoleDeps): void {
  const sql = runner(deps.db);
  const load = siteLoader(deps);

  router.get('/:id/verify-code', async (req, res) => {
    const site = await load({ id: readId(req), publisherId: identityOf(req).id });
    ok(res, presentVerifyCode(site, adsTxtDomain(deps.config.urls.base)));
  });

  router.post('/:id/verify', async (req, res) => {
    const siteId = readId(req);
    const publisherId = identityOf(req).id;
    const method = readVerifyMethod(readBody(req, verifyBody).method);
    if (method === undefined) {
      const message = `must be one of ${VERIFY_METHODS.join(', ')}`;
      throw invalid({ field: 'method', code: 'one_of', message });
    }
    const { operationId } = await deps.activities.requestSiteVerification({
      siteId,
      publisherId,
      method,
    });
    const operation = await findOperation(sql, { id: operationId, accountId: publisherId });
    if (operation === undefined) throw new Error(`operation ${operationId} vanished`);
    accepted(res, `/api/publisher/operations/${operationId}`, {
      operation: presentOperation(operation),
    });
  });
}
