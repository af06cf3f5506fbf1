import type { QueryConfig, QueryResultRow } from 'pg';
import type { Settings } from '../../domain/settings.ts';
import { inSlices } from '../in-slices.ts';
import { readRows } from '../schema/selection.ts';
import {
  ADVERTISER,
  type AdvertiserInventory,
  AD,
  AD_GROUP,
  CAMPAIGN,
  type MoneyRows,
  SPENT,
  SPENT_TODAY,
  TODAY,
  ZONE,
  type ZoneRow,
} from './snapshot-rows.ts';

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
  /** What of this shard was received until then, Unix ms, is in these figures. */
  settled?: SettledUntil;
}

export interface SettledUntil {
  shard: number;
  untilMs: number;
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
  applyMoney(money: MoneyRows, loadedAt: number): Promise<void>;
  applySettings(settings: Settings): void;
  applyBudgets(notice: BudgetNotice): void;
}

/** The driver itself: it asks for so many rows, and then for the next. */
export interface SnapshotSource {
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  query<Row extends QueryResultRow>(inPortions: Portions): Promise<{ rows: Row[] }>;
}

type Portions = QueryConfig & { rows: number };

export async function loadAdvertisers(
  sql: SnapshotSource,
  ids: readonly number[],
): Promise<AdvertiserInventory> {
  const values = [ids];
  const [advertisers, campaigns, adGroups, ads] = await Promise.all([
    readMany(sql, ADVERTISER, ADVERTISERS, values),
    readMany(sql, CAMPAIGN, CAMPAIGNS, values),
    readMany(sql, AD_GROUP, AD_GROUPS, values),
    readMany(sql, AD, ADS, values),
  ]);
  return { advertisers, campaigns, adGroups, ads };
}

export async function loadMoney(sql: SnapshotSource): Promise<MoneyRows> {
  const [advertisers, spent, campaignsInAll] = await Promise.all([
    readMany(sql, ADVERTISER, ADVERTISERS, [null]),
    readMany(sql, SPENT_TODAY, SPENT_TODAY_SQL),
    readMany(sql, SPENT, SPENT_IN_ALL),
  ]);
  return {
    advertisers,
    day: spent[0]?.day ?? 0,
    campaignsToday: spent.filter(({ scope }) => scope === 'campaign'),
    adGroupsToday: spent.filter(({ scope }) => scope === 'adgroup'),
    campaignsInAll,
  };
}

/**
 * As `readRows`, without holding up requests meanwhile: what PostgreSQL sends at once, the driver takes apart at
 * once, up to two megabytes of it.
 */
async function readMany<Each>(
  sql: SnapshotSource,
  selection: { read(raw: Readonly<Record<string, unknown>>): Each },
  text: string,
  values: unknown[] = [],
): Promise<Each[]> {
  const { rows } = await sql.query({ text, values, rows: ROWS_IN_A_PORTION });
  return await inSlices(reading(rows, selection));
}

const ROWS_IN_A_PORTION = 100;

function* reading<Each>(
  rows: readonly Readonly<Record<string, unknown>>[],
  selection: { read(raw: Readonly<Record<string, unknown>>): Each },
): Generator<void, Each[]> {
  const read: Each[] = [];
  for (const row of rows) {
    read.push(selection.read(row));
    yield;
  }
  return read;
}

/** `null`: the zones of all publishers. */
export async function loadZones(
  sql: SnapshotSource,
  publisherIds: readonly number[] | null,
): Promise<ZoneRow[]> {
  return await readRows(sql, ZONE, ZONES, [publisherIds]);
}

const ADVERTISERS = `
  SELECT ${ADVERTISER.list}
  FROM accounts a LEFT JOIN ledger_accounts l ON l.code = 'adv:' || a.id || ':available'
  WHERE a.kind = 'ADVERTISER' AND ($1::bigint[] IS NULL OR a.id = ANY ($1))`;

const MINE = `t.status <> 'ARCHIVED' AND t.advertiser_id = ANY ($1::bigint[])`;

const CAMPAIGNS = `
  SELECT ${CAMPAIGN.list}
  FROM campaigns t
  LEFT JOIN budget_days b ON b.scope = 'campaign' AND b.scope_id = t.id AND b.day = ${TODAY}
  LEFT JOIN campaign_totals s ON s.campaign_id = t.id
  WHERE ${MINE}`;

const AD_GROUPS = `
  SELECT ${AD_GROUP.list}
  FROM ad_groups t
  LEFT JOIN budget_days b ON b.scope = 'adgroup' AND b.scope_id = t.id AND b.day = ${TODAY}
  WHERE ${MINE}`;

const SPENT_TODAY_SQL = `
  SELECT ${SPENT_TODAY.list}
  FROM budget_days b WHERE b.day = ${TODAY} AND b.scope IN ('campaign', 'adgroup')`;
const SPENT_IN_ALL = `
  SELECT ${SPENT.list}
  FROM campaign_totals s JOIN campaigns t ON t.id = s.campaign_id AND t.status <> 'ARCHIVED'`;

const ADS = `
  SELECT ${AD.list}
  FROM ads t
  JOIN ad_revisions w ON w.ad_id = t.id AND w.revision = COALESCE(t.approved_revision, t.latest_revision)
  JOIN creatives c ON c.id = w.creative_id AND c.advertiser_id = t.advertiser_id
  LEFT JOIN creative_revisions r ON r.creative_id = c.id AND r.revision = c.approved_revision
  LEFT JOIN media i ON i.id = r.image_media_id
  LEFT JOIN media j ON j.id = r.image_media_id_2
  LEFT JOIN media v ON v.id = r.video_media_id
  LEFT JOIN media k ON k.id = r.icon_media_id
  LEFT JOIN media h ON h.id = r.html5_media_id
  WHERE ${MINE}`;

const ZONES = `
  SELECT ${ZONE.list}
  FROM zones z JOIN sites s ON s.id = z.site_id JOIN accounts p ON p.id = z.publisher_id
  WHERE z.status <> 'ARCHIVED' AND ($1::bigint[] IS NULL OR z.publisher_id = ANY ($1))`;
