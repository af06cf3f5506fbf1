import type {
  AdReference,
  ClickReference,
  ConversionReference,
  ShareTerm,
  ZoneReference,
} from '../../domain/tracking/batch.ts';
import { REASONS } from '../../domain/tracking/facts.ts';
import type { Mark, MarkName } from '../../domain/tracking/marks.ts';
import { type BudgetScope, dayKey } from '../../domain/tracking/spending-room.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** What a batch must know of the inventory, loaded set by set. Ids are those its events name. */
export interface AdWithCaps extends AdReference {
  adGroupDailyCapNanos: bigint | null;
  campaignDailyCapNanos: bigint | null;
  campaignTotalCapNanos: bigint | null;
}

interface AdRow {
  id: string;
  advertiser_id: string;
  campaign_id: string;
  adgroup_id: string;
  adgroup_cap: string | null;
  campaign_cap: string | null;
  total_cap: string | null;
  by_country: boolean;
  by_device: boolean;
  by_os: boolean;
}

/** An ad group's list overrides the campaign's; an empty list targets nobody in particular. */
const targets = (column: string): string =>
  `COALESCE(jsonb_typeof(COALESCE(g.${column}, c.${column})) = 'array'
     AND COALESCE(g.${column}, c.${column}) <> '[]'::jsonb, false)`;

export async function loadAds(sql: SqlRunner, adIds: number[]): Promise<Map<number, AdWithCaps>> {
  const { rows } = await sql.query<AdRow>(
    `SELECT a.id, a.advertiser_id, a.campaign_id, a.adgroup_id,
            g.daily_budget_nanos AS adgroup_cap, c.daily_budget_nanos AS campaign_cap,
            c.total_budget_nanos AS total_cap, ${targets('target_countries')} AS by_country,
            ${targets('target_devices')} AS by_device, ${targets('target_os')} AS by_os
     FROM ads a JOIN ad_groups g ON g.id = a.adgroup_id JOIN campaigns c ON c.id = a.campaign_id
     WHERE a.id = ANY($1::bigint[])`,
    [adIds],
  );
  return new Map(
    rows.map((row) => [
      Number(row.id),
      {
        advertiserId: Number(row.advertiser_id),
        campaignId: Number(row.campaign_id),
        adGroupId: Number(row.adgroup_id),
        targeted: { country: row.by_country, device: row.by_device, os: row.by_os },
        adGroupDailyCapNanos: nanosOrNull(row.adgroup_cap),
        campaignDailyCapNanos: nanosOrNull(row.campaign_cap),
        campaignTotalCapNanos: nanosOrNull(row.total_cap),
      },
    ]),
  );
}

export async function loadZones(
  sql: SqlRunner,
  zoneIds: number[],
): Promise<Map<number, ZoneReference>> {
  const { rows } = await sql.query<{ id: string; publisher_id: string; site_id: string }>(
    'SELECT id, publisher_id, site_id FROM zones WHERE id = ANY($1::bigint[])',
    [zoneIds],
  );
  return new Map(
    rows.map((row) => [
      Number(row.id),
      { publisherId: Number(row.publisher_id), siteId: Number(row.site_id) },
    ]),
  );
}

export async function loadShares(sql: SqlRunner, publisherIds: number[]): Promise<ShareTerm[]> {
  const { rows } = await sql.query<{ publisher_id: string | null; ppm: number; from_ms: number }>(
    `SELECT publisher_id, share_ppm AS ppm, (extract(epoch FROM effective_from) * 1000)::float8 AS from_ms
     FROM publisher_shares WHERE publisher_id IS NULL OR publisher_id = ANY($1::bigint[])`,
    [publisherIds],
  );
  return rows.map((row) => ({
    publisherId: row.publisher_id === null ? null : Number(row.publisher_id),
    sharePpm: row.ppm,
    fromMs: Number(row.from_ms),
  }));
}

/** Locked: only settlement moves a click out of `verified`, and only once. */
export async function lockClicks(
  sql: SqlRunner,
  clickEventIds: string[],
): Promise<Map<string, ClickReference>> {
  if (clickEventIds.length === 0) return new Map();
  const { rows } = await sql.query<{
    id: string;
    status: string;
    bid_id: string;
    click_id: string;
    clicked_ms: number;
  }>(
    `SELECT id::text AS id, status, bid_id, click_id, (extract(epoch FROM clicked_at) * 1000)::float8 AS clicked_ms
     FROM clicks WHERE id = ANY($1::uuid[]) ORDER BY clicks.id FOR NO KEY UPDATE`,
    [clickEventIds],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      {
        status: row.status,
        bidId: row.bid_id,
        clickId: row.click_id,
        clickedAtMs: row.clicked_ms,
      },
    ]),
  );
}

