import type * as yup from 'yup';
import type { AdScreenRow } from '../../db/queries/inventory-screens.ts';
import { adDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import { idOf, record, whole, words, wordsOrNull } from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import { adGroupFactsOf, campaignFactsOf, presentReview, stateFields } from './inventory.ts';

/** interface 2.3; a null landing_url falls back to the campaign's. */
export const adShape = record(
  {
    id: idOf(),
    campaign_id: idOf(),
    adgroup_id: idOf(),
    creative_id: idOf(),
    name: words(),
    landing_url: wordsOrNull(),
    title: wordsOrNull(),
    description: wordsOrNull(),
    button_text: wordsOrNull(),
    brand_name: wordsOrNull(),
    display_url: wordsOrNull(),
    weight: whole(),
    ...stateFields,
  },
  'Ad',
);

export function presentAd(row: AdScreenRow, moment: DeliveryMoment): yup.InferType<typeof adShape> {
  const delivery = adDelivery({
    ...campaignFactsOf(row),
    adGroup: adGroupFactsOf(row),
    ad: row,
    creative: {
      status: row.creativeStatus,
      auditStatus: row.creativeAuditStatus,
      hasApprovedRevision: row.creativeApprovedRevision !== null,
    },
    moment,
  });
  return presentRow(adShape, row, presentReview(row, delivery));
}
