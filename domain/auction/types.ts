import type { PricingModel } from '../tracking/facts.ts';
import type { Browser, Device, Os } from '../viewer.ts';
import type { Nanos } from '../money.ts';
import type { BidAdjustments } from './bid-adjustments.ts';

/** Why a candidate was not shown. Every refusal has exactly one of these names. */
export const NO_BID_REASONS = [
  'ADVERTISER_SUSPENDED',
  'CAMPAIGN_STATUS',
  'CAMPAIGN_AUDIT',
  'ADGROUP_STATUS',
  'ADGROUP_AUDIT',
  'AD_STATUS',
  'AD_AUDIT',
  'CREATIVE_STATUS',
  'CREATIVE_AUDIT',
  'FORMAT',
  'SIZE',
  'PRICING_TYPE',
  'SCHEDULE',
  'DAYPART',
  'TARGET_COUNTRY',
  'TARGET_DEVICE',
  'TARGET_OS',
  'TARGET_BROWSER',
  'TARGET_LANGUAGE',
  'TARGET_CATEGORY',
  'TARGET_KEYWORD',
  'ZERO_BID',
  'BELOW_FLOOR',
  'BALANCE',
  'BUDGET_DAILY',
  'BUDGET_TOTAL',
  'ADGROUP_BUDGET',
  'PACING',
  'SHOWN_JUST_NOW',
  'FREQUENCY_CAP',
  'FREQUENCY_UNKNOWN',
  'CAPPED_LIMIT',
  'LOOKS_LIMIT',
  'SAME_ADVERTISER',
  'LOST',
] as const;
export type NoBidReason = (typeof NO_BID_REASONS)[number];

/** Of them, those that a bound on what one auction may cost gives (CAPPED_LOTS, LOOKS_MAX). */
export type LimitReason = Extract<NoBidReason, `${string}_LIMIT`>;

/** Why a zone is asked for nothing at all. */
export type NoAuctionReason =
  | 'ZONE_STATUS'
  | 'ZONE_AUDIT'
  | 'ZONE_DEVICE'
  | 'SITE_STATUS'
  | 'SITE_AUDIT'
  | 'PUBLISHER_SUSPENDED';

export type OwnerState = 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
export type AuditState = 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED' | 'SUSPENDED';
export type RotationMode = 'EVEN' | 'ASAP';
export type DisplayType = 'IMAGE' | 'NATIVE' | 'TEXT' | 'HTML' | 'RICH_MEDIA' | 'VIDEO';

/** Bit masks over DEVICES, OSES, BROWSERS, hours 0-23 and weekdays 0-6 (Sunday is 0); `ALL` lets all pass. */
export interface Targeting {
  /** ISO 3166-1 alpha-2, upper case; null lets every viewer pass, also one of unknown country. */
  countries: ReadonlySet<string> | null;
  devices: number;
  os: number;
  browsers: number;
  hours: number;
  weekdays: number;
  /** Null asks nothing of the page. */
  page: PageTargeting | null;
}

/** What a campaign or ad group asks of the page; null asks nothing. Words are in lower case. */
export interface PageTargeting {
  keywords: readonly string[] | null;
  categories: readonly string[] | null;
  languages: readonly string[] | null;
}

/** A page as auctions look at it: made once a page, not once an auction. */
export interface PageWords {
  /** Its keywords and tags. */
  keywords: ReadonlySet<string>;
  /** In lower case between spaces, so that a keyword is found as whole words. */
  title: string;
  categories: ReadonlySet<string>;
  /** `zh-hans-cn`, `zh-hans` and `zh`: a target meets the page's language and whatever it is of. */
  languages: ReadonlySet<string>;
  /** By which lists are looked up (page-bits.ts). */
  terms: Readonly<Record<keyof PageTargeting, ReadonlySet<string>>>;
}

/** What was spent so far. `day` tells which day `todayNanos` speaks of (days since 1970, UTC). */
export interface Spend {
  readonly day: number;
  readonly todayNanos: Nanos;
  readonly totalNanos: Nanos;
  /** Was shown and is not known to be spent: nobody else may have it meanwhile. */
  readonly heldNanos: Nanos;
}

export interface FrequencyCap {
  scope: 'campaign' | 'adgroup' | 'ad';
  /** id of the campaign, ad group or ad that is counted */
  id: number;
  impressions: number;
  windowSeconds: number;
}

