import { Router } from 'express';
import * as yup from 'yup';
import type { AdGroupFields } from '../../activities/ad-groups.ts';
import { AD_GROUPS, type AdGroupRow } from '../../db/queries/inventory-rows.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { amount, id, name } from '../http/fields.ts';
import { readBody, readQuery } from '../http/read.ts';
import { presentAdGroup } from '../present/ad-group.ts';
import {
  draftField,
  type InventoryKind,
  listFields,
  ownedKey,
  ownedRoutes,
  readList,
  readRecord,
} from './owned-routes.ts';
import { nanosOf, readTargeting, targetingFields } from './targeting-fields.ts';

/** decisions 4; null inherits from the campaign. */
const fields = {
  campaign_id: id(),
  name: name(),
  bid: amount().nullable(),
  daily_budget: amount().nullable(),
  ...targetingFields,
};
const createBody = yup.object({
  ...fields,
  campaign_id: id().required(),
  name: name().required(),
  ...draftField,
});
const updateBody = yup.object(fields);
const listQuery = yup.object({ ...listFields, campaign_id: id() });

const AD_GROUP: InventoryKind<AdGroupRow> = {
  type: 'adgroup',
  select: AD_GROUPS,
  present: presentAdGroup,
};

export function adGroupRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities } = deps;

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const advertiserId = identityOf(req).id;
    const equals = { campaign_id: query.campaign_id };
    ok(res, await readList(deps, AD_GROUP, { advertiserId, query, equals }));
  });

  router.post('/', async (req, res) => {
    const body = readBody(req, createBody);
    const advertiserId = identityOf(req).id;
    const adGroupId = await activities.createAdGroup({
      ...fieldsOf(body),
      campaignId: body.campaign_id,
      name: body.name,
      advertiserId,
      saveAsDraft: body.save_as_draft ?? false,
    });
    created(res, await readRecord(deps, AD_GROUP, { id: adGroupId, advertiserId }));
  });

  router.put('/:id', async (req, res) => {
    const key = ownedKey(req, 'adgroup');
    const body = readBody(req, updateBody);
    await activities.updateAdGroup(key, { ...fieldsOf(body), campaignId: body.campaign_id });
    ok(res, await readRecord(deps, AD_GROUP, key));
  });

  router.use(ownedRoutes(deps, AD_GROUP));
  return router;
}

function fieldsOf(body: yup.InferType<typeof updateBody>): AdGroupFields {
  return {
    name: body.name,
    bidNanos: nanosOf(body.bid),
    dailyBudgetNanos: nanosOf(body.daily_budget),
    ...readTargeting(body, 'adgroup'),
  };
}
