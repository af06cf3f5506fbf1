import type { QueryArrayConfig, QueryResultRow } from 'pg';
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

export type InventoryParts = AsyncIterable<AdvertiserInventory> | Iterable<AdvertiserInventory>;

/** Where a feed puts what it loaded: the serving process's memory. */
export interface InventorySink {
  /**
   * `ids` null: all of them, whoever is missing is gone. `parts` have all of an advertiser each, and are read one
   * after another; what they say is shown when the last one has come. `loadedAt`: performance.now() before the load.
   */
  replaceAdvertisers(
    ids: readonly number[] | null,
    parts: InventoryParts,
    loadedAt: number,
  ): Promise<void>;
  replacePublishers(ids: readonly number[] | null, zones: readonly ZoneRow[]): Promise<void>;
  /** What everybody has and has spent; `loadedAt` as above. */
  applyMoney(money: MoneyRows, loadedAt: number): Promise<void>;
  /** Of them, floors under zones follow in slices. */
  applySettings(settings: Settings): void;
  applyBudgets(notice: BudgetNotice): void;
}

/** The driver itself: it asks for so many rows, and then for the next. */
export interface SnapshotSource {
  query<Row extends QueryResultRow>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
  query<Row extends unknown[]>(inPortions: Portions): Promise<{ rows: Row[] }>;
}

type Portions = QueryArrayConfig & { rows: number };

export async function loadAdvertisers(
  sql: SnapshotSource,
  ids: readonly number[],
  portion: Portion = 'BESIDE_REQUESTS',
): Promise<AdvertiserInventory> {
  const of = { values: [ids], portion };
  // One after another: portions that come at once are taken apart at once.
  return {
    advertisers: await readMany(sql, ADVERTISER, ADVERTISERS, of),
    campaigns: await readMany(sql, CAMPAIGN, CAMPAIGNS, of),
    adGroups: await readMany(sql, AD_GROUP, AD_GROUPS, of),
    ads: await readMany(sql, AD, ADS, of),
  };
}

export async function loadMoney(sql: SnapshotSource): Promise<MoneyRows> {
  const [advertisers, spent, campaignsInAll] = await Promise.all([
    readMany(sql, ADVERTISER, ADVERTISERS, { values: [null] }),
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
 * once, up to two megabytes of it; and for each 64 KB of that V8 marks for some milliseconds while it collects.
 */
async function readMany<Each>(
  sql: SnapshotSource,
  selection: { readValues(values: readonly unknown[]): Each },
  text: string,
  { values = [], portion = 'BESIDE_REQUESTS' }: { values?: unknown[]; portion?: Portion } = {},
): Promise<Each[]> {
  const rows = { rowMode: 'array', rows: PORTIONS[portion] } as const;
  const answer = await sql.query({ text, values, ...rows });
  return await inSlices(reading(answer.rows, selection));
}

/** Rows; a process that has nothing to serve yet is asked for nothing. */
const PORTIONS = { BESIDE_REQUESTS: 25, FIRST_LOAD: 1_000 } as const;
export type Portion = keyof typeof PORTIONS;

function* reading<Each>(
  rows: readonly (readonly unknown[])[],
  selection: { readValues(values: readonly unknown[]): Each },
): Generator<void, Each[]> {
  const read: Each[] = [];
  for (const row of rows) {
    read.push(selection.readValues(row));
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
