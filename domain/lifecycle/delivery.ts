import type { Reserve } from '../auction/reserve.ts';
import {
  type AccountFacts,
  type AdGroupBid,
  bidReasons,
  type BudgetFacts,
  budgetReasons,
  type CampaignBid,
  leastCostOf,
  moneyReasons,
} from './delivery-money.ts';
import { weekdayOf } from '../tracking/utc-day.ts';
import type { AuditStatus, OwnerStatus } from './review.ts';

/**
 * The third axis (interface 3): can it serve now, and if not, why. Computed when read, never
 * stored. `PENDING` waits for a review or its first day; `LIMITED` serves again by itself (the next
 * day, the next scheduled hour); `NOT_ELIGIBLE` waits for somebody to act.
 */
export const DELIVERY_STATUSES = [
  'ELIGIBLE',
  'LIMITED',
  'NOT_ELIGIBLE',
  'PENDING',
  'PAUSED',
  'ENDED',
] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

type Level = 'CAMPAIGN' | 'ADGROUP' | 'AD' | 'CREATIVE';
type LevelReason =
  | 'ARCHIVED'
  | 'ENDED'
  | 'PAUSED'
  | 'PENDING'
  | 'NOT_STARTED'
  | 'DRAFT'
  | 'REJECTED'
  | 'SUSPENDED';

type PlainReason =
  | 'ACCOUNT_SUSPENDED'
  | 'BALANCE_INSUFFICIENT'
  | 'BID_BELOW_FLOOR'
  | 'BID_ZERO'
  | 'BUDGET_BELOW_BID'
  | 'BUDGET_EXHAUSTED_TOTAL'
  | 'BUDGET_EXHAUSTED_DAILY'
  | 'NO_ADS'
  | 'NO_APPROVED_CREATIVE'
  | 'NO_ZONE_OF_ITS_SIZE'
  | 'NO_ZONE_TAKES_IT'
  | 'OUTSIDE_SCHEDULE'
  | 'REVISION_PENDING'
  | 'REVISION_REJECTED';

export type DeliveryReason = `${Level}_${LevelReason}` | PlainReason;

export interface Delivery {
  status: DeliveryStatus;
  reasons: DeliveryReason[];
}

/** Status and review of one thing. */
export interface ReviewedFacts {
  status: OwnerStatus;
  auditStatus: AuditStatus;
}

/** Days are `YYYY-MM-DD` in the platform time zone; null is unlimited. */
export interface ScheduleFacts {
  startDate: string | null;
  endDate: string | null;
  /** Hours of the day, 0 to 23; null is all. */
  targetHours: readonly number[] | null;
  /** ISO weekdays, 1 is Monday; null is all. */
  weekdays: readonly number[] | null;
}

export interface CampaignFacts extends ReviewedFacts, ScheduleFacts, CampaignBid {
  daily: BudgetFacts;
  total: BudgetFacts;
}

export interface AdGroupFacts extends ReviewedFacts, ScheduleFacts, AdGroupBid {
  daily: BudgetFacts;
}

/** Of an ad or a creative. */
export interface RevisedFacts extends ReviewedFacts {
  /** A revision that a reviewer has approved exists; it serves while a newer one waits. */
  hasApprovedRevision: boolean;
}

/** What is below a campaign or ad group. */
export interface AdsFacts {
  hasAds: boolean;
  /** At least one ad is active, approved and shows an approved creative. */
  hasServableAd: boolean;
  /** One of these has a size that an open zone of the campaign's type has, or adapts to any. */
  hasFittingAd: boolean;
  /** An ad group bids or adjusts for itself: what one event costs is its own to say. */
  hasOwnBids: boolean;
}

/** The moment of reading, in the platform time zone, and what the platform asks at the least then. */
export interface DeliveryMoment {
  day: string;
  hour: number;
  weekday: number;
  reserve: Reserve;
}

export const deliveryMoment = (now: Date, reserve: Reserve): DeliveryMoment => ({
  day: now.toISOString().slice(0, 10),
  hour: now.getUTCHours(),
  weekday: weekdayOf(now),
  reserve,
});

