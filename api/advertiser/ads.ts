import { Router } from 'express';
import * as yup from 'yup';
import { AD_REVISIONS } from '../../db/queries/ad-revisions.ts';
import { ADS, type AdScreenRow } from '../../db/queries/inventory-screens.ts';
import { AD_FIELDS, type AdFields } from '../../db/tables/ad.ts';
import type { LandingUrlRules } from '../../domain/creative/landing-url.ts';
import { AD_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { pageOfItems } from '../http/response-shapes.ts';
import { id, name, text } from '../http/fields.ts';
import { route } from '../http/route.ts';
import { columnsFrom } from '../http/wire.ts';
import { adRevisionShape, adShape, presentAd, presentAdRevision } from '../present/ad.ts';
import { figureSortFields } from '../reports/figure-order.ts';
import { landingUrl } from './landing-field.ts';
import {
  draftField,
  type InventoryKind,
  keyOf,
  lifecycleRoutes,
  listFields,
  readList,
  readRecord,
} from './lifecycle-routes.ts';
import { revisionRoutes } from './revision-routes.ts';
import { emptyToNull } from './targeting-fields.ts';

const TITLE_MAX = 120;
const DESCRIPTION_MAX = 1_000;
const BUTTON_MAX = 40;
const BRAND_MAX = 80;

/** interface 2.3. */
const adFields = (rules: LandingUrlRules) => ({
  adgroup_id: id(),
  creative_id: id(),
  name: name(),
  landing_url: landingUrl(rules),
  title: text(TITLE_MAX).nullable(),
  description: text(DESCRIPTION_MAX).nullable(),
  button_text: text(BUTTON_MAX).nullable(),
  brand_name: text(BRAND_MAX).nullable(),
  /** Shown as text, such as `shop.example/sale`; nothing leads there. */
  display_url: text().nullable(),
  weight: yup.number().integer().min(1).max(100),
});
const createRules = (fields: ReturnType<typeof adFields>) =>
  yup.object({
    ...fields,
    adgroup_id: id().required(),
    creative_id: id().required(),
    name: name().required(),
    ...draftField,
  });
const updateRules = (fields: ReturnType<typeof adFields>) => yup.object(fields);
const listQuery = yup.object({
  ...listFields,
  ...figureSortFields('advertiser', AD_SORTS),
  campaign_id: id(),
  adgroup_id: id(),
  creative_id: id(),
});

const AD: InventoryKind<AdScreenRow, typeof adShape> = {
  type: 'ad',
  called: 'an ad',
  rule: 'interface 4.3',
  shape: adShape,
  screen: ADS,
  present: presentAd,
};

export function adRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities, config } = deps;
  const fields = adFields({ publicHostOnly: config.env === 'production' });
  const createBody = createRules(fields);
  const updateBody = updateRules(fields);

  router.get(
    '/',
    route(
      {
        summary: 'List ads',
        rule: 'interface 4.3, 2.3',
        query: listQuery,
        answer: pageOfItems(adShape),
      },
      async ({ query, caller }) => {
        const equals = {
          campaignId: query.campaign_id,
          adGroupId: query.adgroup_id,
          creativeId: query.creative_id,
        };
        return await readList(deps, AD, { advertiserId: caller.id, query, equals });
      },
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Create an ad; it enters review',
        rule: 'interface 4.3, 2.3',
        body: createBody,
        answer: adShape,
        statuses: [201],
      },
      async ({ body, caller }) => {
        const advertiserId = caller.id;
        const id = await activities.createAd({
          ...fieldsOf(body),
          adGroupId: body.adgroup_id,
          creativeId: body.creative_id,
          name: body.name,
          advertiserId,
          saveAsDraft: body.save_as_draft ?? false,
        });
        return await readRecord(deps, AD, { id, advertiserId });
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update an ad',
        rule: 'interface 4.3, 2.3',
        body: updateBody,
        answer: adShape,
        updates: true,
        current: async (ask) => await readRecord(deps, AD, keyOf(ask, 'ad')),
      },
      async (ask) => {
        const key = keyOf(ask, 'ad');
        const { body } = ask;
        await activities.updateAd(key, { ...fieldsOf(body), adGroupId: body.adgroup_id });
        return await readRecord(deps, AD, key);
      },
    ),
  );

  router.use(
    revisionRoutes(deps, {
      summary: 'List the revisions of an ad',
      rule: 'interface 4.3, 2.5',
      screen: AD_REVISIONS,
      shape: adRevisionShape,
      present: presentAdRevision,
    }),
  );
  router.use(lifecycleRoutes(deps, AD));
  return router;
}

function fieldsOf(body: yup.InferType<ReturnType<typeof updateRules>>): AdFields {
  const { adgroup_id: _parent, ...columns } = body;
  return {
    ...columnsFrom(columns, AD_FIELDS),
    landingUrl: emptyToNull(body.landing_url),
  };
}
