import { Router } from 'express';
import * as yup from 'yup';
import { adsTxtDomain } from '../../activities/providers/outbound.ts';
import type { SiteKey } from '../../activities/publisher/sites.ts';
import { runner } from '../../db/postgres.ts';
import { findSite, listSites, type SiteScreen } from '../../db/queries/publisher.ts';
import { notFound } from '../../domain/errors.ts';
import { OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import { VERIFY_RETRY_SECONDS } from '../../domain/lifecycle/site.ts';
import { NAMED_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { archived, pageOfItems } from '../http/response-shapes.ts';
import { appealBody, day, text } from '../http/fields.ts';
import { acceptedOperation } from '../operations/operations.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { type Ask, route } from '../http/route.ts';
import { acceptedShape } from '../present/operation.ts';
import {
  adsTxtShape,
  presentAdsTxt,
  presentSite,
  presentVerifyCode,
  siteShape,
  verifyCodeShape,
} from '../present/site.ts';
import { figureSortFields, readListOrder } from '../reports/figure-order.ts';
import {
  createSiteBody,
  newSiteOf,
  patchOf,
  updateSiteBody,
  verifyBody,
  verifyMethodOf,
} from './site-fields.ts';

const listQuery = yup.object({
  ...pageFields,
  ...figureSortFields('publisher', NAMED_SORTS),
  keyword: text(),
  status: yup.string().oneOf(OWNER_STATUSES),
  audit_status: yup.string().oneOf(['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED']),
  start_date: day(),
  end_date: day(),
});

const RULE = 'interface 4.9, 2.8';

const siteKey = ({ id, caller, ifMatch }: Ask<unknown, unknown>): SiteKey => ({
  id,
  publisherId: caller.id,
  ifMatch,
});

const siteLoader =
  ({ db }: ConsoleDeps) =>
  async (key: SiteKey): Promise<SiteScreen> => {
    const site = await findSite(runner(db), key);
    if (site === undefined) throw notFound();
    return site;
  };

/** interface 4.9, and submit-audit for a site that was rejected. Mounted at /api/publisher/sites. */
export function siteRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addReads(router, deps);
  addWrites(router, deps);
  addMoves(router, deps);
  addVerification(router, deps);
  return router;
}

function addReads(router: Router, deps: ConsoleDeps): void {
  const load = siteLoader(deps);

  router.get(
    '/',
    route(
      {
        summary: 'List sites',
        rule: 'interface 4.9',
        query: listQuery,
        answer: pageOfItems(siteShape),
      },
      async ({ query, caller }) => {
        const page = pageOf(query);
        const owner = { side: 'publisher', ownerId: caller.id, by: 'site' } as const;
        const order = await readListOrder(deps, owner, query);
        const filter = {
          publisherId: caller.id,
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          status: query.status,
          auditStatus: query.audit_status,
          ...order,
          startDate: query.start_date,
          endDate: query.end_date,
        };
        const { rows, total } = await listSites(runner(deps.db), filter, page);
        return presentPage(rows.map(presentSite), total, page);
      },
    ),
  );

  router.get(
    '/:id',
    route({ summary: 'Show a site', rule: RULE, answer: siteShape }, async (ask) =>
      presentSite(await load(siteKey(ask))),
    ),
  );
}

function addWrites(router: Router, deps: ConsoleDeps): void {
  const load = siteLoader(deps);
  const { activities } = deps;

  router.post(
    '/',
    route(
      {
        summary: 'Declare a site; it enters review',
        rule: RULE,
        body: createSiteBody,
        answer: siteShape,
        statuses: [201],
        refusals: ['already_claimed'],
      },
      async ({ body, caller }) => {
        const publisherId = caller.id;
        const id = await activities.createSite(newSiteOf(publisherId, body));
        return presentSite(await load({ id, publisherId }));
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update a site; another domain or package begins verification and review again',
        rule: RULE,
        body: updateSiteBody,
        answer: siteShape,
        updates: true,
        current: async (ask) => presentSite(await load(siteKey(ask))),
        refusals: ['already_claimed', 'state_conflict'],
      },
      async (ask) => {
        const key = siteKey(ask);
        const site = await load(key);
        await activities.updateSite(key, patchOf(site, ask.body));
        return presentSite(await load(key));
      },
    ),
  );

  router.delete(
    '/:id',
    route(
      {
        summary: 'Archive a site with its zones; its domain or package is free again',
        rule: 'interface 4.9, 3',
        answer: archived(),
        // Of a suspended one.
        refusals: ['state_conflict'],
        updates: true,
      },
      async (ask) => {
        await activities.archiveSite(siteKey(ask));
        return { id: ask.id, status: 'ARCHIVED' as const };
      },
    ),
  );
}

function addMoves(router: Router, deps: ConsoleDeps): void {
  const load = siteLoader(deps);
  const { activities } = deps;
  for (const { path, summary, act } of [
    {
      path: '/:id/toggle',
      summary: 'Pause or resume a site',
      act: async (key: SiteKey) => await activities.toggleSite(key),
    },
    {
      path: '/:id/submit-audit',
      summary: 'Submit a rejected site for review again',
      act: async (key: SiteKey) => await activities.submitSiteAudit(key),
    },
  ]) {
    router.post(
      path,
      route({ summary, rule: 'interface 4.9, 3', answer: siteShape }, async (ask) => {
        const key = siteKey(ask);
        await act(key);
        return presentSite(await load(key));
      }),
    );
  }
  router.post(
    '/:id/appeal',
    route(
      {
        summary: 'Appeal the rejection of a site, once',
        rule: 'interface 4.9, 3',
        body: appealBody,
        answer: siteShape,
        refusals: ['state_conflict'],
      },
      async (ask) => {
        const key = siteKey(ask);
        const { id: of, publisherId: accountId } = key;
        await activities.appealReview({ type: 'site', id: of, accountId, text: ask.body.text });
        return presentSite(await load(key));
      },
    ),
  );
}

function addVerification(router: Router, deps: ConsoleDeps): void {
  const load = siteLoader(deps);
  const baseUrl = deps.config.urls.base;

  router.get(
    '/:id/verify-code',
    route(
      {
        summary: 'Show how to prove that a site is yours',
        rule: 'interface 4.9',
        answer: verifyCodeShape,
      },
      async (ask) => presentVerifyCode(await load(siteKey(ask)), adsTxtDomain(baseUrl)),
    ),
  );

  router.get(
    '/:id/ads-txt',
    route(
      {
        summary: "Show the line that the site's ads.txt or app-ads.txt needs",
        rule: 'interface 4.9',
        answer: adsTxtShape,
      },
      async (ask) =>
        presentAdsTxt(await load(siteKey(ask)), { adsTxtDomain: adsTxtDomain(baseUrl), baseUrl }),
    ),
  );

  router.post(
    '/:id/verify',
    route(
      {
        summary: 'Look for the proof now, then with backoff for 72 hours',
        rule: 'interface 4.9',
        body: verifyBody,
        answer: acceptedShape,
        statuses: [202],
      },
      async (ask) => {
        const { operationId } = await deps.activities.requestSiteVerification({
          siteId: ask.id,
          publisherId: ask.caller.id,
          method: verifyMethodOf(ask.body),
          retryAfterSeconds: VERIFY_RETRY_SECONDS,
        });
        return await acceptedOperation(deps, ask, operationId);
      },
    ),
  );
}