export async function lockConversions(
  sql: SqlRunner,
  conversionIds: number[],
): Promise<Map<number, ConversionReference>> {
  if (conversionIds.length === 0) return new Map();
  const { rows } = await sql.query<{ id: string; status: string; click_reason: string | null }>(
    `SELECT v.id, v.status,
            (SELECT c.reason FROM clicks c WHERE c.click_id = v.click_id AND c.status = 'invalid') AS click_reason
     FROM conversions v WHERE v.id = ANY($1::bigint[]) ORDER BY v.id FOR NO KEY UPDATE`,
    [conversionIds],
  );
  return new Map(
    rows.map((row) => [
      Number(row.id),
      {
        status: row.status,
        clickReason: REASONS.find((reason) => reason === row.click_reason) ?? null,
      },
    ]),
  );
}

/**
 * Balances of the advertisers, their rows locked in id order until the batch is posted. Two shards
 * that meet on one advertiser (the number of shards was changed) take turns here.
 */
export async function lockBalances(
  sql: SqlRunner,
  advertiserIds: number[],
): Promise<Map<number, bigint>> {
  const { rows } = await sql.query<{ owner_id: string; balance_nanos: string }>(
    `SELECT owner_id, balance_nanos FROM ledger_accounts
     WHERE code = ANY(SELECT 'adv:' || a || ':available' FROM unnest($1::bigint[]) AS a)
     ORDER BY id FOR NO KEY UPDATE`,
    [advertiserIds],
  );
  return new Map(rows.map((row) => [Number(row.owner_id), BigInt(row.balance_nanos)]));
}

export interface SpentSoFar {
  days: Map<string, bigint>;
  totals: Map<number, bigint>;
}

/** Read after the balances are locked, which keeps another shard out. */
export async function loadSpent(
  sql: SqlRunner,
  ids: { campaignIds: number[]; adGroupIds: number[]; days: string[] },
): Promise<SpentSoFar> {
  const days = await sql.query<{
    scope: BudgetScope;
    scope_id: string;
    day: string;
    spent_nanos: string;
  }>(
    `SELECT scope, scope_id, day::text AS day, spent_nanos FROM budget_days
     WHERE day = ANY($3::date[]) AND ((scope = 'campaign' AND scope_id = ANY($1::bigint[]))
                                   OR (scope = 'adgroup' AND scope_id = ANY($2::bigint[])))`,
    [ids.campaignIds, ids.adGroupIds, ids.days],
  );
  const totals = await sql.query<{ campaign_id: string; spent_nanos: string }>(
    'SELECT campaign_id, spent_nanos FROM campaign_totals WHERE campaign_id = ANY($1::bigint[])',
    [ids.campaignIds],
  );
  return {
    days: new Map(
      days.rows.map((row) => [
        dayKey(row.scope, Number(row.scope_id), row.day),
        BigInt(row.spent_nanos),
      ]),
    ),
    totals: new Map(totals.rows.map((row) => [Number(row.campaign_id), BigInt(row.spent_nanos)])),
  };
}

export async function loadMarks(sql: SqlRunner, names: MarkName[]): Promise<Mark[]> {
  const { rows } = await sql.query<{
    kind: Mark['kind'];
    key: string;
    seen_ms: number;
    count: number;
    expires_ms: number;
  }>(
    `SELECT m.kind, m.key, m.count, (extract(epoch FROM m.seen_at) * 1000)::float8 AS seen_ms,
            (extract(epoch FROM m.expires_at) * 1000)::float8 AS expires_ms
     FROM unnest($1::text[], $2::text[]) AS n (kind, key) JOIN event_marks m USING (kind, key)`,
    [names.map((name) => name.kind), names.map((name) => name.key)],
  );
  return rows.map((row) => ({
    kind: row.kind,
    key: row.key,
    seenAtMs: row.seen_ms,
    count: row.count,
    expiresAtMs: row.expires_ms,
  }));
}

const nanosOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));
