import { nanos, ref, text, whole } from '../schema/column.ts';
import { columnsOf, leftJoined, prefixed, type RowOf, select } from '../schema/selection.ts';
import { propertiesBut } from '../schema/table.ts';
import { accounts } from '../tables/account.ts';
import { adGroups } from '../tables/ad-group.ts';
import { adRevisions } from '../tables/ad-revision.ts';
import { AD_COPY, ads } from '../tables/ad.ts';
import { budgetDays } from '../tables/budget-day.ts';
import { campaigns } from '../tables/campaign.ts';
import { creativeRevisions } from '../tables/creative-revision.ts';
import { creatives } from '../tables/creative.ts';
import { media } from '../tables/media.ts';
import { sites } from '../tables/site.ts';
import { zones } from '../tables/zone.ts';

/**
 * Rows as serving reads them. `rowVersion` names the row versions behind a row (PostgreSQL's xmin):
 * two loads with equal versions hold equal content, money aside. snapshot-store.ts says from where.
 */

export const TODAY = "(now() AT TIME ZONE 'UTC')::date";
/** Days since 1970. */
const DAY_NUMBER = whole().of(`${TODAY} - DATE '1970-01-01'`);

export const ADVERTISER = select({
  ...columnsOf(accounts, 'a', ['id', 'status']),
  availableNanos: nanos().of('COALESCE(l.balance_nanos, 0)'),
});
export type AdvertiserRow = RowOf<typeof ADVERTISER>;

/** Of a campaign or ad group; `day` is the one that the spend of today speaks of. */
const TERMS = {
  day: DAY_NUMBER,
  spentTodayNanos: nanos().of('COALESCE(b.spent_nanos, 0)'),
  rowVersion: text().of('t.xmin::text'),
};
/** What neither an auction nor an answer has a use for. */
const UNSERVED = [
  'name',
  'auditReasons',
  'auditRound',
  'version',
  'createdAt',
  'updatedAt',
] as const;
const UNSERVED_OF_CAMPAIGNS = [
  ...UNSERVED,
  'campaignOptionId',
  'type',
  'objective',
  'landingUrl',
  'approvedLandingUrl',
  'trackerId',
  'priceNanos',
  'bidFollowsPrice',
] as const;

export const CAMPAIGN = select({
  ...columnsOf(campaigns, 't', propertiesBut(campaigns, UNSERVED_OF_CAMPAIGNS)),
  ...TERMS,
  spentTotalNanos: nanos().of('COALESCE(s.spent_nanos, 0)'),
});
export type CampaignRow = RowOf<typeof CAMPAIGN>;

export const AD_GROUP = select({
  ...columnsOf(adGroups, 't', propertiesBut(adGroups, UNSERVED)),
  ...TERMS,
});
export type AdGroupRow = RowOf<typeof AD_GROUP>;

const FILE = ['path', 'mime', 'width', 'height', 'bytes', 'durationS'] as const;
const { width, height } = media.columns;

export const AD = select({
  ...columnsOf(ads, 't', [
    'id',
    'advertiserId',
    'campaignId',
    'adGroupId',
    'weight',
    'status',
    'approvedRevision',
  ]),
  // Of ads as of creatives the approved revision serves; before the first there is none to be served.
  ...columnsOf(adRevisions, 'w', ['creativeId', ...AD_COPY]),
  // The approved revision serves while a later edit waits for review; none before the first.
  ...prefixed('creative', columnsOf(creatives, 'c', ['status', 'type', 'approvedRevision'])),
  ...leftJoined(columnsOf(creativeRevisions, 'r', ['htmlCode', 'vastXml', 'vastUrl'])),
  // A creative that names no size has its picture's.
  ...leftJoined({
    width: width.of('COALESCE(r.width, h.width, i.width, v.width)'),
    height: height.of('COALESCE(r.height, h.height, i.height, v.height)'),
    imagePath2: media.columns.path.of('j.path'),
    iconPath: media.columns.path.of('k.path'),
    html5Path: media.columns.path.of('h.path'),
  }),
  ...leftJoined(prefixed('image', columnsOf(media, 'i', FILE))),
  ...leftJoined(prefixed('video', columnsOf(media, 'v', FILE))),
  rowVersion: text().of("concat_ws('.', t.xmin, w.xmin, c.xmin, r.xmin)"),
});
export type AdRow = RowOf<typeof AD>;

export const ZONE = select({
  ...columnsOf(zones, 'z', [
    'id',
    'zoneKey',
    'publisherId',
    'siteId',
    'type',
    'width',
    'height',
    'device',
    'pricingTypes',
    'floorPriceCpcNanos',
    'floorPriceCpmNanos',
    'refresh',
    'settings',
    'status',
    'auditStatus',
  ]),
  ...prefixed('site', columnsOf(sites, 's', ['status', 'auditStatus'])),
  ...prefixed('publisher', columnsOf(accounts, 'p', ['status'])),
});
export type ZoneRow = RowOf<typeof ZONE>;

/** Spent on a campaign or ad group; who spent nothing yet has no row. */
export const SPENT_TODAY = select({
  ...columnsOf(budgetDays, 'b', ['scope', 'spentNanos']),
  id: ref().of('b.scope_id'),
  day: DAY_NUMBER,
});
export const SPENT = select({
  id: ref().of('s.campaign_id'),
  spentNanos: nanos().of('s.spent_nanos'),
});
type SpentRow = RowOf<typeof SPENT>;

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
  day: number;
  campaignsToday: SpentRow[];
  adGroupsToday: SpentRow[];
  /** Of campaigns that are not archived. */
  campaignsInAll: SpentRow[];
}