interface CampaignDelivery {
  account: AccountFacts;
  campaign: CampaignFacts;
  /** An open zone of the campaign's ad type sells its pricing model. */
  isTaken: boolean;
  ads: AdsFacts;
  moment: DeliveryMoment;
}

export function campaignDelivery(facts: CampaignDelivery): Delivery {
  const costNanos = facts.ads.hasOwnBids ? 0n : leastCostOf(facts.campaign);
  return conclude([
    ...campaignReasons(facts, costNanos),
    ...bidReasons(facts.ads.hasOwnBids ? null : facts.moment.reserve, facts.campaign),
    ...adsReasons(facts.ads),
    ...takenReasons(facts),
  ]);
}

interface AdGroupDelivery extends CampaignDelivery {
  adGroup: AdGroupFacts;
}

export function adGroupDelivery(facts: AdGroupDelivery): Delivery {
  const costNanos = leastCostOf(facts.campaign, facts.adGroup);
  return conclude([
    ...campaignReasons(facts, costNanos),
    ...adGroupReasons(facts, costNanos),
    ...bidReasons(facts.moment.reserve, facts.campaign, facts.adGroup),
    ...adsReasons(facts.ads),
    ...takenReasons(facts),
  ]);
}

interface AdDelivery extends Omit<AdGroupDelivery, 'ads'> {
  ad: RevisedFacts;
  creative: RevisedFacts;
  /** An open zone of the campaign's type has the creative's size, or it adapts to any. */
  isFitting: boolean;
}

export function adDelivery(facts: AdDelivery): Delivery {
  const servable = facts.creative.status === 'ACTIVE' && facts.creative.hasApprovedRevision;
  const costNanos = leastCostOf(facts.campaign, facts.adGroup);
  return conclude([
    ...campaignReasons(facts, costNanos),
    ...adGroupReasons(facts, costNanos),
    ...bidReasons(facts.moment.reserve, facts.campaign, facts.adGroup),
    ...revisedReasons('AD', facts.ad),
    ...(servable ? fitReasons(facts.isFitting) : (['NO_APPROVED_CREATIVE'] as const)),
    ...takenReasons(facts),
  ]);
}

export const creativeDelivery = (facts: RevisedFacts): Delivery =>
  conclude(revisedReasons('CREATIVE', facts));

/** Its approved revision serves, whatever becomes of a newer one (interface 2.5). */
function revisedReasons(level: 'AD' | 'CREATIVE', facts: RevisedFacts): DeliveryReason[] {
  const reasons = reviewedReasons(level, {
    status: facts.status,
    auditStatus: facts.hasApprovedRevision ? 'APPROVED' : facts.auditStatus,
  });
  if (facts.hasApprovedRevision && facts.auditStatus === 'PENDING')
    reasons.push('REVISION_PENDING');
  if (facts.hasApprovedRevision && facts.auditStatus === 'REJECTED')
    reasons.push('REVISION_REJECTED');
  return reasons;
}

function campaignReasons(
  facts: Omit<CampaignDelivery, 'ads'>,
  costNanos: bigint,
): DeliveryReason[] {
  const { account, campaign, moment } = facts;
  const reasons = reviewedReasons('CAMPAIGN', campaign);
  reasons.push(...scheduleReasons('CAMPAIGN', campaign, moment));
  if (account.suspended) reasons.push('ACCOUNT_SUSPENDED');
  reasons.push(...moneyReasons(account, campaign, costNanos));
  return reasons;
}

function adGroupReasons(
  { adGroup, moment }: Omit<AdGroupDelivery, 'ads'>,
  costNanos: bigint,
): DeliveryReason[] {
  const reasons = reviewedReasons('ADGROUP', adGroup);
  reasons.push(...scheduleReasons('ADGROUP', adGroup, moment));
  reasons.push(...budgetReasons(adGroup.daily, costNanos, 'BUDGET_EXHAUSTED_DAILY'));
  return reasons;
}

function reviewedReasons(level: Level, facts: ReviewedFacts): DeliveryReason[] {
  const reasons: DeliveryReason[] = [];
  if (facts.status !== 'ACTIVE') reasons.push(`${level}_${facts.status}`);
  if (facts.auditStatus !== 'APPROVED') reasons.push(`${level}_${facts.auditStatus}`);
  return reasons;
}

