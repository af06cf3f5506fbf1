import type { Settings } from '../../domain/settings.ts';
import type {
  AdRow,
  AdvertiserInventory,
  AdvertiserRow,
  FileFacts,
  MoneyRows,
  SpentRow,
  TermsRow,
  ZoneRow,
} from './snapshot-rows.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** What changed in the inventory; a serving process reloads only the rows named here. */
export type InventoryChange =
  | { topic: 'advertiser'; id: number }
  | { topic: 'publisher'; id: number }
  | { topic: 'settings' }
  | { topic: 'budgets'; budgets: BudgetNotice };

/** Sent by settlement after each batch. Money as decimal text of nanos. */
export interface BudgetNotice {
  day: string;
  /** Balance left, per advertiser. */
  available: Record<string, string>;
  /** Spent today and in all, per campaign; spent today, per ad group. */
  campaigns: Record<string, { today: string; total: string }>;
  adgroups: Record<string, string>;
}

/** Where a feed puts what it loaded: the serving process's memory. */
export interface InventorySink {
  /** `ids` null: all of them, whoever is missing is gone. `loadedAt`: performance.now() before the load. */
  replaceAdvertisers(
    ids: readonly number[] | null,
    inventory: AdvertiserInventory,
    loadedAt: number,
  ): Promise<void>;
  replacePublishers(ids: readonly number[] | null, zones: readonly ZoneRow[]): void;
  /** What everybody has and has spent; `loadedAt` as above. */
  applyMoney(money: MoneyRows, loadedAt: number): void;
  applySettings(settings: Settings): void;
  applyBudgets(notice: BudgetNotice): void;
}

type Text = Record<string, unknown>;

/** int8 arrives as text: ids and days as numbers, money as bigint. */
const number = (value: unknown): number => Number(value);
const optional = (value: unknown): number | null => (value === null ? null : Number(value));
const money = (value: unknown): bigint => BigInt(text(value));
const optionalMoney = (value: unknown): bigint | null => (value === null ? null : money(value));
const text = (value: unknown): string => `${value as string | number}`;
const optionalText = (value: unknown): string | null => (value === null ? null : text(value));

/** `null`: all advertisers. */
export async function loadAdvertisers(
  sql: SqlRunner,
  ids: readonly number[] | null,
): Promise<AdvertiserInventory> {
  const values = [ids];
  const [advertisers, campaigns, adGroups, ads] = await Promise.all([
    sql.query<Text>(ADVERTISERS, values),
    sql.query<Text>(CAMPAIGNS, values),
    sql.query<Text>(AD_GROUPS, values),
    sql.query<Text>(ADS, values),
  ]);
  return {
    advertisers: advertisers.rows.map(advertiserRow),
    campaigns: campaigns.rows.map((row) => ({
      ...termsRow(row),
      adType: text(row['ad_type']),
      pricingModel: text(row['pricing_model']),
      rotation: text(row['rotation_mode']),
      totalBudgetNanos: optionalMoney(row['total_budget_nanos']),
      spentTotalNanos: money(row['spent_total_nanos']),
    })),
    adGroups: adGroups.rows.map((row) => ({
      ...termsRow(row),
      campaignId: number(row['campaign_id']),
    })),
    ads: ads.rows.map(adRow),
  };
}

export async function loadMoney(sql: SqlRunner): Promise<MoneyRows> {
  const [advertisers, spent, inAll] = await Promise.all([
    sql.query<Text>(ADVERTISERS, [null]),
    sql.query<Text>(SPENT_TODAY),
    sql.query<Text>(SPENT_IN_ALL),
  ]);
  const day = number(spent.rows[0]?.['today'] ?? 0);
  const today = (scope: string): SpentRow[] =>
    spent.rows.filter((row) => row['scope'] === scope).map(spentRow);
  return {
    advertisers: advertisers.rows.map(advertiserRow),
    day,
    campaignsToday: today('campaign'),
    adGroupsToday: today('adgroup'),
    campaignsInAll: inAll.rows.map(spentRow),
  };
}

const advertiserRow = (row: Text): AdvertiserRow => ({
  id: number(row['id']),
  status: text(row['status']),
  availableNanos: money(row['available_nanos']),
});

