import { Router } from 'express';
import * as yup from 'yup';
import type { AdFields } from '../../activities/ads.ts';
import { ADS, type AdRow } from '../../db/queries/inventory-rows.ts';
import type { LandingUrlRules } from '../../domain/creative/landing-url.ts';
import type { ConsoleDeps } from '../deps.ts';
import { identityOf } from '../http/auth.ts';
import { created, ok } from '../http/envelope.ts';
import { id, name, text } from '../http/fields.ts';
import { readBody, readQuery } from '../http/read.ts';
import { presentAd } from '../present/ad.ts';
import { landingUrl } from './landing-field.ts';
import {
  draftField,
  type InventoryKind,
  listFields,
  ownedKey,
  ownedRoutes,
  readList,
  readRecord,
} from './owned-routes.ts';
import { emptyToNull } from './targeting-fields.ts';

const TITLE_MAX = 120;
const DESCRIPTION_MAX = 1_000;
const BUTTON_MAX = 40;
const BRAND_MAX = 80;

/** decisions 4. */
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
  campaign_id: id(),
  adgroup_id: id(),
  creative_id: id(),
});

const AD: InventoryKind<AdRow> = { type: 'ad', select: ADS, present: presentAd };

export function adRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities, config } = deps;
  const fields = adFields({ publicHostOnly: config.env === 'production' });
  const createBody = createRules(fields);
  const updateBody = updateRules(fields);

  router.get('/', async (req, res) => {
    const query = readQuery(req, listQuery);
    const advertiserId = identityOf(req).id;
    const { campaign_id, adgroup_id, creative_id } = query;
    const equals = { campaign_id, adgroup_id, creative_id };
    ok(res, await readList(deps, AD, { advertiserId, query, equals }));
  });

  router.post('/', async (req, res) => {
    const body = readBody(req, createBody);
    const advertiserId = identityOf(req).id;
    const adId = await activities.createAd({
      ...fieldsOf(body),
      adgroupId: body.adgroup_id,
      creativeId: body.creative_id,
      name: body.name,
      advertiserId,
      saveAsDraft: body.save_as_draft ?? false,
    });
    created(res, await readRecord(deps, AD, { id: adId, advertiserId }));
  });

  router.put('/:id', async (req, res) => {
    const key = ownedKey(req, 'ad');
    const body = readBody(req, updateBody);
    await activities.updateAd(key, { ...fieldsOf(body), adgroupId: body.adgroup_id });
    ok(res, await readRecord(deps, AD, key));
  });

  router.use(ownedRoutes(deps, AD));
  return router;
}

function fieldsOf(body: yup.InferType<ReturnType<typeof updateRules>>): AdFields {
  return {
    name: body.name,
    creativeId: body.creative_id,
    landingUrl: emptyToNull(body.landing_url),
    title: body.title,
    description: body.description,
    buttonText: body.button_text,
    brandName: body.brand_name,
    displayUrl: body.display_url,
    weight: body.weight,
  };
}