function scheduleReasons(
  level: Level,
  schedule: ScheduleFacts,
  moment: DeliveryMoment,
): DeliveryReason[] {
  const reasons: DeliveryReason[] = [];
  if (schedule.startDate !== null && moment.day < schedule.startDate) {
    reasons.push(`${level}_NOT_STARTED`);
  }
  if (schedule.endDate !== null && moment.day > schedule.endDate) reasons.push(`${level}_ENDED`);
  const outsideHours = schedule.targetHours?.includes(moment.hour) === false;
  const outsideDays = schedule.weekdays?.includes(moment.weekday) === false;
  if (outsideHours || outsideDays) reasons.push('OUTSIDE_SCHEDULE');
  return reasons;
}

function adsReasons(ads: AdsFacts): DeliveryReason[] {
  if (!ads.hasAds) return ['NO_ADS'];
  return ads.hasServableAd ? fitReasons(ads.hasFittingAd) : ['NO_APPROVED_CREATIVE'];
}

const fitReasons = (isFitting: boolean): DeliveryReason[] =>
  isFitting ? [] : ['NO_ZONE_OF_ITS_SIZE'];

/** A campaign that no zone sells waits for a zone, or for another pricing model; so does all below it. */
const takenReasons = ({ isTaken }: Pick<CampaignDelivery, 'isTaken'>): DeliveryReason[] =>
  isTaken ? [] : ['NO_ZONE_TAKES_IT'];

/** Strongest first: what ends a thing hides what pauses it, and so on. */
const STRENGTH: readonly DeliveryStatus[] = [
  'ENDED',
  'PAUSED',
  'PENDING',
  'NOT_ELIGIBLE',
  'LIMITED',
];

function conclude(found: DeliveryReason[]): Delivery {
  const reasons = [...new Set(found)];
  const statuses = new Set(reasons.map(statusOf));
  return { status: STRENGTH.find((status) => statuses.has(status)) ?? 'ELIGIBLE', reasons };
}

const STATUS_OF_LEVEL_REASON: Readonly<Record<LevelReason, DeliveryStatus>> = {
  ARCHIVED: 'ENDED',
  ENDED: 'ENDED',
  PAUSED: 'PAUSED',
  PENDING: 'PENDING',
  NOT_STARTED: 'PENDING',
  DRAFT: 'NOT_ELIGIBLE',
  REJECTED: 'NOT_ELIGIBLE',
  SUSPENDED: 'NOT_ELIGIBLE',
};

const STATUS_OF_REASON: Readonly<Record<PlainReason, DeliveryStatus>> = {
  ACCOUNT_SUSPENDED: 'NOT_ELIGIBLE',
  BALANCE_INSUFFICIENT: 'NOT_ELIGIBLE',
  BID_BELOW_FLOOR: 'NOT_ELIGIBLE',
  BID_ZERO: 'NOT_ELIGIBLE',
  BUDGET_BELOW_BID: 'NOT_ELIGIBLE',
  BUDGET_EXHAUSTED_TOTAL: 'NOT_ELIGIBLE',
  NO_ADS: 'NOT_ELIGIBLE',
  NO_APPROVED_CREATIVE: 'NOT_ELIGIBLE',
  NO_ZONE_OF_ITS_SIZE: 'NOT_ELIGIBLE',
  NO_ZONE_TAKES_IT: 'NOT_ELIGIBLE',
  BUDGET_EXHAUSTED_DAILY: 'LIMITED',
  OUTSIDE_SCHEDULE: 'LIMITED',
  // The approved revision serves on meanwhile.
  REVISION_PENDING: 'ELIGIBLE',
  REVISION_REJECTED: 'ELIGIBLE',
};

const statusOf = (reason: DeliveryReason): DeliveryStatus =>
  isPlain(reason) ? STATUS_OF_REASON[reason] : STATUS_OF_LEVEL_REASON[levelReasonOf(reason)];

const isPlain = (reason: DeliveryReason): reason is PlainReason =>
  Object.hasOwn(STATUS_OF_REASON, reason);

const levelReasonOf = (reason: `${Level}_${LevelReason}`): LevelReason =>
  reason.replace(/^[A-Z]+?_/, '') as LevelReason;
