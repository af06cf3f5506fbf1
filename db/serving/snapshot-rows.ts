/**
 * Rows as serving reads them. `version` names the row versions behind a row (PostgreSQL's xmin): two
 * loads with equal versions hold equal content, money aside.
 */
export interface AdvertiserRow {
  id: number;
  status: string;
  availableNanos: bigint;
}

export interface TermsRow {
  id: number;
  advertiserId: number;
  status: string;
  audit: string;
  bidNanos: bigint | null;
  dailyBudgetNanos: bigint | null;
  /** Days since 1970. */
  startDay: number | null;
  endDay: number | null;
  targetCountries: unknown;
  targetDevices: unknown;
  targetOs: unknown;
  targetBrowsers: unknown;
  targetHours: unknown;
  weekdays: unknown;
  bidAdjustments: unknown;
  frequencyCap: unknown;
  /** Day that the spend of today speaks of. */
  day: number;
  spentTodayNanos: bigint;
  version: string;
}

export interface CampaignRow extends TermsRow {
  adType: string;
  pricingModel: string;
  rotation: string;
  totalBudgetNanos: bigint | null;
  spentTotalNanos: bigint;
}

export interface AdGroupRow extends TermsRow {
  campaignId: number;
}

export interface AdRow {
  id: number;
  advertiserId: number;
  campaignId: number;
  adGroupId: number;
  weight: number;
  status: string;
  audit: string;
  title: string | null;
  description: string | null;
  buttonText: string | null;
  brandName: string | null;
  displayUrl: string | null;
  creativeId: number;
  creativeStatus: string;
  display: string;
  /** The approved revision, which serves while a later edit waits for review; null before the first. */
  revision: number | null;
  width: number | null;
  height: number | null;
  html: string | null;
  imagePath: string | null;
  imagePath2: string | null;
  videoPath: string | null;
  iconPath: string | null;
  html5Path: string | null;
  /** The files behind imagePath and videoPath. */
  image: FileFacts | null;
  video: FileFacts | null;
  vastXml: string | null;
  vastUrl: string | null;
  version: string;
}

export interface FileFacts {
  mime: string;
  width: number | null;
  height: number | null;
  bytes: number;
  /** Of a video, from probing it. */
  seconds: number | null;
}

export interface ZoneRow {
  id: number;
  zoneKey: string;
  publisherId: number;
  siteId: number;
  type: string;
  width: number;
  height: number;
  device: string;
  pricingTypes: string;
  floorCpcNanos: bigint;
  floorCpmNanos: bigint;
  refresh: number;
  settings: unknown;
  status: string;
  audit: string;
  siteStatus: string;
  siteAudit: string;
  publisherStatus: string;
}

/** Everything of the advertisers asked for; rows of archived things are left out. */
export interface AdvertiserInventory {
  advertisers: AdvertiserRow[];
  campaigns: CampaignRow[];
  adGroups: AdGroupRow[];
  ads: AdRow[];
}

/** The money of all advertisers, without what it is spent on. */
export interface MoneyRows {
  advertisers: AdvertiserRow[];
  /** Day that the spend of today speaks of. */
  day: number;
  /** Spent today; who spent nothing yet is left out. */
  campaignsToday: SpentRow[];
  adGroupsToday: SpentRow[];
  /** Spent in all, of campaigns that are not archived. */
  campaignsInAll: SpentRow[];
}

export interface SpentRow {
  id: number;
  spentNanos: bigint;
}
