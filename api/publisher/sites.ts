import { Router } from 'express';
import * as yup from 'yup';
import { adsTxtDomain } from '../../activities/providers/outbound.ts';
import { normaliseDomain, registrableDomain } from '../../activities/site-domain.ts';
import type { NewSite, SiteFields } from '../../activities/sites.ts';
import { runner } from '../../db/postgres.ts';
import { findSite, listSites, type SiteRow } from '../../db/queries/publisher.ts';
import { findOperation } from '../../db/queries/operations.ts';
import { type FieldError, invalid, notFound } from '../../domain/errors.ts';
import { MEDIA_TYPES, readVerifyMethod, VERIFY_METHODS } from '../../domain/lifecycle/site.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { accepted, created, ok } from '../http/envelope.ts';
import { day, id, name, text, webUrl } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { readBody, readId, readQuery } from '../http/read.ts';
import { reportFields, reportOf } from '../http/reports.ts';
import { presentOperation } from '../present/operation.ts';
import { presentSite, presentVerifyCode } from '../present/site.ts';

const domain = () =>
  text(253).test('domain', 'must be a registrable domain, such as news.example.com', (value) =>
    typeof value === 'string' && value !== '' ? normaliseDomain(value) !== undefined : true,
  );
const appPackage = () =>
  yup
    .string()
    .matches(/^[A-Za-z0-9][A-Za-z0-9._-]{1,199}$/, 'must be a package name or mini-program id');

const editable = {
  domain: domain().nullable(),
  app_package: appPackage().nullable(),
  url: webUrl().nullable(),
  description: text(2_000).nullable(),
  industry_id: id().nullable(),
  icp: text(100).nullable(),
};
const createBody = yup.object({
  ...editable,
  name: name().required(),
  media_type: yup.string().oneOf(MEDIA_TYPES),
});
const updateBody = yup.object({
  ...editable,
  name: name(),
  media_type: yup.string().oneOf(MEDIA_TYPES),
});
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

/** interface 4.9, and submit-audit for a site that was rejected. Mounted at /api/publisher/sites. */
export function siteRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const sql = runner(deps.db);
  const { activities } = deps;
  const load = async (key: { id: number; publisherId: number }): Promise<SiteRow> => {
    const site = await findSite(sql, key);
    if (site === undefined) throw notFound();
    return site;
  };

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
    const body = readBody(req, createBody);
    const publisherId = identityOf(req).id;
    const siteId = await activities.createSite(newSiteOf(publisherId, body));
    created(res, presentSite(await load({ id: siteId, publisherId })));
  });

  router.get('/:id', async (req, res) => {
    ok(res, presentSite(await load({ id: readId(req), publisherId: identityOf(req).id })));
  });

  router.put('/:id', async (req, res) => {
    const key = { id: readId(req), publisherId: identityOf(req).id };
    const body = readBody(req, updateBody);
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
    ['/:id/toggle', activities.toggleSite],
    ['/:id/submit-audit', activities.submitSiteAudit],
  ] as const) {
    router.post(path, async (req, res) => {
      const key = { id: readId(req), publisherId: identityOf(req).id };
      readBody(req, emptyBody);
      await act(key);
      ok(res, presentSite(await load(key)));
    });
  }

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
    const { operationId } = await activities.requestSiteVerification({
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

type Body = Partial<yup.InferType<typeof updateBody>>;

const blankToNull = (value: string | null | undefined): string | null =>
  value === undefined || value === '' ? null : value;

/** Which name a site needs depends on its media type (interface 2.8); all faults at once. */
function newSiteOf(publisherId: number, body: yup.InferType<typeof createBody>): NewSite {
  const mediaType = body.media_type ?? 'WEB';
  const given = { domain: blankToNull(body.domain), app_package: blankToNull(body.app_package) };
  const [own, other] =
    mediaType === 'WEB'
      ? (['domain', 'app_package'] as const)
      : (['app_package', 'domain'] as const);
  const faults: FieldError[] = [];
  if (given[own] === null) {
    faults.push({ field: own, code: 'required', message: `A site of type ${mediaType} needs it.` });
  }
  if (given[other] !== null) {
    const message = `A site of type ${mediaType} has none.`;
    faults.push({ field: other, code: 'not_for_type', message });
  }
  const claimed = given.domain === null ? null : (normaliseDomain(given.domain) ?? null);
  const url = blankToNull(body.url);
  if (mediaType === 'WEB' && claimed !== null) faults.push(...urlFaults(url, claimed));
  if (faults.length > 0) throw invalid(...faults);
  return {
    publisherId,
    mediaType,
    name: body.name,
    domain: claimed,
    appPackage: given.app_package,
    url,
    description: body.description ?? null,
    industryId: body.industry_id ?? null,
    icp: body.icp ?? null,
  };
}

function patchOf(site: SiteRow, body: Body): Partial<SiteFields> {
  if (body.media_type !== undefined && body.media_type !== site.mediaType) {
    const message = 'The media type of a site cannot change.';
    throw invalid({ field: 'media_type', code: 'immutable', message });
  }
  const claimed = body.domain === undefined ? undefined : blankToNull(body.domain);
  const patch: Partial<SiteFields> = {
    ...(body.name === undefined ? {} : { name: body.name }),
    ...(claimed === undefined ? {} : { domain: claimed && (normaliseDomain(claimed) ?? null) }),
    ...(body.app_package === undefined ? {} : { appPackage: blankToNull(body.app_package) }),
    ...(body.url === undefined ? {} : { url: blankToNull(body.url) }),
    ...(body.description === undefined ? {} : { description: body.description }),
    ...(body.industry_id === undefined ? {} : { industryId: body.industry_id }),
    ...(body.icp === undefined ? {} : { icp: body.icp }),
  };
  if (site.mediaType === 'WEB') {
    const next = patch.domain ?? site.domain ?? '';
    if (patch.url === null) patch.url = `https://${next}`;
    const faults = urlFaults(patch.url ?? null, next);
    if (faults.length > 0) throw invalid(...faults);
  }
  return patch;
}

/** A web site's address is on the domain that it claims. */
function urlFaults(url: string | null, claimed: string): FieldError[] {
  if (url === null) return [];
  const home = registrableDomain(claimed);
  if (registrableDomain(new URL(url).hostname) === home) return [];
  return [{ field: 'url', code: 'off_domain', message: `must be on ${home}` }];
}
