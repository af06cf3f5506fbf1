import type * as yup from 'yup';
import type { AdGroupRow } from '../../db/queries/inventory-rows.ts';
import { adGroupDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import { idOf, moneyOrNull, record, words } from '../http/response-shapes.ts';
import {
  adGroupFactsOf,
  adsFactsOf,
  amountOrNull,
  campaignFactsOf,
  presentStates,
  presentTargeting,
  stateFields,
  targetingShapes,
} from './inventory.ts';

/** interface 2.3; null inherits from the campaign. */
export const adGroupShape = record(
  {
    id: idOf(),
    campaign_id: idOf(),
    name: words(),
    bid: moneyOrNull(),
    daily_budget: moneyOrNull(),
    ...targetingShapes,
    ...stateFields,
  },
  'AdGroup',
);

export function presentAdGroup(
  row: AdGroupRow,
  moment: DeliveryMoment,
): yup.InferType<typeof adGroupShape> {
  const delivery = adGroupDelivery({
    ...campaignFactsOf(row),
    adGroup: adGroupFactsOf(row),
    ads: adsFactsOf(row),
    moment,
  });
  return {
    id: Number(row.id),
    campaign_id: Number(row.campaign_id),
    name: row.name,
    bid: amountOrNull(row.bid_nanos),
    daily_budget: amountOrNull(row.daily_budget_nanos),
    ...presentTargeting(row),
    ...presentStates(row, delivery),
  };
}
