import * as yup from 'yup';
import type {
  AdFactColumns,
  AdGroupFactColumns,
  CampaignFactColumns,
} from '../../db/queries/inventory.ts';
import type { ReviewedRow, TargetingRow } from '../../db/queries/inventory-rows.ts';
import { FREQUENCY_SCOPES } from '../../domain/inventory.ts';
import {
  type AccountFacts,
  type AdGroupFacts,
  type AdsFacts,
  type BudgetFacts,
  type CampaignFacts,
  type Delivery,
  DELIVERY_STATUSES,
} from '../../domain/lifecycle/delivery.ts';
import { SITE_AUDIT_STATUSES, OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  dateOrNull,
  listOf,
  listOrNullOf,
  oneOf,
  record,
  time,
  whole,
  words,
} from '../http/response-shapes.ts';

/** Why a review said no (interface 3): `code` is stable, `field` names a field of the record. */
const reviewReasonShape = yup
  .object({ code: words(), field: yup.string(), note: yup.string() })
  .noUnknown(true)
  .defined()
  .meta({ name: 'ReviewReason' });

/** Fields that every reviewed record ends with; `version` is what If-Match takes (interface 2.1). */
export const stateFields = {
  status: oneOf(OWNER_STATUSES),
  audit_status: oneOf(SITE_AUDIT_STATUSES),
  audit_reasons: listOf(reviewReasonShape),
  delivery_status: oneOf(DELIVERY_STATUSES),
  delivery_reasons: listOf(words()),
  version: whole(),
  created_at: time(),
  updated_at: time(),
};

/** interface 2.3 and 2.4, as a campaign and an ad group show them; null inherits or is unlimited. */
export const targetingShapes = {
  start_date: dateOrNull(),
  end_date: dateOrNull(),
  target_countries: listOrNullOf(words()),
  target_devices: listOrNullOf(words()),
  target_os: listOrNullOf(words()),
  target_browsers: listOrNullOf(words()),
  target_hours: listOrNullOf(whole()),
  weekdays: listOrNullOf(whole()),
  bid_adjustments: yup
    .object({ device: percents(), geo: percents(), os: percents() })
    .noUnknown(true)
    .nullable()
    .defined(),
  frequency_cap: record({
    impressions: whole(),
    window_seconds: whole(),
    per: oneOf(FREQUENCY_SCOPES),
  }).nullable(),
};

function percents() {
  return yup
    .mixed<Record<string, number>>()
    .meta({ schema: { type: 'object' }, values: yup.number().defined() });
}

/** Pieces that the records of campaign, ad group, ad and creative share. */
export const idOrNull = (id: string | null): number | null => (id === null ? null : Number(id));

export const amountOrNull = (nanos: string | null): number | null =>
  nanos === null ? null : presentAmount(BigInt(nanos));

/** Status, review, delivery and times: the same names on every record (interface 2.1). */
export function presentStates(row: ReviewedRow, delivery: Delivery) {
  return {
    status: row.status,
    audit_status: row.audit_status,
    audit_reasons: row.audit_reasons ?? [],
    delivery_status: delivery.status,
    delivery_reasons: delivery.reasons,
    version: row.version,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

export function presentTargeting(row: TargetingRow) {
  return {
    start_date: row.start_date,
    end_date: row.end_date,
    target_countries: row.target_countries,
    target_devices: row.target_devices,
    target_os: row.target_os,
    target_browsers: row.target_browsers,
    target_hours: row.target_hours,
    weekdays: row.weekdays,
    bid_adjustments: row.bid_adjustments,
    frequency_cap: row.frequency_cap,
  };
}

const budget = (cap: string | null, spent: string): BudgetFacts => ({
  capNanos: cap === null ? null : BigInt(cap),
  spentNanos: BigInt(spent),
});

export function campaignFactsOf(row: CampaignFactColumns): {
  account: AccountFacts;
  campaign: CampaignFacts;
} {
  return {
    account: {
      suspended: row.account_status === 'SUSPENDED',
      availableNanos: BigInt(row.available_nanos),
    },
    campaign: {
      status: row.campaign_status,
      auditStatus: row.campaign_audit_status,
      startDate: row.campaign_start_date,
      endDate: row.campaign_end_date,
      targetHours: row.campaign_target_hours,
      weekdays: row.campaign_weekdays,
      bidNanos: BigInt(row.campaign_bid_nanos),
      daily: budget(row.campaign_daily_cap_nanos, row.campaign_daily_spent_nanos),
      total: budget(row.campaign_total_cap_nanos, row.campaign_total_spent_nanos),
    },
  };
}

export function adGroupFactsOf(row: AdGroupFactColumns): AdGroupFacts {
  return {
    status: row.adgroup_status,
    auditStatus: row.adgroup_audit_status,
    startDate: row.adgroup_start_date,
    endDate: row.adgroup_end_date,
    targetHours: row.adgroup_target_hours,
    weekdays: row.adgroup_weekdays,
    bidNanos: row.adgroup_bid_nanos === null ? null : BigInt(row.adgroup_bid_nanos),
    daily: budget(row.adgroup_daily_cap_nanos, row.adgroup_daily_spent_nanos),
  };
}

export const adsFactsOf = (row: AdFactColumns): AdsFacts => ({
  hasAds: row.has_ads,
  hasServableAd: row.has_servable_ad,
});
