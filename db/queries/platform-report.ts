import {
  countsRequestsOf,
  type PlatformDimension,
  type PlatformPlan,
  type PlatformRow,
  type PlatformSide,
} from '../../domain/platform-report.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { beginOfDay } from './zone-days.ts';

/** The operators' report, from the rollups of both sides (interface 5.14). */

const TABLES: Readonly<Record<PlatformSide, Record<PlatformPlan['rollup'], string>>> = {
  ads: { hours: 'rollup_ad_hours', traits: 'rollup_ad_traits' },
  zones: { hours: 'rollup_zone_hours', traits: 'rollup_zone_traits' },
};
const SHARED = ['impressions', 'viewable', 'views', 'clicks', 'conversions', 'removed'] as const;
const COUNTS = ['requests', 'filled', ...SHARED, 'spend', 'revenue'] as const;
type Count = (typeof COUNTS)[number];

const NAMES: Readonly<Partial<Record<PlatformDimension, string>>> = {
  advertiser: 'SELECT COALESCE(n.company_name, n.username) FROM accounts n',
  publisher: 'SELECT COALESCE(n.company_name, n.username) FROM accounts n',
  campaign: 'SELECT n.name FROM campaigns n',
  site: 'SELECT n.name FROM sites n',
  zone: 'SELECT n.name FROM zones n',
};

/** Of a row `r`; `$1` is the time zone. */
function keyOf(dimension: PlatformDimension, rollup: PlatformPlan['rollup']): string {
  switch (dimension) {
    case 'date':
      return rollup === 'traits' ? 'r.day' : '(r.hour AT TIME ZONE $1::text)::date';
    case 'hour':
      return 'extract(hour FROM r.hour AT TIME ZONE $1::text)::int';
    case 'country':
    case 'device':
    case 'os':
    case 'browser':
      return `r.${dimension}`;
    case 'advertiser':
    case 'campaign':
    case 'publisher':
    case 'site':
    case 'zone':
      return `r.${dimension}_id`;
  }
}

/** What a side adds to each count. Events stand in both rollups: where both are read, those of ads are counted. */
function countOf(side: PlatformSide, count: Count, plan: PlatformPlan): string {
  if (count === 'spend') return side === 'ads' ? 'sum(r.spend_nanos)' : '0';
  if (count === 'revenue') return side === 'zones' ? 'sum(r.revenue_nanos)' : '0';
  const counts =
    count === 'requests' || count === 'filled'
      ? side === 'zones' && countsRequestsOf(plan)
      : side === plan.sides[0];
  return counts ? `sum(r.${count})` : '0';
}

/** `$1` time zone, `$2` and `$3` first and last day, `$4` advertiser, `$5` publisher. */
function sideOf(side: PlatformSide, plan: PlatformPlan): string {
  const keys = plan.groupBy.map((each, at) => `${keyOf(each, plan.rollup)} AS k${at}`);
  const counts = COUNTS.map((count) => `${countOf(side, count, plan)} AS ${count}`);
  const time =
    plan.rollup === 'traits'
      ? // Days of UTC, whichever zone `$1` is; a place that no text uses has no type.
        'r.day BETWEEN $2::date AND $3::date AND $1::text IS NOT NULL'
      : `r.hour >= ${beginOfDay('$2::date', '$1::text')}
         AND r.hour < ${beginOfDay('($3::date + 1)', '$1::text')}`;
  // One condition or the other, not both in one: with `OR` the owner's index would not be used.
  const { advertiser, publisher } = plan.filter;
  const owner = [
    advertiser === undefined ? '$4::bigint IS NULL' : 'r.advertiser_id = $4',
    publisher === undefined ? '$5::bigint IS NULL' : 'r.publisher_id = $5',
  ].join(' AND ');
  return `SELECT ${[...keys, ...counts].join(', ')} FROM ${TABLES[side][plan.rollup]} r
    WHERE ${time} AND ${owner} GROUP BY ${plan.groupBy.map((_, at) => at + 1).join(', ')}`;
}

type RawRow = Record<string, string | number | null>;

/** Lines in the order of their keys, `limit` at most; whole days of a time zone, both included. */
export async function readPlatformReport(
  sql: SqlRunner,
  plan: PlatformPlan,
  { startDate, endDate, limit }: { startDate: string; endDate: string; limit: number },
): Promise<PlatformRow[]> {
  const places = plan.groupBy.map((_, at) => `p.k${at}`).join(', ');
  const sums = COUNTS.map((count) => `sum(p.${count}) AS ${count}`);
  const groups = `SELECT ${places}, ${sums.join(', ')}
    FROM (${plan.sides.map((side) => sideOf(side, plan)).join(' UNION ALL ')}) p
    GROUP BY ${places} ORDER BY ${places} LIMIT $6`;
  const keys = plan.groupBy.map((each, at) =>
    each === 'date' ? `to_char(g.k${at}, 'YYYY-MM-DD') AS k${at}` : `g.k${at}`,
  );
  const names = plan.groupBy.flatMap((each, at) => {
    const name = NAMES[each];
    return name === undefined ? [] : [`(${name} WHERE n.id = g.k${at}) AS n${at}`];
  });
  const { rows } = await sql.query<RawRow>(
    `SELECT ${[...keys, ...names, ...COUNTS.map((count) => `g.${count}`)].join(', ')}
     FROM (${groups}) g ORDER BY ${plan.groupBy.map((_, at) => `g.k${at}`).join(', ')}`,
    [
      plan.timezone,
      startDate,
      endDate,
      plan.filter.advertiser ?? null,
      plan.filter.publisher ?? null,
      limit,
    ],
  );
  return rows.map((row) => asRow(row, plan));
}

function asRow(row: RawRow, plan: PlatformPlan): PlatformRow {
  const keys: PlatformRow['keys'] = {};
  const names: PlatformRow['names'] = {};
  for (const [at, dimension] of plan.groupBy.entries()) {
    keys[dimension] = String(row[`k${at}`]);
    const name = row[`n${at}`];
    if (name !== undefined && name !== null) names[dimension] = String(name);
  }
  const hasRequests = countsRequestsOf(plan);
  return {
    keys,
    names,
    counts: {
      requests: hasRequests ? Number(row['requests']) : null,
      filled: hasRequests ? Number(row['filled']) : null,
      impressions: Number(row['impressions']),
      viewable: Number(row['viewable']),
      views: Number(row['views']),
      clicks: Number(row['clicks']),
      conversions: Number(row['conversions']),
      removed: Number(row['removed']),
      spendNanos: plan.sides.includes('ads') ? BigInt(row['spend'] ?? 0) : null,
      publisherNanos: plan.sides.includes('zones') ? BigInt(row['revenue'] ?? 0) : null,
    },
  };
}

/** Whether a conversion of these days waits for its advertiser, so that its day's sums may still change. */
export async function hasPendingConversions(
  sql: SqlRunner,
  { timezone, filter }: PlatformPlan,
  { startDate, endDate }: { startDate: string; endDate: string },
): Promise<boolean> {
  const { rows } = await sql.query<{ waits: boolean }>(
    `SELECT EXISTS (SELECT FROM conversions c WHERE c.status = 'PENDING'
       AND c.created_at >= ${beginOfDay('$2::date', '$1::text')}
       AND c.created_at < ${beginOfDay('($3::date + 1)', '$1::text')}
       AND ($4::bigint IS NULL OR c.advertiser_id = $4)
       AND ($5::bigint IS NULL OR c.publisher_id = $5)) AS waits`,
    [timezone, startDate, endDate, filter.advertiser ?? null, filter.publisher ?? null],
  );
  return rows[0]?.waits === true;
}