const spentRow = (row: Text): SpentRow => ({
  id: number(row['id']),
  spentNanos: money(row['spent_nanos']),
});

/** `null`: the zones of all publishers. */
export async function loadZones(
  sql: SqlRunner,
  publisherIds: readonly number[] | null,
): Promise<ZoneRow[]> {
  const { rows } = await sql.query<Text>(ZONES, [publisherIds]);
  return rows.map((row) => ({
    id: number(row['id']),
    zoneKey: text(row['zone_key']),
    publisherId: number(row['publisher_id']),
    siteId: number(row['site_id']),
    type: text(row['type']),
    width: number(row['width']),
    height: number(row['height']),
    device: text(row['device']),
    pricingTypes: text(row['pricing_types']),
    floorCpcNanos: money(row['floor_price_cpc_nanos']),
    floorCpmNanos: money(row['floor_price_cpm_nanos']),
    refresh: number(row['refresh']),
    settings: row['settings'],
    status: text(row['status']),
    audit: text(row['audit_status']),
    siteStatus: text(row['site_status']),
    siteAudit: text(row['site_audit']),
    publisherStatus: text(row['publisher_status']),
  }));
}

function termsRow(row: Text): TermsRow {
  return {
    id: number(row['id']),
    advertiserId: number(row['advertiser_id']),
    status: text(row['status']),
    audit: text(row['audit_status']),
    bidNanos: optionalMoney(row['bid_nanos']),
    dailyBudgetNanos: optionalMoney(row['daily_budget_nanos']),
    startDay: optional(row['start_day']),
    endDay: optional(row['end_day']),
    targetCountries: row['target_countries'],
    targetDevices: row['target_devices'],
    targetOs: row['target_os'],
    targetBrowsers: row['target_browsers'],
    targetHours: row['target_hours'],
    weekdays: row['weekdays'],
    bidAdjustments: row['bid_adjustments'],
    frequencyCap: row['frequency_cap'],
    day: number(row['today']),
    spentTodayNanos: money(row['spent_today_nanos']),
    version: text(row['version']),
  };
}

function adRow(row: Text): AdRow {
  return {
    id: number(row['id']),
    advertiserId: number(row['advertiser_id']),
    campaignId: number(row['campaign_id']),
    adGroupId: number(row['adgroup_id']),
    weight: number(row['weight']),
    status: text(row['status']),
    audit: text(row['audit_status']),
    title: optionalText(row['title']),
    description: optionalText(row['description']),
    buttonText: optionalText(row['button_text']),
    brandName: optionalText(row['brand_name']),
    displayUrl: optionalText(row['display_url']),
    creativeId: number(row['creative_id']),
    creativeStatus: text(row['creative_status']),
    display: text(row['display']),
    revision: optional(row['approved_revision']),
    width: optional(row['width']),
    height: optional(row['height']),
    html: optionalText(row['html_code']),
    imagePath: optionalText(row['image_path']),
    imagePath2: optionalText(row['image_path_2']),
    videoPath: optionalText(row['video_path']),
    iconPath: optionalText(row['icon_path']),
    html5Path: optionalText(row['html5_path']),
    image: fileFacts(row, 'image'),
    video: fileFacts(row, 'video'),
    vastXml: optionalText(row['vast_xml']),
    vastUrl: optionalText(row['vast_url']),
    version: text(row['version']),
  };
}

function fileFacts(row: Text, name: 'image' | 'video'): FileFacts | null {
  if (row[`${name}_mime`] === null) return null;
  return {
    mime: text(row[`${name}_mime`]),
    width: optional(row[`${name}_width`]),
    height: optional(row[`${name}_height`]),
    bytes: number(row[`${name}_bytes`]),
    seconds: optional(row[`${name}_seconds`]),
  };
}

const TODAY = "(now() AT TIME ZONE 'UTC')::date";
const EPOCH = "DATE '1970-01-01'";

const ADVERTISERS = `
  SELECT a.id, a.status, COALESCE(l.balance_nanos, 0) AS available_nanos
  FROM accounts a LEFT JOIN ledger_accounts l ON l.code = 'adv:' || a.id || ':available'
  WHERE a.kind = 'ADVERTISER' AND ($1::bigint[] IS NULL OR a.id = ANY ($1))`;

