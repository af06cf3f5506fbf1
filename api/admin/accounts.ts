import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { type AccountOverview, listAccounts } from '../../db/queries/account-admin.ts';
import type { AccountKind } from '../../db/queries/accounts.ts';
import { notFound } from '../../domain/errors.ts';
import { accountLifecycle } from '../../domain/lifecycle/account.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { route } from '../http/route.ts';
import { endedShape } from '../present/session.ts';
import {
  advertiserOverviewShape,
  presentAdvertiserOverview,
  presentPublisherOverview,
  publisherOverviewShape,
} from '../present/account-overview.ts';

const RULE = 'interface 5.2';
const READERS = ['SUPPORT', 'FINANCE'] as const;
const REASON_LENGTH_MAX = 500;

const listQuery = yup.object({
  ...pageFields,
  keyword: text(),
  status: yup.string().oneOf(accountLifecycle.statuses),
});
const moveBody = yup.object({ reason: text(REASON_LENGTH_MAX) });
/** Whoever asks later is told by whose word. */
const holdBody = yup.object({ reason: text(REASON_LENGTH_MAX).required().min(1) });

interface AccountResource<Shape extends yup.ObjectSchema<object>> {
  /** `advertisers`, as the address has it. */
  path: string;
  kind: AccountKind;
  called: string;
  shape: Shape;
  present: (account: AccountOverview) => yup.InferType<Shape>;
}

const ADVERTISERS: AccountResource<typeof advertiserOverviewShape> = {
  path: 'advertisers',
  kind: 'ADVERTISER',
  called: 'an advertiser',
  shape: advertiserOverviewShape,
  present: presentAdvertiserOverview,
};

const PUBLISHERS: AccountResource<typeof publisherOverviewShape> = {
  path: 'publishers',
  kind: 'PUBLISHER',
  called: 'a publisher',
  shape: publisherOverviewShape,
  present: presentPublisherOverview,
};

/** /api/admin/advertisers and /publishers: SUPPORT and FINANCE read, ADMIN suspends and restores. */
export function adminAccountRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addReads(router, deps, ADVERTISERS);
  addReads(router, deps, PUBLISHERS);
  addMoves(router, deps, ADVERTISERS);
  addMoves(router, deps, PUBLISHERS);
  return router;
}

function addReads<Shape extends yup.ObjectSchema<object>>(
  router: Router,
  deps: ConsoleDeps,
  resource: AccountResource<Shape>,
): void {
  const { path, kind, called, shape, present } = resource;
  router.get(
    `/${path}`,
    route(
      {
        summary: `List ${path}`,
        rule: RULE,
        roles: READERS,
        query: listQuery,
        answer: pageOfItems(shape),
      },
      async ({ query }) => {
        const page = pageOf(query);
        const { items, total } = await listAccounts(runner(deps.db), {
          kind,
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          status: query.status,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(items.map(present), total, page);
      },
    ),
  );
  router.get(
    `/${path}/:id`,
    route(
      { summary: `Show ${called}`, rule: RULE, roles: READERS, answer: shape },
      async ({ id }) => await readOne(deps, resource, id),
    ),
  );
}

function addMoves<Shape extends yup.ObjectSchema<object>>(
  router: Router,
  deps: ConsoleDeps,
  resource: AccountResource<Shape>,
): void {
  const { path, kind, called, shape } = resource;
  router.post(
    `/${path}/:id/end-sessions`,
    route(
      {
        summary: `End every session of ${called} and its members; they may log in again`,
        rule: RULE,
        roles: [],
        answer: endedShape,
      },
      async ({ id, caller, req }) => ({
        ended: await deps.activities.endSessionsOf({
          kind,
          id,
          operatorId: caller.id,
          requestId: requestIdOf(req),
        }),
      }),
    ),
  );
  const moves = [
    [
      'suspend',
      `Suspend ${called}: tokens die and serving stops at once`,
      'suspendAccount',
      moveBody,
    ],
    ['restore', `Restore ${called}; old tokens stay dead`, 'restoreAccount', moveBody],
    [
      'hold-papers',
      `Keep the identity papers of ${called} from being erased while a law or a court asks for them`,
      'holdPapers',
      holdBody,
    ],
    [
      'release-papers',
      `Let the identity papers of ${called} be erased in their time`,
      'releasePapers',
      holdBody,
    ],
  ] as const;
  for (const [move, summary, activity, body] of moves) {
    router.post(
      `/${path}/:id/${move}`,
      route(
        { summary, rule: RULE, roles: [], body, answer: shape },
        async ({ id, body: { reason }, caller, req }) => {
          const requestId = requestIdOf(req);
          const operatorId = caller.id;
          await deps.activities[activity]({ kind, id, operatorId, reason, requestId });
          return await readOne(deps, resource, id);
        },
      ),
    );
  }
}

async function readOne<Shape extends yup.ObjectSchema<object>>(
  deps: ConsoleDeps,
  { kind, present }: AccountResource<Shape>,
  id: number,
): Promise<yup.InferType<Shape>> {
  const { items } = await listAccounts(runner(deps.db), { kind, id, limit: 1, offset: 0 });
  const [account] = items;
  if (account === undefined) throw notFound();
  return present(account);
}
