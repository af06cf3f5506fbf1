import type * as yup from 'yup';
import type { AdRevisionScreenRow } from '../../db/queries/ad-revisions.ts';
import type { AdScreenRow } from '../../db/queries/inventory-screens.ts';
import { adDelivery, type DeliveryMoment } from '../../domain/lifecycle/delivery.ts';
import {
  idOf,
  moving,
  record,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';
import { presentRow } from '../http/wire.ts';
import {
  adGroupFactsOf,
  campaignFactsOf,
  presentReview,
  revisionFields,
  stateFields,
} from './inventory.ts';

/** interface 2.3: what viewers see or are led to; a null landing_url falls back to the campaign's. */
const contentFields = {
  creative_id: idOf(),
  landing_url: wordsOrNull(),
  title: wordsOrNull(),
  description: wordsOrNull(),
  button_text: wordsOrNull(),
  brand_name: wordsOrNull(),
  display_url: wordsOrNull(),
};

/** As its owner wrote it last, and which revision serves. */
export const adShape = record(
  {
    id: idOf(),
    campaign_id: idOf(),
    adgroup_id: idOf(),
    name: words(),
    ...contentFields,
    weight: whole(),
    revision: whole(),
    approved_revision: moving(wholeOrNull()),
    ...stateFields,
  },
  'Ad',
);

/** interface 2.5: one version of what an ad says and what its review said. */
export const adRevisionShape = record({ ...revisionFields, ...contentFields }, 'AdRevision');

export function presentAd(row: AdScreenRow, moment: DeliveryMoment): yup.InferType<typeof adShape> {
  const delivery = adDelivery({
    ...campaignFactsOf(row),
    adGroup: adGroupFactsOf(row),
    ad: { ...row, hasApprovedRevision: row.approvedRevision !== null },
    creative: {
      status: row.creativeStatus,
      auditStatus: row.creativeAuditStatus,
      hasApprovedRevision: row.creativeApprovedRevision !== null,
    },
    isFitting: row.isFitting,
    moment,
  });
  return presentRow(adShape, row, {
    revision: row.latestRevision,
    ...presentReview(row, delivery),
  });
}

export function presentAdRevision(row: AdRevisionScreenRow): yup.InferType<typeof adRevisionShape> {
  return presentRow(adRevisionShape, row, { audit_reasons: row.auditReasons ?? [] });
}