/** Days since 1970, both ends included; null is unlimited. */
export interface Flight {
  startDay: number | null;
  endDay: number | null;
}

/**
 * One ad with everything that decides whether and at what price it is shown. Objects of the
 * advertiser, campaign and ad group are shared between their ads; balance and spend are read at
 * each auction, so a budget notice works at once.
 */
export interface Candidate {
  adId: number;
  weight: number;
  status: OwnerState;
  audit: AuditState;
  advertiser: {
    readonly id: number;
    readonly active: boolean;
    readonly availableNanos: Nanos;
    /** Of it, as of a budget's spend. */
    readonly heldNanos: Nanos;
  };
  campaign: {
    readonly id: number;
    readonly status: OwnerState;
    readonly audit: AuditState;
    readonly adType: string;
    readonly pricingModel: PricingModel;
    readonly rotation: RotationMode;
    readonly dailyBudgetNanos: Nanos | null;
    readonly totalBudgetNanos: Nanos | null;
    readonly flight: Flight;
    readonly spend: Spend;
  };
  adGroup: {
    readonly id: number;
    readonly status: OwnerState;
    readonly audit: AuditState;
    readonly dailyBudgetNanos: Nanos | null;
    readonly flight: Flight;
    readonly spend: Spend;
  };
  creative: {
    readonly id: number;
    readonly status: OwnerState;
    /** A revision was approved; an edit that waits for review leaves it serving. */
    readonly approved: boolean;
    readonly display: DisplayType;
    /** Null fits every size. */
    readonly width: number | null;
    readonly height: number | null;
  };
  /** The ad group's lists over the campaign's (interface 2.3). */
  targeting: Targeting;
  bidBaseNanos: Nanos;
  /** Already chosen all-or-nothing between ad group and campaign (interface 2.4). */
  adjustments: BidAdjustments | null;
  /** Expected billable units per thousand impressions, in millionths (rates.ts). */
  yieldPpm: Nanos;
  caps: readonly FrequencyCap[];
  /** The most that adjustments can make of the bid, as eCPM: what the ranked lists are ordered by. */
  ceilingEcpmNanos: Nanos;
  /** Cannot serve for now, whoever asks (sideline.ts): walks step over it. */
  isOut: boolean;
}

export interface AuctionZone {
  id: number;
  type: string;
  width: number;
  height: number;
  /** `ALL` or one device class. */
  device: string;
  pricingModels: ReadonlySet<PricingModel>;
  floorCpcNanos: Nanos;
  floorCpmNanos: Nanos;
  status: OwnerState;
  audit: AuditState;
  siteStatus: OwnerState;
  siteAudit: AuditState;
  publisherActive: boolean;
}

export interface AuctionViewer {
  country: string | null;
  device: Device;
  os: Os;
  browser: Browser;
}

/** One request as the auction sees it; nothing here is read from a clock or a dice. */
export interface AuctionTerms {
  zone: AuctionZone;
  viewer: AuctionViewer;
  /** Null when the page says nothing of itself. */
  page?: PageWords | null;
  now: Date;
  /** 0 <= roll < 1; the same roll gives the same answer. */
  roll: number;
  /** 0 <= stretch < 1: where draws among very many equals fall for a while; without one, anywhere. */
  stretch?: number;
  /** 1 to LIMIT_MAX */
  limit: number;
  /** Creatives whose next impression by this viewer would be a duplicate. */
  excluded?: ReadonlySet<number>;
  firstPrice: boolean;
}

export const LIMIT_MAX = 10;

/** An eligible candidate with its bid for this request. */
export interface Contender<C extends Candidate = Candidate> {
  candidate: C;
  /** In the campaign's own unit: per mille for CPM, per event for the others. */
  effectiveNanos: Nanos;
  ecpmNanos: Nanos;
}

export interface Win<C extends Candidate = Candidate> extends Contender<C> {
  /** What one billable event costs: sealed into the track_id and billed as it is. */
  eventPriceNanos: Nanos;
}

/** Impressions already counted, by `frequencySlot`; undefined when the counters cannot be read. */
export type FrequencyCounts = ReadonlyMap<string, number> | undefined;

export const frequencySlot = ({ scope, id, windowSeconds }: FrequencyCap): string =>
  `${scope}:${id}:${windowSeconds}`;

/** Called with every refusal; with one, an auction looks at every candidate instead of stopping early. */
export type Trace<C extends Candidate = Candidate> = (candidate: C, reason: NoBidReason) => void;
