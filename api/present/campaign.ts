import type * as yup from 'yup';
import type { AdFormatRow, CampaignRow } from '../../db/queries/inventory-rows.ts';
import { campaignDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import {
  idOf,
  idOrNullOf,
  moneyOrNull,
  record,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import {
  adsFactsOf,
  amountOrNull,
  campaignFactsOf,
  idOrNull,
  presentStates,
  presentTargeting,
  stateFields,
  targetingShapes,
} from './inventory.ts';

/** interface 2.3 under its own names; `price` and `bid` are one value. */
export const campaignShape = record(
  {
    id: idOf(),
    name: words(),
    ad_type: words(),
    campaign_option_id: idOrNullOf(),
    price: moneyOrNull(),
    bid: moneyOrNull(),
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
  row: CampaignRow,
  moment: DeliveryMoment,
): yup.InferType<typeof campaignShape> {
  const delivery = campaignDelivery({ ...campaignFactsOf(row), ads: adsFactsOf(row), moment });
  return {
    id: Number(row.id),
    name: row.name,
    ad_type: row.ad_type,
    campaign_option_id: idOrNull(row.campaign_option_id),
    price: amountOrNull(row.bid_nanos),
    bid: amountOrNull(row.bid_nanos),
    pricing_model: row.pricing_model,
    type: row.type,
    objective: row.objective,
    daily_budget: amountOrNull(row.daily_budget_nanos),
    total_budget: amountOrNull(row.total_budget_nanos),
    landing_url: row.landing_url,
    tracker_id: idOrNull(row.tracker_id),
    rotation_mode: row.rotation_mode,
    ...presentTargeting(row),
    ...presentStates(row, delivery),
  };
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
export function presentAdFormat(row: AdFormatRow): yup.InferType<typeof adFormatShape> {
  return {
    id: Number(row.id),
    code: row.code,
    name: row.name,
    ad_type: row.ad_type,
    width: row.width,
    height: row.height,
  };
}
