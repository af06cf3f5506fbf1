import { Router } from 'express';
import * as yup from 'yup';
import { runner } from '../../db/postgres.ts';
import { listAdFormats } from '../../db/queries/ad-formats.ts';
import { CAMPAIGNS, type CampaignScreenRow } from '../../db/queries/inventory-screens.ts';
import type { CampaignPatch } from '../../activities/inventory/campaigns.ts';
import { CAMPAIGN_FIELDS } from '../../db/tables/campaign.ts';
import type { LandingUrlRules } from '../../domain/creative/landing-url.ts';
import { DomainError } from '../../domain/errors.ts';
import {
  AD_TYPES,
  BID_REQUIRED,
  campaignFaults,
  PRICING_MODELS,
  ROTATION_MODES,
  scheduleFaults,
} from '../../domain/inventory.ts';
import { SITE_AUDIT_STATUSES } from '../../domain/lifecycle/review.ts';
import { CAMPAIGN_SORTS } from '../../db/queries/sorting.ts';
import type { ConsoleDeps } from '../deps.ts';
import { idOf, listOf, oneOfOrNull, pageOfItems, record, whole } from '../http/response-shapes.ts';
import { amount, budget, id, name, objectRules } from '../http/fields.ts';
import { requireBasicProfile } from '../accounts/profile-gates.ts';
import { route } from '../http/route.ts';
import { columnsFrom } from '../http/wire.ts';
import {
  adFormatShape,
  campaignShape,
  presentAdFormat,
  presentCampaign,
} from '../present/campaign.ts';
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
import { emptyToNull, nanosOf, readTargeting, targetingFields } from './targeting-fields.ts';

const BATCH_MAX = 100;

/** A word of the buyer's own vocabulary, such as PERFORMANCE or TRAFFIC; it changes nothing here. */
const label = () =>
  yup
    .string()
    .matches(/^[A-Z][A-Z0-9_]{0,39}$/, 'must be upper-case letters, digits and underscore');

const campaignFields = (rules: LandingUrlRules) => ({
  name: name(),
  ad_type: yup.string().oneOf(AD_TYPES),
  campaign_option_id: id().nullable(),
  price: amount().nullable(),
  bid: amount().nullable(),
  pricing_model: yup.string().oneOf(PRICING_MODELS),
  type: label(),
  objective: label(),
  daily_budget: budget(),
  total_budget: budget(),
  landing_url: landingUrl(rules),
  tracker_id: id().nullable(),
  rotation_mode: yup.string().oneOf(ROTATION_MODES),
  ...targetingFields,
});

/** Rules over several fields (interface 2.3), named together with the faults of single fields. */
const createRules = (fields: ReturnType<typeof campaignFields>) =>
  yup.object({ ...fields, name: name().required(), ...draftField }).test(
    'terms',
    objectRules((body) => {
      const required = (path: string, message: string) => ({
        field: path,
        code: 'required',
        message,
      });
      return [
        ...((body.bid ?? body.price ?? null) === null ? [BID_REQUIRED] : []),
        ...(body.ad_type === undefined && typeof body.campaign_option_id !== 'number'
          ? [required('ad_type', 'An ad_type or a campaign_option_id is required.')]
          : []),
        ...campaignFaults({
          pricingModel: body.pricing_model ?? 'CPC',
          trackerId: body.tracker_id ?? null,
        }),
        ...scheduleFaults(emptyToNull(body.start_date) ?? null, emptyToNull(body.end_date) ?? null),
      ];
    }),
  );

const listQuery = yup.object({
  ...listFields,
  ...figureSortFields('advertiser', CAMPAIGN_SORTS),
  pricing_model: yup.string().oneOf(PRICING_MODELS),
});
const batchBody = yup.object({
  ids: yup.array().of(id().required()).min(1).max(BATCH_MAX).required(),
});

const updateRules = (fields: ReturnType<typeof campaignFields>) => yup.object(fields);
type CampaignBody = yup.InferType<ReturnType<typeof updateRules>>;

