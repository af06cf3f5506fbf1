import type * as yup from 'yup';
import type { AdGroupScreenRow } from '../../db/queries/inventory-screens.ts';
import { adGroupDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import { idOf, moneyOrNull, record, words } from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import {
  adGroupFactsOf,
  campaignFactsOf,
  presentReview,
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
  row: AdGroupScreenRow,
  moment: DeliveryMoment,
): yup.InferType<typeof adGroupShape> {
  const adGroup = adGroupFactsOf(row);
  const delivery = adGroupDelivery({ ...campaignFactsOf(row), adGroup, ads: row, moment });
  return presentRow(adGroupShape, row, presentReview(row, delivery));
}
