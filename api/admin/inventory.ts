import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listInventory } from '../../db/queries/inventory.ts';
import { AD_GROUPS, ADS, CAMPAIGNS, CREATIVES } from '../../db/queries/inventory-screens.ts';
import { findOwner, type Owner, readOwner } from '../../db/queries/inventory-owner.ts';
import { listSites, listZones } from '../../db/queries/publisher.ts';
import { notFound } from '../../domain/errors.ts';
import { OWNER_STATUSES, SITE_AUDIT_STATUSES } from '../../domain/lifecycle/review.ts';
import { REVIEW_SUBJECT_TYPES, type ReviewSubjectType } from '../../workflows/contracts/review.ts';
import { readDeliveryMoment } from '../delivery-moment.ts';
import type { ConsoleDeps } from '../deps.ts';
import { id, text } from '../http/fields.ts';
import { likePattern, pageFields, pageOf, presentPage } from '../http/pagination.ts';
import { requestIdOf } from '../http/request-id.ts';
import { idOf, listOf, oneOf, pageOfItems, record, time, words } from '../http/response-shapes.ts';
import { route } from '../http/route.ts';
import { presentAdGroup } from '../present/ad-group.ts';
import { presentAd } from '../present/ad.ts';
import { presentCampaign } from '../present/campaign.ts';
import { presentCreative } from '../present/creative.ts';
import { reviewReasonShape, stateFields } from '../present/inventory.ts';
import { presentSite } from '../present/site.ts';
import { NO_DETAIL, taskDetailShape } from '../present/task-detail.ts';
import { presentZone } from '../present/zone.ts';
import { addressesOf, INVENTORY_DETAIL } from './inventory-detail.ts';

const RULE = 'interface 5.2';
const READERS = ['REVIEWER', 'FINANCE', 'SUPPORT'] as const;
const NOTE_MAX = 500;

const subjectType = () => yup.string().oneOf(REVIEW_SUBJECT_TYPES);
const listQuery = (types: readonly ReviewSubjectType[]) =>
  yup.object({
    ...pageFields,
    subject_type: yup.string().oneOf(types),
    keyword: text(100),
    status: yup.string().oneOf(OWNER_STATUSES),
    audit_status: yup.string().oneOf(SITE_AUDIT_STATUSES),
  });
const oneQuery = yup.object({
  subject_type: subjectType().required(),
  subject_id: id().required(),
});
const noteBody = yup.object({ note: text(NOTE_MAX).required() });
const recallBody = yup.object({
  subject_type: subjectType().required(),
  subject_id: id().required(),
  note: text(NOTE_MAX).required(),
});

const { status, audit_status, delivery_status, delivery_reasons } = stateFields;
const itemFields = {
  type: oneOf(REVIEW_SUBJECT_TYPES),
  id: idOf(),
  account_id: idOf(),
  /** As it calls itself. */
  account_name: words(),
  name: words(),
  status,
  audit_status,
  audit_reasons: listOf(reviewReasonShape),
  /** As its owner is told. */
  delivery_status,
  delivery_reasons,
  created_at: time(),
};
const itemShape = record(itemFields, 'InventoryItem');
const pageShape = record(
  {
    ...itemFields,
    /** As a reviewer sees it; what it is not stands as null. */
    detail: taskDetailShape,
  },
  'InventoryPage',
);
type Item = yup.InferType<typeof itemShape>;
type Own = Omit<Item, 'type' | 'account_id' | 'account_name'>;

/** interface 5.2: what accounts run, whenever an operator asks about it, and what was approved taken back. */
export function inventoryRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  router.get(
    '/item',
    route(
      {
        summary: 'Show what an account runs, as reviewers see it, and why it serves or does not',
        rule: RULE,
        roles: READERS,
        query: oneQuery,
        answer: pageShape,
        refusals: ['not_found'],
      },
      async ({ query }) => await read(deps, query.subject_type, query.subject_id),
    ),
  );
  router.post(
    '/recall',
    route(
      {
        summary:
          'Take what was approved back into review: it stops serving at once, a person decides anew',
        rule: RULE,
        roles: ['REVIEWER'],
        body: recallBody,
        answer: pageShape,
        refusals: ['not_found', 'state_conflict'],
      },
      async ({ body, caller, req }) => {
        const { subject_type: type, subject_id: subjectId, note } = body;
        const requestId = requestIdOf(req);
        const recall = { type, id: subjectId, note, requestId, operatorId: caller.id };
        await deps.activities.recallApproval(recall);
        return await read(deps, type, subjectId);
      },
    ),
  );
  addSuspension(router, deps);
  return router;
}

/** interface 3: a site is taken out of serving without a review, and let in again, by an operator alone. */
function addSuspension(router: Router, deps: ConsoleDeps): void {
  const moves = [
    ['suspend', 'Take an approved site out of serving at once, until an operator restores it'],
    ['restore', 'Let a suspended site serve again'],
  ] as const;
  for (const [move, summary] of moves) {
    router.post(
      `/sites/:id/${move}`,
      route(
        {
          summary,
          rule: RULE,
          roles: ['REVIEWER'],
          body: noteBody,
          answer: pageShape,
          refusals: ['not_found', 'state_conflict'],
        },
        async ({ id: siteId, body: { note }, caller, req }) => {
          const requestId = requestIdOf(req);
          const operatorId = caller.id;
          await deps.activities.suspendSite({ move, siteId, note, operatorId, requestId });
          return await read(deps, 'site', siteId);
        },
      ),
    );
  }
}