export function campaignRoutes(deps: ConsoleDeps): Router {
  const router = Router();
  const { activities, config, db } = deps;
  const fields = campaignFields({ publicHostOnly: config.env === 'production' });
  const createBody = createRules(fields);
  const updateBody = updateRules(fields);

  const rule = 'interface 4.2';

  router.get(
    '/',
    route(
      { summary: 'List campaigns', rule, query: listQuery, answer: pageOfItems(campaignShape) },
      async ({ query, caller }) => {
        const equals = { pricingModel: query.pricing_model };
        return await readList(deps, CAMPAIGN, { advertiserId: caller.id, query, equals });
      },
    ),
  );

  router.get(
    '/options',
    route(
      {
        summary: 'List ad formats, for campaign_option_id and size_id',
        rule: 'interface 4.2',
        answer: record({ items: listOf(adFormatShape) }),
      },
      async () => ({ items: (await listAdFormats(runner(db))).map(presentAdFormat) }),
    ),
  );

  router.post(
    '/',
    route(
      {
        summary: 'Create a campaign; it enters review',
        rule: 'interface 4.2, 2.3',
        body: createBody,
        answer: campaignShape,
        statuses: [201],
        gate: requireBasicProfile(deps),
        refusals: ['profile_incomplete'],
      },
      async ({ body, caller }) => {
        const campaignId = await activities.createCampaign({
          ...fieldsOf(body),
          name: body.name,
          advertiserId: caller.id,
          saveAsDraft: body.save_as_draft ?? false,
        });
        return await readRecord(deps, CAMPAIGN, { id: campaignId, advertiserId: caller.id });
      },
    ),
  );

  router.put(
    '/:id',
    route(
      {
        summary: 'Update a campaign',
        rule: 'interface 4.2, 2.3',
        body: updateBody,
        answer: campaignShape,
        updates: true,
        current: async (ask) => await readRecord(deps, CAMPAIGN, keyOf(ask, 'campaign')),
      },
      async (ask) => {
        const key = keyOf(ask, 'campaign');
        await activities.updateCampaign(key, fieldsOf(ask.body));
        return await readRecord(deps, CAMPAIGN, key);
      },
    ),
  );

  addReviewAndCopy(router, deps);
  router.use(lifecycleRoutes(deps, CAMPAIGN));
  return router;
}

function addReviewAndCopy(router: Router, deps: ConsoleDeps): void {
  router.post(
    '/batch-submit-audit',
    route(
      {
        summary: 'Submit several campaigns for review',
        rule: 'interface 4.2',
        body: batchBody,
        answer: batchShape,
      },
      async ({ body, caller }) => {
        const items = [];
        for (const campaignId of new Set(body.ids)) {
          items.push(await submitOne(deps, { id: campaignId, advertiserId: caller.id }));
        }
        const submitted = items.filter((item) => item.error === null).length;
        return { items, submitted, refused: items.length - submitted };
      },
    ),
  );

  router.post(
    '/:id/copy',
    route(
      {
        summary: 'Copy a campaign with its ad groups and ads, as drafts',
        rule: 'interface 4.2, 3',
        answer: campaignShape,
        statuses: [201],
      },
      async (ask) => {
        const key = keyOf(ask, 'campaign');
        const id = await deps.activities.copyCampaign(key);
        return await readRecord(deps, CAMPAIGN, { id, advertiserId: key.advertiserId });
      },
    ),
  );
}

const CAMPAIGN: InventoryKind<CampaignScreenRow, typeof campaignShape> = {
  type: 'campaign',
  called: 'a campaign',
  rule: 'interface 4.2',
  screen: CAMPAIGNS,
  shape: campaignShape,
  present: presentCampaign,
};

/** Each campaign answers for itself; `error` is the refusal's token. */
const batchShape = record({
  items: listOf(
    record({
      id: idOf(),
      audit_status: oneOfOrNull(SITE_AUDIT_STATUSES),
      error: oneOfOrNull(['not_found', 'state_conflict']),
    }),
  ),
  submitted: whole(),
  refused: whole(),
});

/** One refusal does not undo the others: each campaign answers for itself. */
async function submitOne(deps: ConsoleDeps, key: { id: number; advertiserId: number }) {
  try {
    await deps.activities.submitInventory({ ...key, type: 'campaign' });
    return { id: key.id, audit_status: 'PENDING' as const, error: null };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const { token, hints } = error;
    if (token !== 'not_found' && token !== 'state_conflict') throw error;
    const from = SITE_AUDIT_STATUSES.find((status) => status === hints?.['from']) ?? null;
    return { id: key.id, audit_status: from, error: token };
  }
}

function fieldsOf(body: CampaignBody): CampaignPatch {
  const { price, bid, daily_budget: daily, total_budget: total, ...columns } = body;
  return {
    ...columnsFrom(columns, CAMPAIGN_FIELDS),
    bidNanos: nanosOf(bid),
    priceNanos: nanosOf(price),
    dailyBudgetNanos: nanosOf(daily),
    totalBudgetNanos: nanosOf(total),
    landingUrl: emptyToNull(body.landing_url),
    ...readTargeting(body, 'campaign'),
  };
}
