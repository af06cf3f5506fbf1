import type { Dimension, ReportCounts, ReportFilter, RollupName } from '../../domain/report.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** Reports over the rollups that settlement writes in its own transaction. */
export interface ReportQuery {
  rollup: RollupName;
  ownerId: number;
  groupBy: readonly Dimension[];
  filter: ReportFilter;
  /** Days, both included, in `timezone`; traits rollups are asked in UTC only. */
  startDate: string;
  endDate: string;
  timezone: string;
}

export interface ReportRow {
  /** Values of the dimensions, as text; names of things beside their ids. */
  keys: Partial<Record<Dimension, string>>;
  names: Partial<Record<Dimension, string>>;
  counts: ReportCounts;
}

/** A longer answer is refused: it would be an export. */
export const REPORT_ROWS_MAX = 10_000;

interface Rollup {
  table: string;
  owner: 'advertiser_id' | 'publisher_id';
  money: 'spend_nanos' | 'revenue_nanos';
  requests: boolean;
  time: 'hour' | 'day';
}

const ROLLUPS: Readonly<Record<RollupName, Rollup>> = {
  ad_hours: {
    table: 'rollup_ad_hours',
    owner: 'advertiser_id',
    money: 'spend_nanos',
    requests: false,
    time: 'hour',
  },
  ad_traits: {
    table: 'rollup_ad_traits',
    owner: 'advertiser_id',
    money: 'spend_nanos',
    requests: false,
    time: 'day',
  },
  zone_hours: {
    table: 'rollup_zone_hours',
    owner: 'publisher_id',
    money: 'revenue_nanos',
    requests: true,
    time: 'hour',
  },
  zone_traits: {
    table: 'rollup_zone_traits',
    owner: 'publisher_id',
    money: 'revenue_nanos',
    requests: false,
    time: 'day',
  },
};

export const countsRequests = (rollup: RollupName): boolean => ROLLUPS[rollup].requests;

/** Tables whose names stand beside the ids, and their owners' column. */
const NAMED: Partial<Record<Dimension, string>> = {
  campaign: 'campaigns',
  adgroup: 'ad_groups',
  ad: 'ads',
  creative: 'creatives',
  site: 'sites',
  zone: 'zones',
};

/** What a dimension is in a rollup. $5 is the time zone; every text here is a constant of ours. */
function expressionOf(dimension: Dimension, rollup: Rollup): string {
  switch (dimension) {
    case 'date':
      return rollup.time === 'hour'
        ? `to_char(r.hour AT TIME ZONE $5, 'YYYY-MM-DD')`
        : `to_char(r.day, 'YYYY-MM-DD')`;
    case 'hour':
      return `to_char(r.hour AT TIME ZONE $5, 'HH24')`;
    case 'country':
    case 'device':
    case 'os':
    case 'browser':
      return `r.${dimension}`;
    case 'campaign':
    case 'adgroup':
    case 'ad':
    case 'creative':
    case 'site':
    case 'zone':
      return `r.${dimension}_id`;
  }
}

export async function readReport(sql: SqlRunner, query: ReportQuery): Promise<ReportRow[]> {
  const rollup = ROLLUPS[query.rollup];
  const keys = query.groupBy.map((each, at) => `${expressionOf(each, rollup)} AS k${at}`);
  const filters = Object.entries(query.filter);
  const conditions = filters.map(([name], at) => `AND r.${name}_id = $${at + 6}`);
  const range =
    rollup.time === 'hour'
      ? `r.hour >= $2::date::timestamp AT TIME ZONE $5 AND r.hour < ($3::date + 1)::timestamp AT TIME ZONE $5`
      : `r.day BETWEEN $2::date AND $3::date AND $5::text = 'UTC'`;
  const places = query.groupBy.map((_, at) => at + 1).join(', ');
  const names = query.groupBy.flatMap((each, at) =>
    NAMED[each] === undefined
      ? []
      : [`(SELECT name FROM ${NAMED[each]} n WHERE n.id = g.k${at}) AS n${at}`],
  );
  const { rows } = await sql.query<RawRow>(
    `SELECT g.*${names.map((name) => `, ${name}`).join('')} FROM (
       SELECT ${keys.join(', ')}, ${rollup.requests ? 'sum(r.requests)' : 'NULL'} AS requests,
         sum(r.impressions) AS impressions, sum(r.viewable) AS viewable, sum(r.clicks) AS clicks,
         sum(r.conversions) AS conversions, sum(r.removed) AS removed, sum(r.${rollup.money}) AS money
       FROM ${rollup.table} r WHERE r.${rollup.owner} = $1 AND ${range} ${conditions.join(' ')}
       GROUP BY ${places} ORDER BY ${places} LIMIT $4) g`,
    [
      query.ownerId,
      query.startDate,
      query.endDate,
      REPORT_ROWS_MAX + 1,
      query.timezone,
      ...filters.map(([, value]) => value),
    ],
  );
  return rows.map((row) => asReportRow(row, query.groupBy));
}

/** Keys and names are text or BIGINT, which arrives as text; sums are NUMERIC, text as well. */
type RawRow = Record<string, string | null>;

function asReportRow(row: RawRow, groupBy: readonly Dimension[]): ReportRow {
  const textOf = (prefix: string): Partial<Record<Dimension, string>> =>
    Object.fromEntries(
      groupBy.flatMap((each, at) => {
        const value = row[`${prefix}${at}`];
        return value === undefined || value === null ? [] : [[each, value]];
      }),
    );
  return {
    keys: textOf('k'),
    names: textOf('n'),
    counts: {
      requests: row['requests'] === null ? null : Number(row['requests']),
      impressions: Number(row['impressions']),
      viewable: Number(row['viewable']),
      clicks: Number(row['clicks']),
      conversions: Number(row['conversions']),
      removed: Number(row['removed']),
      moneyNanos: BigInt(row['money'] ?? 0),
    },
  };
}

/**
 * Until when everything is settled, in the slowest shard: `now` where nothing waits behind the
 * cursor, otherwise when the first waiting event arrived. Null before settlement has begun.
 */
export async function readSettledAt(sql: SqlRunner, now: Date): Promise<Date | null> {
  const { rows } = await sql.query<{ settled_at: Date | null }>(
    `SELECT min(LEAST($1::timestamptz, COALESCE(waiting.received_at, $1::timestamptz))) AS settled_at
     FROM settlement_cursors c LEFT JOIN LATERAL (
       SELECT i.received_at FROM event_inbox i
       WHERE i.shard = c.shard AND (i.xid, i.seq) > (c.xid, c.seq)
       ORDER BY i.xid, i.seq LIMIT 1) waiting ON true`,
    [now.toISOString()],
  );
  return rows[0]?.settled_at ?? null;
}

/** The first moment after a day of a time zone. */
export async function readDayEnd(sql: SqlRunner, day: string, timezone: string): Promise<Date> {
  const { rows } = await sql.query<{ ends_at: Date }>(
    'SELECT ($1::date + 1)::timestamp AT TIME ZONE $2 AS ends_at',
    [day, timezone],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a query without rows');
  return row.ends_at;
}

/** Is that thing this owner's? Archived ones keep their history. */
export async function ownsReported(
  sql: SqlRunner,
  thing: { dimension: keyof ReportFilter; id: number; ownerId: number },
): Promise<boolean> {
  const owner =
    thing.dimension === 'site' || thing.dimension === 'zone' ? 'publisher_id' : 'advertiser_id';
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM ${NAMED[thing.dimension]} WHERE id = $1 AND ${owner} = $2`,
    [thing.id, thing.ownerId],
  );
  return rows.length > 0;
}
