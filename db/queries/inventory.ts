import { chart } from '../../domain/ledger/chart.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

/**
 * What an advertiser's lists share. BIGINT columns arrive as text: rows keep them as they are and
 * presenters convert. Archived rows are gone for their owner, unless a list asks for them; reports
 * still name them.
 */
export interface InventoryFilter {
  advertiserId: number;
  id?: number | undefined;
  /** LIKE pattern over the name. */
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
  /** Days of creation, both ends included, UTC. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  /** Further columns of the table that must equal a value; names come from code only. */
  equals?: Readonly<Record<string, string | number | undefined>> | undefined;
}

export interface Slice {
  limit: number;
  offset: number;
}

/** SQL of one kind: its table and what a record of it shows. `t` is the row. */
export interface InventorySelect {
  table: 'campaigns' | 'ad_groups' | 'ads' | 'creatives' | 'media';
  columns: string;
  joins: string;
}

interface Condition {
  text: string;
  values: unknown[];
}

function conditionOf(filter: InventoryFilter): Condition {
  const values: unknown[] = [filter.advertiserId];
  const parts = ['t.advertiser_id = $1'];
  if (filter.status === undefined) parts.push(`t.status <> 'ARCHIVED'`);
  const add = (sql: (at: string) => string, value: unknown): void => {
    if (value === undefined) return;
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  add((at) => `t.id = ${at}`, filter.id);
  add((at) => `t.name ILIKE ${at}`, filter.pattern);
  add((at) => `t.status = ${at}`, filter.status);
  add((at) => `t.audit_status = ${at}`, filter.auditStatus);
  add((at) => `t.created_at >= ${at}::date::timestamp AT TIME ZONE 'UTC'`, filter.startDate);
  add((at) => `t.created_at < (${at}::date + 1)::timestamp AT TIME ZONE 'UTC'`, filter.endDate);
  for (const [column, value] of Object.entries(filter.equals ?? {})) {
    add((at) => `t.${column} = ${at}`, value);
  }
  return { text: parts.join(' AND '), values };
}

/** Newest first. `day` is today in the platform time zone: budgets are counted by it. */
export async function listInventory<Row extends object>(
  sql: SqlRunner,
  select: InventorySelect,
  { filter, slice, day }: { filter: InventoryFilter; slice: Slice; day: string },
): Promise<{ rows: Row[]; total: number }> {
  const { text, values } = conditionOf(filter);
  const rows = await readRows<Row>(sql, select, { filter, slice, day });
  const total = await totalOf(
    sql,
    { ...slice, rows: rows.length },
    { text: `SELECT count(*) AS total FROM ${select.table} t WHERE ${text}`, values: values },
  );
  return { rows, total };
}

/** One record, or undefined when it is unknown, archived or another owner's. */
export async function findInventory<Row extends object>(
  sql: SqlRunner,
  select: InventorySelect,
  { id, advertiserId, day }: { id: number; advertiserId: number; day: string },
): Promise<Row | undefined> {
  const filter = { id, advertiserId };
  const [row] = await readRows<Row>(sql, select, { filter, slice: { limit: 1, offset: 0 }, day });
  return row;
}

/** The page is cut first; facts are gathered for its rows only. */
async function readRows<Row extends object>(
  sql: SqlRunner,
  select: InventorySelect,
  { filter, slice, day }: { filter: InventoryFilter; slice: Slice; day: string },
): Promise<Row[]> {
  const { text, values } = conditionOf(filter);
  const at = values.length;
  const { rows } = await sql.query<Row>(
    `WITH page AS (
       SELECT t.* FROM ${select.table} t WHERE ${text}
       ORDER BY t.id DESC LIMIT $${at + 1} OFFSET $${at + 2}),
     reading AS (SELECT $${at + 3}::date AS day, $${at + 4}::text AS available_code)
     SELECT ${select.columns} FROM page t CROSS JOIN reading ${select.joins} ORDER BY t.id DESC`,
    [...values, slice.limit, slice.offset, day, chart.advertiserAvailable(filter.advertiserId)],
  );
  return rows;
}

/** Facts of the account and of campaign `c`, under the prefix `campaign_`. */
export const CAMPAIGN_FACT_COLUMNS = `acc.status AS account_status,
  COALESCE(la.balance_nanos, 0) AS available_nanos,
  c.status AS campaign_status, c.audit_status AS campaign_audit_status, c.bid_nanos AS campaign_bid_nanos,
  c.start_date::text AS campaign_start_date, c.end_date::text AS campaign_end_date,
  c.target_hours AS campaign_target_hours, c.weekdays AS campaign_weekdays,
  c.daily_budget_nanos AS campaign_daily_cap_nanos, COALESCE(cb.spent_nanos, 0) AS campaign_daily_spent_nanos,
  c.total_budget_nanos AS campaign_total_cap_nanos, COALESCE(ct.spent_nanos, 0) AS campaign_total_spent_nanos`;
export const CAMPAIGN_FACT_JOINS = `JOIN accounts acc ON acc.id = t.advertiser_id
  LEFT JOIN ledger_accounts la ON la.code = reading.available_code
  LEFT JOIN budget_days cb ON cb.scope = 'campaign' AND cb.scope_id = c.id AND cb.day = reading.day
  LEFT JOIN campaign_totals ct ON ct.campaign_id = c.id`;

/** Facts of ad group `g`, under the prefix `adgroup_`. */
export const ADGROUP_FACT_COLUMNS = `g.status AS adgroup_status, g.audit_status AS adgroup_audit_status,
  g.bid_nanos AS adgroup_bid_nanos, g.start_date::text AS adgroup_start_date, g.end_date::text AS adgroup_end_date,
  g.target_hours AS adgroup_target_hours, g.weekdays AS adgroup_weekdays,
  g.daily_budget_nanos AS adgroup_daily_cap_nanos, COALESCE(gb.spent_nanos, 0) AS adgroup_daily_spent_nanos`;
export const ADGROUP_FACT_JOINS = `LEFT JOIN budget_days gb
  ON gb.scope = 'adgroup' AND gb.scope_id = g.id AND gb.day = reading.day`;

/** What hangs below; `inGroups` says which ad groups `x` count. */
export const adFacts = (inGroups: string): string => `LEFT JOIN LATERAL (
  SELECT count(*) > 0 AS has_ads,
    COALESCE(bool_or(x.status = 'ACTIVE' AND x.audit_status = 'APPROVED'
      AND a.status = 'ACTIVE' AND a.audit_status = 'APPROVED'
      AND k.status = 'ACTIVE' AND k.approved_revision IS NOT NULL), false) AS has_servable_ad
  FROM ad_groups x JOIN ads a ON a.adgroup_id = x.id AND a.status <> 'ARCHIVED'
  JOIN creatives k ON k.id = a.creative_id
  WHERE ${inGroups} AND x.status <> 'ARCHIVED') below ON true`;
export const AD_FACT_COLUMNS = 'below.has_ads, below.has_servable_ad';

export interface CampaignFactColumns {
  account_status: 'ACTIVE' | 'SUSPENDED';
  available_nanos: string;
  campaign_status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  campaign_audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED';
  campaign_bid_nanos: string;
  campaign_start_date: string | null;
  campaign_end_date: string | null;
  campaign_target_hours: number[] | null;
  campaign_weekdays: number[] | null;
  campaign_daily_cap_nanos: string | null;
  campaign_daily_spent_nanos: string;
  campaign_total_cap_nanos: string | null;
  campaign_total_spent_nanos: string;
}

export interface AdGroupFactColumns {
  adgroup_status: 'ACTIVE' | 'PAUSED' | 'ARCHIVED';
  adgroup_audit_status: 'DRAFT' | 'PENDING' | 'APPROVED' | 'REJECTED';
  adgroup_bid_nanos: string | null;
  adgroup_start_date: string | null;
  adgroup_end_date: string | null;
  adgroup_target_hours: number[] | null;
  adgroup_weekdays: number[] | null;
  adgroup_daily_cap_nanos: string | null;
  adgroup_daily_spent_nanos: string;
}

export interface AdFactColumns {
  has_ads: boolean;
  has_servable_ad: boolean;
}
