import type {
  AdReference,
  ClickReference,
  ConversionReference,
  ZoneReference,
} from '../../domain/tracking/batch.ts';
import { type ShareBook, shareBook } from '../../domain/tracking/shares.ts';
import { chart } from '../../domain/ledger/chart.ts';
import type { PricingModel } from '../../domain/tracking/facts.ts';
import type { ViewerMark } from '../../domain/tracking/marks.ts';
import { dayKey } from '../../domain/tracking/spending-room.ts';
import { bytesArray } from '../schema/binary-array.ts';
import { decimal, flag, whole } from '../schema/column.ts';
import { columnsOf, readRows, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { adGroups } from '../tables/ad-group.ts';
import { ads } from '../tables/ad.ts';
import { budgetDays } from '../tables/budget-day.ts';
import { campaignTotals } from '../tables/campaign-total.ts';
import { campaigns } from '../tables/campaign.ts';
import { clicks } from '../tables/click.ts';
import { conversions } from '../tables/conversion.ts';
import { eventMarks, markKeyOf } from '../tables/event-mark.ts';
import { ledgerAccounts } from '../tables/ledger-account.ts';
import { moneyTerms } from '../tables/money-term.ts';
import { zones } from '../tables/zone.ts';

/** What a batch must know of the inventory, loaded set by set. Ids are those its events name. */
export interface AdWithCaps extends AdReference {
  adGroupDailyCapNanos: bigint | null;
  campaignDailyCapNanos: bigint | null;
  campaignTotalCapNanos: bigint | null;
  /** What an event may cost at most, before adjustments. */
  bidNanos: bigint;
  pricingModel: PricingModel;
}

/** Moments as the domain reckons them: Unix milliseconds, made by PostgreSQL. */
const unixMs = (column: string) => decimal().of(`(extract(epoch FROM ${column}) * 1000)::float8`);

/** An ad group's list overrides the campaign's; an empty list targets nobody in particular. */
const isTargeted = (column: string) =>
  flag().of(`COALESCE(jsonb_typeof(COALESCE(g.${column}, c.${column})) = 'array'
     AND COALESCE(g.${column}, c.${column}) <> '[]'::jsonb, false)`);

const AD = select({
  ...columnsOf(ads, 'a', ['id', 'advertiserId', 'campaignId', 'adGroupId']),
  adGroupDailyCapNanos: adGroups.columns.dailyBudgetNanos.of('g.daily_budget_nanos'),
  campaignDailyCapNanos: campaigns.columns.dailyBudgetNanos.of('c.daily_budget_nanos'),
  campaignTotalCapNanos: campaigns.columns.totalBudgetNanos.of('c.total_budget_nanos'),
  bidNanos: campaigns.columns.bidNanos.of('COALESCE(g.bid_nanos, c.bid_nanos)'),
  pricingModel: campaigns.columns.pricingModel.of('c.pricing_model'),
  byCountry: isTargeted('target_countries'),
  byDevice: isTargeted('target_devices'),
  byOs: isTargeted('target_os'),
});

export async function loadAds(sql: SqlRunner, adIds: number[]): Promise<Map<number, AdWithCaps>> {
  const rows = await readRows(
    sql,
    AD,
    `SELECT ${AD.list}
     FROM ads a JOIN ad_groups g ON g.id = a.adgroup_id JOIN campaigns c ON c.id = a.campaign_id
     WHERE a.id = ANY($1::bigint[])`,
    [adIds],
  );
  return new Map(
    rows.map(({ id, byCountry, byDevice, byOs, ...ad }) => [
      id,
      { ...ad, targeted: { country: byCountry, device: byDevice, os: byOs } },
    ]),
  );
}

const ZONE = select(columnsOf(zones, 'z', ['id', 'publisherId', 'siteId']));

export async function loadZones(
  sql: SqlRunner,
  zoneIds: number[],
): Promise<Map<number, ZoneReference>> {
  const rows = await readRows(
    sql,
    ZONE,
    `SELECT ${ZONE.list} FROM zones z WHERE z.id = ANY($1::bigint[])`,
    [zoneIds],
  );
  return new Map(rows.map(({ id, ...zone }) => [id, zone]));
}

const SHARE = select({
  publisherId: moneyTerms.columns.publisherId.of('s.publisher_id'),
  sharePpm: moneyTerms.columns.ppm.of('s.ppm'),
  fromMs: unixMs('s.effective_from'),
});

/** The terms of these publishers, and of all, that were in force at `sinceMs` (Unix milliseconds) or later. */
export async function loadShares(
  sql: SqlRunner,
  publisherIds: number[],
  sinceMs: number,
): Promise<ShareBook> {
  const terms = await readRows(
    sql,
    SHARE,
    `SELECT ${SHARE.list} FROM money_terms s
     WHERE s.kind = 'SHARE' AND s.status = 'APPROVED'
       AND (s.publisher_id IS NULL OR s.publisher_id = ANY($1::bigint[]))
       AND (s.effective_until IS NULL OR s.effective_until > to_timestamp($2::float8 / 1000))`,
    [publisherIds, sinceMs],
  );
  return shareBook(terms);
}

const CLICK = select({
  ...columnsOf(clicks, 'k', ['id', 'status', 'bidId', 'clickId']),
  clickedAtMs: unixMs('k.clicked_at'),
});

/** False for who only looks back. */
interface Locking {
  isLocked: boolean;
}
const LOCKED: Locking = { isLocked: true };

/** Locked: only settlement moves a click out of `verified`, and only once. */
export async function lockClicks(
  sql: SqlRunner,
  clickEventIds: string[],
  { isLocked }: Locking = LOCKED,
): Promise<Map<string, ClickReference>> {
  if (clickEventIds.length === 0) return new Map();
  const rows = await readRows(
    sql,
    CLICK,
    `SELECT ${CLICK.list} FROM clicks k
     WHERE k.id = ANY($1::uuid[]) ORDER BY k.id ${isLocked ? 'FOR NO KEY UPDATE' : ''}`,
    [clickEventIds],
  );
  return new Map(rows.map(({ id, ...click }) => [id, click]));
}

const CONVERSION = select({
  ...columnsOf(conversions, 'v', ['id', 'status']),
  clickReason: clicks.columns.reason.of(
    `(SELECT c.reason FROM clicks c WHERE c.click_id = v.click_id AND c.status = 'invalid')`,
  ),
});

export async function lockConversions(
  sql: SqlRunner,
  conversionIds: number[],
  { isLocked }: Locking = LOCKED,
): Promise<Map<number, ConversionReference>> {
  if (conversionIds.length === 0) return new Map();
  const rows = await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v
     WHERE v.id = ANY($1::bigint[]) ORDER BY v.id ${isLocked ? 'FOR NO KEY UPDATE' : ''}`,
    [conversionIds],
  );
  return new Map(rows.map(({ id, ...conversion }) => [id, conversion]));
}

const BALANCE = select(columnsOf(ledgerAccounts, 'l', ['ownerId', 'balanceNanos']));

/**
 * Balances of the advertisers, their rows locked in id order until the batch is posted. Two shards
 * that meet on one advertiser (the number of shards was changed) take turns here.
 */
export async function lockBalances(
  sql: SqlRunner,
  advertiserIds: number[],
): Promise<Map<number, bigint>> {
  const rows = await readRows(
    sql,
    BALANCE,
    `SELECT ${BALANCE.list} FROM ledger_lock_accounts($1::text[]) l`,
    [advertiserIds.map((id) => chart.advertiserAvailable(id))],
  );
  return new Map(rows.map(({ ownerId, balanceNanos }) => [Number(ownerId), balanceNanos]));
}

export interface SpentSoFar {
  days: Map<string, bigint>;
  totals: Map<number, bigint>;
}

const SPENT_DAY = select(columnsOf(budgetDays, 'd', ['scope', 'scopeId', 'day', 'spentNanos']));
const SPENT_TOTAL = select(columnsOf(campaignTotals, 't', ['campaignId', 'spentNanos']));

/** Read after the balances are locked, which keeps another shard out. */
export async function loadSpent(
  sql: SqlRunner,
  ids: { campaignIds: number[]; adGroupIds: number[]; days: string[] },
): Promise<SpentSoFar> {
  const days = await readRows(
    sql,
    SPENT_DAY,
    `SELECT ${SPENT_DAY.list} FROM budget_days d
     WHERE d.day = ANY($3::date[]) AND ((d.scope = 'campaign' AND d.scope_id = ANY($1::bigint[]))
                                     OR (d.scope = 'adgroup' AND d.scope_id = ANY($2::bigint[])))`,
    [ids.campaignIds, ids.adGroupIds, ids.days],
  );
  const totals = await readRows(
    sql,
    SPENT_TOTAL,
    `SELECT ${SPENT_TOTAL.list} FROM campaign_totals t WHERE t.campaign_id = ANY($1::bigint[])`,
    [ids.campaignIds],
  );
  return {
    days: new Map(
      days.map(({ scope, scopeId, day, spentNanos }) => [dayKey(scope, scopeId, day), spentNanos]),
    ),
    totals: new Map(totals.map(({ campaignId, spentNanos }) => [campaignId, spentNanos])),
  };
}

const VIEWER_MARK = select({ at: whole().of('n.at'), seenAtMs: unixMs('m.seen_at') });

export async function loadViewerMarks(sql: SqlRunner, viewers: string[]): Promise<ViewerMark[]> {
  if (viewers.length === 0) return [];
  const rows = await readRows(
    sql,
    VIEWER_MARK,
    `SELECT ${VIEWER_MARK.list}
     FROM unnest($1::bytea[]) WITH ORDINALITY AS n (key, at) JOIN ${eventMarks.name} m USING (key)`,
    [bytesArray(viewers.map(markKeyOf))],
  );
  return rows.map(({ at, seenAtMs }) => ({ viewer: viewers[at - 1] ?? '', seenAtMs }));
}
