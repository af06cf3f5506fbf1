import type * as yup from 'yup';
import type { AdRow } from '../../db/queries/inventory-rows.ts';
import { adDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import { idOf, record, whole, words, wordsOrNull } from '../http/response-shapes.ts';
import { adGroupFactsOf, campaignFactsOf, presentStates, stateFields } from './inventory.ts';

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

export function presentAd(row: AdRow, moment: DeliveryMoment): yup.InferType<typeof adShape> {
  const delivery = adDelivery({
    ...campaignFactsOf(row),
    adGroup: adGroupFactsOf(row),
    ad: { status: row.status, auditStatus: row.audit_status },
    creative: {
      status: row.creative_status,
      auditStatus: row.creative_audit_status,
      hasApprovedRevision: row.creative_approved,
    },
    moment,
  });
  return {
    id: Number(row.id),
    campaign_id: Number(row.campaign_id),
    adgroup_id: Number(row.adgroup_id),
    creative_id: Number(row.creative_id),
    name: row.name,
    landing_url: row.landing_url,
    title: row.title,
    description: row.description,
    button_text: row.button_text,
    brand_name: row.brand_name,
    display_url: row.display_url,
    weight: row.weight,
    ...presentStates(row, delivery),
  };
}
