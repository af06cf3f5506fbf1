import { Router } from 'express';
import * as yup from 'yup';
import { AD_GROUPS, type AdGroupScreenRow } from '../../db/queries/inventory-screens.ts';
import { ADGROUP_FIELDS, type AdGroupFields } from '../../db/tables/ad-group.ts';
import { AD_GROUP_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { amount, budget, id, name } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { columnsFrom } from '../http/wire.ts';
import { adGroupShape, presentAdGroup } from '../present/ad-group.ts';
import { figureSortFields } from '../reports/figure-order.ts';
import {
  draftField,
  type InventoryKind,
  keyOf,
  lifecycleRoutes,
  listFields,
  readList,
  readRecord,
} from './lifecycle-routes.ts';
import { nanosOf, readTargeting, targetingFields } from './targeting-fields.ts';

/** interface 2.3; null inherits from the campaign. */
const fields = {
  campaign_id: id(),
  name: name(),
  bid: amount().nullable(),
  daily_budget: budget(),
  ...targetingFields,
};
const createBody = yup.object({
  ...fields,
  campaign_id: id().required(),
  name: name().required(),
  ...draftField,
});
const updateBody = yup.object(fields);
const listQuery = yup.object({
  ...listFields,
  ...figureSortFields('advertiser', AD_GROUP_SORTS),
  campaign_id: id(),
});

const AD_GROUP: InventoryKind<AdGroupScreenRow, typeof adGroupShape> = {
  type: 'adgroup',
  called: 'an ad group',
  rule: 'interface 4.3',
  shape: adGroupShape,
  screen: AD_GROUPS,
  present: presentAdGroup,
};

export function adGroupRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities } = deps;

  router.get(
    '/',
    route(
      {
        summary: 'List ad groups',
        rule: 'interface 4.3, 2.3',
        query: listQuery,
        answer: pageOfItems(adGroupShape),
      },
      async ({ query, caller }) => {
        const equals = { campaignId: query.campaign_id };
        return await readList(deps, AD_GROUP, { advertiserId: caller.id, query, equals });
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Create an ad group; it enters review',
        rule: 'interface 4.3, 2.3',
        body: createBody,
        answer: adGroupShape,
        statuses: [201],
      },
      async ({ body, caller }) => {
        const advertiserId = caller.id;
        const id = await activities.createAdGroup({
          ...fieldsOf(body),
          campaignId: body.campaign_id,
          name: body.name,
          advertiserId,
          saveAsDraft: body.save_as_draft ?? false,
        });
        return await readRecord(deps, AD_GROUP, { id, advertiserId });
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update an ad group',
        rule: 'interface 4.3, 2.3',
        body: updateBody,
        answer: adGroupShape,
        updates: true,
        current: async (ask) => await readRecord(deps, AD_GROUP, keyOf(ask, 'adgroup')),
      },
      async (ask) => {
        const key = keyOf(ask, 'adgroup');
        const { body } = ask;
        await activities.updateAdGroup(key, { ...fieldsOf(body), campaignId: body.campaign_id });
        return await readRecord(deps, AD_GROUP, key);
      },
    ),
  );

  router.use(lifecycleRoutes(deps, AD_GROUP));
  return router;
}

function fieldsOf(body: yup.InferType<typeof updateBody>): AdGroupFields {
  const { campaign_id: _parent, bid, daily_budget: daily, ...columns } = body;
  return {
    ...columnsFrom(columns, ADGROUP_FIELDS),
    bidNanos: nanosOf(bid),
    dailyBudgetNanos: nanosOf(daily),
    ...readTargeting(body, 'adgroup'),
  };
}