/** Columns that campaigns and ad groups share. */
const TERMS = `
  t.id, t.advertiser_id, t.status, t.audit_status, t.bid_nanos, t.daily_budget_nanos,
  t.start_date - ${EPOCH} AS start_day, t.end_date - ${EPOCH} AS end_day,
  t.target_countries, t.target_devices, t.target_os, t.target_browsers, t.target_hours, t.weekdays,
  t.bid_adjustments, t.frequency_cap, t.xmin::text AS version,
  ${TODAY} - ${EPOCH} AS today, COALESCE(b.spent_nanos, 0) AS spent_today_nanos`;

const MINE = `t.status <> 'ARCHIVED' AND ($1::bigint[] IS NULL OR t.advertiser_id = ANY ($1))`;

const CAMPAIGNS = `
  SELECT ${TERMS}, t.ad_type, t.pricing_model, t.rotation_mode, t.total_budget_nanos,
    COALESCE(s.spent_nanos, 0) AS spent_total_nanos
  FROM campaigns t
  LEFT JOIN budget_days b ON b.scope = 'campaign' AND b.scope_id = t.id AND b.day = ${TODAY}
  LEFT JOIN campaign_totals s ON s.campaign_id = t.id
  WHERE ${MINE}`;

const AD_GROUPS = `
  SELECT ${TERMS}, t.campaign_id
  FROM ad_groups t
  LEFT JOIN budget_days b ON b.scope = 'adgroup' AND b.scope_id = t.id AND b.day = ${TODAY}
  WHERE ${MINE}`;

const SPENT_TODAY = `
  SELECT scope, scope_id AS id, spent_nanos, ${TODAY} - ${EPOCH} AS today
  FROM budget_days WHERE day = ${TODAY} AND scope IN ('campaign', 'adgroup')`;
const SPENT_IN_ALL = `
  SELECT s.campaign_id AS id, s.spent_nanos
  FROM campaign_totals s JOIN campaigns t ON t.id = s.campaign_id AND t.status <> 'ARCHIVED'`;

const fileColumns = (table: string, name: 'image' | 'video'): string =>
  ['mime', 'width', 'height', 'bytes']
    .map((column) => `${table}.${column} AS ${name}_${column}`)
    .concat(`${table}.duration_s AS ${name}_seconds`)
    .join(', ');

/** A creative that tells no size has its picture's. */
const ADS = `
  SELECT t.id, t.advertiser_id, t.campaign_id, t.adgroup_id, t.weight, t.status, t.audit_status,
    t.title, t.description, t.button_text, t.brand_name, t.display_url,
    c.id AS creative_id, c.status AS creative_status, c.type AS display, c.approved_revision,
    COALESCE(r.width, h.width, i.width, v.width) AS width, COALESCE(r.height, h.height, i.height, v.height) AS height,
    r.html_code, i.path AS image_path, j.path AS image_path_2, v.path AS video_path, k.path AS icon_path,
    h.path AS html5_path,
    ${fileColumns('i', 'image')}, ${fileColumns('v', 'video')}, r.vast_xml, r.vast_url,
    concat_ws('.', t.xmin, c.xmin, r.xmin) AS version
  FROM ads t
  JOIN creatives c ON c.id = t.creative_id AND c.advertiser_id = t.advertiser_id
  LEFT JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = c.approved_revision
  LEFT JOIN media i ON i.id = r.image_media_id
  LEFT JOIN media j ON j.id = r.image_media_id_2
  LEFT JOIN media v ON v.id = r.video_media_id
  LEFT JOIN media k ON k.id = r.icon_media_id
  LEFT JOIN media h ON h.id = r.html5_media_id
  WHERE ${MINE}`;

const ZONES = `
  SELECT z.id, z.zone_key, z.publisher_id, z.site_id, z.type, z.width, z.height, z.device,
    z.pricing_types, z.floor_price_cpc_nanos, z.floor_price_cpm_nanos, z.refresh, z.settings,
    z.status, z.audit_status, s.status AS site_status, s.audit_status AS site_audit,
    p.status AS publisher_status
  FROM zones z JOIN sites s ON s.id = z.site_id JOIN accounts p ON p.id = z.publisher_id
  WHERE z.status <> 'ARCHIVED' AND ($1::bigint[] IS NULL OR z.publisher_id = ANY ($1))`;
