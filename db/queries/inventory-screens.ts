import { RESPONSIVE, SIZE_FREE } from '../../domain/auction/formats.ts';
import { flag, json, nanos } from '../schema/column.ts';
import { columnsOf, prefixed, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { adGroups } from '../tables/ad-group.ts';
import { ads } from '../tables/ad.ts';
import { campaigns } from '../tables/campaign.ts';
import { creatives } from '../tables/creative.ts';
import { media } from '../tables/media.ts';
import { appealOf } from './appeals.ts';
import { CONTENT_COLUMNS, CONTENT_JOINS } from './creative-revisions.ts';
import type { InventoryScreen } from './inventory.ts';
import { showing } from './media-showing.ts';
import { AD_GROUP_SORTS, AD_SORTS, CAMPAIGN_SORTS, MEDIA_SORTS, NAMED_SORTS } from './sorting.ts';

/** What each kind's screen shows of a row: all its columns, and the facts that its delivery depends on. */

const DELIVERY_COLUMNS = [
  'status',
  'auditStatus',
  'bidNanos',
  'bidAdjustments',
  'startDate',
  'endDate',
  'targetHours',
  'weekdays',
  'dailyBudgetNanos',
] as const;

/** Zones `z` that the auction knows no refusal of (`zoneRefusal`), the viewer's device aside. */
export const OPEN_ZONES = `zones z
  JOIN sites zs ON zs.id = z.site_id AND zs.status = 'ACTIVE' AND zs.audit_status = 'APPROVED'
  JOIN accounts zp ON zp.id = z.publisher_id AND zp.status = 'ACTIVE'
  WHERE z.status = 'ACTIVE' AND z.audit_status = 'APPROVED'`;

/**
 * What open zones sell, as `TYPE:CPC,CPM`: a hop of zones_sold for each kind there is, however many
 * zones are of it. Null while there are none.
 */
const ZONES_SOLD = `CROSS JOIN (
  WITH RECURSIVE kinds AS (
    (SELECT z.type, z.pricing_types FROM ${OPEN_ZONES}
     ORDER BY z.type, z.pricing_types LIMIT 1)
    UNION ALL
    SELECT n.type, n.pricing_types FROM kinds k CROSS JOIN LATERAL (
      SELECT z.type, z.pricing_types FROM ${OPEN_ZONES}
        AND (z.type, z.pricing_types) > (k.type, k.pricing_types)
      ORDER BY z.type, z.pricing_types LIMIT 1) n)
  SELECT array_agg(type || ':' || pricing_types) AS kinds FROM kinds) sold`;
/** Of the account, and of the campaign `c` above a row. */
const CAMPAIGN_FACTS = {
  ...prefixed('account', columnsOf(accounts, 'acc', ['status'])),
  availableNanos: nanos().of('COALESCE(la.balance_nanos, 0)'),
  ...prefixed('campaign', {
    ...columnsOf(campaigns, 'c', [...DELIVERY_COLUMNS, 'totalBudgetNanos', 'pricingModel']),
    spentTodayNanos: nanos().of('COALESCE(cb.spent_nanos, 0)'),
    spentTotalNanos: nanos().of('COALESCE(ct.spent_nanos, 0)'),
  }),
  isTaken: flag().of(`sold.kinds IS NULL OR EXISTS (SELECT 1 FROM unnest(sold.kinds) s
    WHERE (c.ad_type = '${RESPONSIVE}' OR split_part(s, ':', 1) = c.ad_type)
      AND c.pricing_model = ANY(string_to_array(split_part(s, ':', 2), ',')))`),
};
const CAMPAIGN_JOINS = `JOIN accounts acc ON acc.id = t.advertiser_id
  LEFT JOIN ledger_accounts la ON la.code = reading.available_code
  LEFT JOIN budget_days cb ON cb.scope = 'campaign' AND cb.scope_id = c.id AND cb.day = reading.day
  LEFT JOIN campaign_totals ct ON ct.campaign_id = c.id ${ZONES_SOLD}`;

/** Of the ad group `g`. */
const ADGROUP_FACTS = prefixed('adGroup', {
  ...columnsOf(adGroups, 'g', DELIVERY_COLUMNS),
  spentTodayNanos: nanos().of('COALESCE(gb.spent_nanos, 0)'),
});
const ADGROUP_JOINS = `LEFT JOIN budget_days gb
  ON gb.scope = 'adgroup' AND gb.scope_id = g.id AND gb.day = reading.day`;

const ADAPTS = [RESPONSIVE, ...SIZE_FREE].map((type) => `'${type}'`).join(', ');
/**
 * What open zones are: their types, and their sizes as `TYPE 300x250`; a hop of zones_sizes for each there is, however
 * many zones are of it.
 */
const SIZES_SOLD = `CROSS JOIN (
  WITH RECURSIVE kinds AS (
    (SELECT z.type, z.width, z.height FROM ${OPEN_ZONES}
     ORDER BY z.type, z.width, z.height LIMIT 1)
    UNION ALL
    SELECT n.type, n.width, n.height FROM kinds k CROSS JOIN LATERAL (
      SELECT z.type, z.width, z.height FROM ${OPEN_ZONES}
        AND (z.type, z.width, z.height) > (k.type, k.width, k.height)
      ORDER BY z.type, z.width, z.height LIMIT 1) n)
  SELECT COALESCE(array_agg(DISTINCT type), '{}') AS types,
    COALESCE(array_agg(type || ' ' || width || 'x' || height), '{}') AS kinds FROM kinds) sizes`;
/**
 * Whether a creative's revision `v` fits an open zone of its campaign's type `c`: sizes must be equal, unless the
 * one or the other adapts (domain/auction/formats.ts). While no zone is of that type, its size keeps nobody out.
 */
const FITS = `(c.ad_type IN (${ADAPTS}) OR v.width IS NULL OR v.height IS NULL
  OR c.ad_type || ' ' || v.width || 'x' || v.height = ANY (sizes.kinds) OR c.ad_type <> ALL (sizes.types))`;
const SERVING_CREATIVE = `creative_revisions v ON v.creative_id = k.id AND v.revision = k.approved_revision`;

/** Of what hangs below; `inGroups` says which ad groups `x` count. */
const ADS_FACTS = {
  hasAds: flag().of('below.has_ads'),
  hasServableAd: flag().of('below.has_servable_ad'),
  hasFittingAd: flag().of('below.has_fitting_ad'),
  hasOwnBids: flag().of('below.has_own_bids'),
};
const SERVABLE = `x.status = 'ACTIVE' AND x.audit_status = 'APPROVED'
  AND a.status = 'ACTIVE' AND a.approved_revision IS NOT NULL
  AND k.status = 'ACTIVE' AND k.approved_revision IS NOT NULL`;
const adsJoin = (inGroups: string): string => `LEFT JOIN LATERAL (
  SELECT count(*) > 0 AS has_ads,
    COALESCE(bool_or(${SERVABLE}), false) AS has_servable_ad,
    COALESCE(bool_or(${SERVABLE} AND ${FITS}), false) AS has_fitting_ad,
    COALESCE(bool_or(x.bid_nanos IS NOT NULL OR x.bid_adjustments IS NOT NULL), false) AS has_own_bids
  FROM ad_groups x JOIN ads a ON a.adgroup_id = x.id AND a.status <> 'ARCHIVED'
  LEFT JOIN ad_revisions w ON w.ad_id = a.id AND w.revision = a.approved_revision
  JOIN creatives k ON k.id = COALESCE(w.creative_id, a.creative_id)
  LEFT JOIN ${SERVING_CREATIVE}
  WHERE ${inGroups} AND x.status <> 'ARCHIVED') below ON true`;

const campaignFacts = select(CAMPAIGN_FACTS);
const adGroupFacts = select(ADGROUP_FACTS);
const adsFacts = select(ADS_FACTS);
export type CampaignFactsRow = RowOf<typeof campaignFacts>;
export type AdGroupFactsRow = RowOf<typeof adGroupFacts>;
export type AdsFactsRow = RowOf<typeof adsFacts>;

export const CAMPAIGNS = {
  table: campaigns,
  sorts: CAMPAIGN_SORTS,
  selection: select({
    ...columnsOf(campaigns, 't'),
    appeal: appealOf('campaign', 't'),
    ...CAMPAIGN_FACTS,
    ...ADS_FACTS,
  }),
  joins: `JOIN campaigns c ON c.id = t.id ${CAMPAIGN_JOINS} ${SIZES_SOLD} ${adsJoin('x.campaign_id = t.id')}`,
};

export const AD_GROUPS = {
  table: adGroups,
  sorts: AD_GROUP_SORTS,
  selection: select({
    ...columnsOf(adGroups, 't'),
    appeal: appealOf('adgroup', 't'),
    ...CAMPAIGN_FACTS,
    ...ADGROUP_FACTS,
    ...ADS_FACTS,
  }),
  joins: `JOIN ad_groups g ON g.id = t.id JOIN campaigns c ON c.id = t.campaign_id
    ${CAMPAIGN_JOINS} ${ADGROUP_JOINS} ${SIZES_SOLD}
    ${adsJoin('x.id = t.id')}`,
};

export const ADS = {
  table: ads,
  sorts: AD_SORTS,
  selection: select({
    ...columnsOf(ads, 't'),
    appeal: appealOf('ad', 't'),
    ...prefixed(
      'creative',
      columnsOf(creatives, 'k', ['status', 'auditStatus', 'approvedRevision']),
    ),
    ...CAMPAIGN_FACTS,
    ...ADGROUP_FACTS,
    isFitting: flag().of(FITS),
  }),
  joins: `JOIN ad_groups g ON g.id = t.adgroup_id JOIN campaigns c ON c.id = t.campaign_id
    LEFT JOIN ad_revisions w ON w.ad_id = t.id AND w.revision = t.approved_revision
    JOIN creatives k ON k.id = COALESCE(w.creative_id, t.creative_id)
    LEFT JOIN ${SERVING_CREATIVE} ${CAMPAIGN_JOINS} ${ADGROUP_JOINS} ${SIZES_SOLD}`,
};

/** The owner sees the latest revision; `approvedRevision` is the one that serves. */
export const CREATIVES = {
  table: creatives,
  sorts: NAMED_SORTS,
  selection: select({
    ...columnsOf(creatives, 't'),
    appeal: appealOf('creative', 't'),
    ...CONTENT_COLUMNS,
  }),
  joins: `JOIN creative_revisions r ON r.creative_id = t.id AND r.revision = t.latest_revision
    ${CONTENT_JOINS}`,
};

/** As many of them as are named. */
const SHOWING_MAX = 5;

export const MEDIA = {
  table: media,
  sorts: MEDIA_SORTS,
  selection: select({
    ...columnsOf(media, 't'),
    shownBy: json<{ id: number; name: string }[]>().of(`(
      SELECT COALESCE(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) ORDER BY s.id), '[]')
      FROM (SELECT DISTINCT c.id, c.name FROM ${showing('t.id', 't.advertiser_id')} ORDER BY c.id
        LIMIT ${SHOWING_MAX}) s)`),
  }),
  joins: '',
};

type ScreenRow<Screen> = Screen extends InventoryScreen<infer Row> ? Row : never;
export type CampaignScreenRow = ScreenRow<typeof CAMPAIGNS>;
export type AdGroupScreenRow = ScreenRow<typeof AD_GROUPS>;
export type AdScreenRow = ScreenRow<typeof ADS>;
export type MediaScreenRow = ScreenRow<typeof MEDIA>;
export type CreativeScreenRow = ScreenRow<typeof CREATIVES>;