const ADVERTISED = ['campaign', 'adgroup', 'ad', 'creative'] as const;
const PLACED = ['site', 'zone'] as const;

/** interface 5.2: of one account. */
export function accountInventoryRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  addList(router, deps, { kind: 'ADVERTISER', path: '/advertisers', types: ADVERTISED });
  addList(router, deps, { kind: 'PUBLISHER', path: '/publishers', types: PLACED });
  return router;
}

interface Side {
  kind: 'ADVERTISER' | 'PUBLISHER';
  path: string;
  /** The first is what is listed unless another is asked for. */
  types: readonly [ReviewSubjectType, ...ReviewSubjectType[]];
}

function addList(router: Router, deps: ConsoleDeps, { kind, path, types }: Side): void {
  router.get(
    `${path}/:id/inventory`,
    route(
      {
        summary: `List what ${kind === 'ADVERTISER' ? 'an advertiser' : 'a publisher'} runs, of one kind, as its owner sees it; newest first`,
        rule: RULE,
        roles: READERS,
        query: listQuery(types),
        answer: pageOfItems(itemShape),
      },
      async ({ id: accountId, query }) => {
        const owner = await readOwner(runner(deps.db), { id: accountId, kind });
        if (owner === undefined) throw notFound();
        const page = pageOf(query);
        const { subject_type: type = types[0] } = query;
        const { rows, total } = await LISTS[type](deps, {
          accountId,
          pattern: query.keyword === undefined ? undefined : likePattern(query.keyword),
          status: query.status,
          auditStatus: query.audit_status,
          limit: page.limit,
          offset: page.offset,
        });
        return presentPage(
          rows.map((row) => itemOf(type, owner, row)),
          total,
          page,
        );
      },
    ),
  );
}

const itemOf = (type: ReviewSubjectType, owner: Owner, row: Own): Item => ({
  type,
  id: row.id,
  account_id: owner.id,
  account_name: owner.name,
  name: row.name,
  status: row.status,
  audit_status: row.audit_status,
  audit_reasons: row.audit_reasons,
  delivery_status: row.delivery_status,
  delivery_reasons: row.delivery_reasons,
  created_at: row.created_at,
});

async function read(
  deps: ConsoleDeps,
  type: ReviewSubjectType,
  subjectId: number,
): Promise<yup.InferType<typeof pageShape>> {
  const owner = await findOwner(runner(deps.db), { type, id: subjectId });
  if (owner === undefined) throw notFound();
  const looked = { subjectType: type, subjectId, accountId: owner.id, payload: {} };
  const detail = { ...NO_DETAIL, ...(await INVENTORY_DETAIL[type](deps, looked)) };
  const own = detail[type];
  if (own === null) throw notFound();
  return { ...itemOf(type, owner, own), detail };
}

interface Asked {
  accountId: number;
  pattern: string | undefined;
  status: string | undefined;
  auditStatus: string | undefined;
  limit: number;
  offset: number;
}
type List = (deps: ConsoleDeps, asked: Asked) => Promise<{ rows: Own[]; total: number }>;

/** Of an advertiser, through its own screens. */
const ofAdvertiser =
  <Row>(
    screen: Parameters<typeof listInventory<Row>>[1],
    present: (
      row: Row,
      moment: Awaited<ReturnType<typeof readDeliveryMoment>>,
      deps: ConsoleDeps,
    ) => Own,
  ): List =>
  async (deps, { accountId, limit, offset, ...filter }) => {
    const moment = await readDeliveryMoment(deps);
    const { rows, total } = await listInventory(runner(deps.db), screen, {
      filter: { ...filter, advertiserId: accountId },
      slice: { limit, offset },
      day: moment.day,
    });
    return { rows: rows.map((row) => present(row, moment, deps)), total };
  };

const LISTS: Readonly<Record<ReviewSubjectType, List>> = {
  campaign: ofAdvertiser(CAMPAIGNS, presentCampaign),
  adgroup: ofAdvertiser(AD_GROUPS, presentAdGroup),
  ad: ofAdvertiser(ADS, presentAd),
  creative: ofAdvertiser(CREATIVES, (row, _moment, deps) =>
    presentCreative(row, addressesOf(deps)),
  ),
  site: async (deps, { accountId, limit, offset, ...filter }) => {
    const asked = { ...filter, publisherId: accountId };
    const { rows, total } = await listSites(runner(deps.db), asked, { limit, offset });
    return { rows: rows.map(presentSite), total };
  },
  zone: async (deps, { accountId, limit, offset, ...filter }) => {
    const asked = { ...filter, publisherId: accountId };
    const { rows, total } = await listZones(runner(deps.db), asked, { limit, offset });
    return { rows: rows.map(presentZone), total };
  },
};
