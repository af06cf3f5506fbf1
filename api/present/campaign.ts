import type * as yup from 'yup';
import type { CampaignScreenRow } from '../../db/queries/inventory-screens.ts';
import type { AdFormatRow } from '../../db/tables/ad-format.ts';
import { campaignDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import {
  idOf,
  idOrNullOf,
  money,
  moneyOrNull,
  record,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import { campaignFactsOf, presentReview, stateFields, targetingShapes } from './inventory.ts';

/** interface 2.3 under its own names; `bid` is what it bids, its `price` where it has no own. */
export const campaignShape = record(
  {
    id: idOf(),
    name: words(),
    ad_type: words(),
    campaign_option_id: idOrNullOf(),
    price: moneyOrNull(),
    bid: money(),
    pricing_model: words(),
    type: words(),
    objective: words(),
    daily_budget: moneyOrNull(),
    total_budget: moneyOrNull(),
    landing_url: wordsOrNull(),
    tracker_id: idOrNullOf(),
    rotation_mode: words(),
    ...targetingShapes,
    ...stateFields,
  },
  'Campaign',
);

export function presentCampaign(
  row: CampaignScreenRow,
  moment: DeliveryMoment,
): yup.InferType<typeof campaignShape> {
  const delivery = campaignDelivery({ ...campaignFactsOf(row), ads: row, moment });
  return presentRow(campaignShape, row, {
    ...presentReview(row, delivery),
  });
}

export const adFormatShape = record(
  {
    id: idOf(),
    code: words(),
    name: words(),
    ad_type: words(),
    width: wholeOrNull(),
    height: wholeOrNull(),
  },
  'AdFormat',
);

/** A choice for campaign_option_id or size_id (interface 4.2). */
export const presentAdFormat = (row: AdFormatRow): yup.InferType<typeof adFormatShape> =>
  presentRow(adFormatShape, row, {});
