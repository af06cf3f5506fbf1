import * as yup from 'yup';
import type { ShownAppeal } from '../../db/queries/appeals.ts';
import type { AdGroupFactsRow, CampaignFactsRow } from '../../db/queries/inventory-screens.ts';
import type { CampaignRow } from '../../db/tables/campaign.ts';
import { FREQUENCY_SCOPES } from '../../domain/inventory.ts';
import type { AccountFacts } from '../../domain/lifecycle/delivery-money.ts';
import {
  type AdGroupFacts,
  type CampaignFacts,
  type Delivery,
  DELIVERY_STATUSES,
} from '../../domain/lifecycle/delivery.ts';
import { SITE_AUDIT_STATUSES, OWNER_STATUSES } from '../../domain/lifecycle/review.ts';
import {
  dateOrNull,
  flag,
  listOf,
  listOrNullOf,
  moving,
  oneOf,
  oneOfOrNull,
  record,
  time,
  timeOrNull,
  whole,
  words,
} from '../http/response-shapes.ts';

/** Why a review said no (interface 3): `code` is stable, `field` names a field of the record. */
export const reviewReasonShape = yup
  .object({ code: words(), field: yup.string(), note: yup.string() })
  .noUnknown(true)
  .defined()
  .meta({ name: 'ReviewReason' });

const APPEAL_STATUSES = {
  OPEN: 'open',
  APPROVED: 'accepted',
  REJECTED: 'refused',
  VOID: 'withdrawn',
} as const;

/** Its owner's word against the last rejection (interface 3); null when the present round is none. */
const appealShape = record(
  {
    text: words(),
    status: oneOf(Object.values(APPEAL_STATUSES)),
    created_at: time(),
    decided_at: timeOrNull(),
  },
  'Appeal',
).nullable();

export const presentAppeal = (appeal: ShownAppeal | null): yup.InferType<typeof appealShape> =>
  appeal === null
    ? null
    : {
        text: appeal.text,
        status: APPEAL_STATUSES[appeal.status],
        created_at: new Date(appeal.createdAt).toISOString(),
        decided_at: appeal.decidedAt === null ? null : new Date(appeal.decidedAt).toISOString(),
      };

/** Fields that every reviewed record ends with; `version` is what If-Match takes (interface 2.1). */
export const stateFields = {
  /** Moved by routes of its own, also while its record is being edited. */
  status: moving(oneOf(OWNER_STATUSES)),
  audit_status: moving(oneOf(SITE_AUDIT_STATUSES)),
  audit_reasons: moving(listOf(reviewReasonShape)),
  appeal: moving(appealShape),
  delivery_status: moving(oneOf(DELIVERY_STATUSES)),
  delivery_reasons: moving(listOf(words())),
  version: moving(whole()),
  created_at: time(),
  updated_at: moving(time()),
};

/** interface 2.5: what each revision of a creative or an ad tells beside what it shows. */
export const revisionFields = {
  revision: whole(),
  audit_status: stateFields.audit_status,
  audit_reasons: stateFields.audit_reasons,
  is_serving: flag(),
  created_at: time(),
  decided_by: oneOfOrNull(['AUTO', 'OPERATOR']),
  decided_at: timeOrNull(),
};

/** interface 2.3 and 2.4, as a campaign and an ad group show them; null inherits or is unlimited. */
export const targetingShapes = {
  start_date: dateOrNull(),
  end_date: dateOrNull(),
  target_countries: listOrNullOf(words()),
  target_devices: listOrNullOf(words()),
  target_os: listOrNullOf(words()),
  target_browsers: listOrNullOf(words()),
  target_keywords: listOrNullOf(words()),
  target_categories: listOrNullOf(words()),
  target_languages: listOrNullOf(words()),
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

/** What a reviewed record shows and its row does not hold as it is. */
export function presentReview(
  { auditReasons, appeal }: Pick<CampaignRow, 'auditReasons'> & { appeal: ShownAppeal | null },
  of: Delivery,
) {
  return {
    audit_reasons: auditReasons ?? [],
    appeal: presentAppeal(appeal),
    delivery_status: of.status,
    delivery_reasons: of.reasons,
  };
}

export function campaignFactsOf(row: CampaignFactsRow): {
  account: AccountFacts;
  campaign: CampaignFacts;
  isTaken: boolean;
} {
  return {
    isTaken: row.isTaken,
    account: {
      suspended: row.accountStatus === 'SUSPENDED',
      availableNanos: row.availableNanos,
    },
    campaign: {
      status: row.campaignStatus,
      auditStatus: row.campaignAuditStatus,
      startDate: row.campaignStartDate,
      endDate: row.campaignEndDate,
      targetHours: row.campaignTargetHours,
      weekdays: row.campaignWeekdays,
      bidNanos: row.campaignBidNanos,
      pricingModel: row.campaignPricingModel,
      bidAdjustments: row.campaignBidAdjustments,
      daily: { capNanos: row.campaignDailyBudgetNanos, spentNanos: row.campaignSpentTodayNanos },
      total: { capNanos: row.campaignTotalBudgetNanos, spentNanos: row.campaignSpentTotalNanos },
    },
  };
}

export function adGroupFactsOf(row: AdGroupFactsRow): AdGroupFacts {
  return {
    status: row.adGroupStatus,
    auditStatus: row.adGroupAuditStatus,
    startDate: row.adGroupStartDate,
    endDate: row.adGroupEndDate,
    targetHours: row.adGroupTargetHours,
    weekdays: row.adGroupWeekdays,
    bidNanos: row.adGroupBidNanos,
    bidAdjustments: row.adGroupBidAdjustments,
    daily: { capNanos: row.adGroupDailyBudgetNanos, spentNanos: row.adGroupSpentTodayNanos },
  };
}
