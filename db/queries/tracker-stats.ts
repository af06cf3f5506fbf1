import type { ConversionCounts, TrackerDimension } from '../../domain/tracker.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { beginOfDay } from './zone-days.ts';

export interface TrackerStatsQuery {
  trackerId: number;
  advertiserId: number;
  groupBy: readonly TrackerDimension[];
  /** Days, both included, in `timezone`. */
  startDate: string;
  endDate: string;
  timezone: string;
  /** Values are added up in this one; two currencies have no sum. */
  currency: string;
  limit: number;
}

export interface TrackerStatsRow {
  /** Values of the dimensions, as text; null where a conversion has none (unattributed). */
  keys: Partial<Record<TrackerDimension, string | null>>;
  /** Names of things beside their ids. */
  names: Partial<Record<TrackerDimension, string | null>>;
  counts: ConversionCounts;
}

/** Tables whose names are shown beside the ids. */
const NAMED: Partial<Record<TrackerDimension, string>> = {
  campaign: 'campaigns',
  adgroup: 'ad_groups',
  ad: 'ads',
  creative: 'creatives',
};

/** $5 is the time zone. */
const EXPRESSIONS: Readonly<Record<TrackerDimension, string>> = {
  date: `to_char(c.created_at AT TIME ZONE $5, 'YYYY-MM-DD')`,
  hour: `to_char(c.created_at AT TIME ZONE $5, 'HH24')`,
  campaign: 'c.campaign_id',
  adgroup: 'c.adgroup_id',
  ad: 'c.ad_id',
  creative: 'c.creative_id',
  event_type: 'c.event_type',
};

/** Won by a verified click of ours inside the window, billed or not. */
const ATTRIBUTED = `c.status IN ('PENDING', 'ACCEPTED', 'REJECTED', 'BILLED', 'UNBILLED')`;
const OF_DAYS = `c.tracker_id = $1 AND c.advertiser_id = $2
         AND c.created_at >= ${beginOfDay('$3::date', '$5::text')}
         AND c.created_at < ${beginOfDay('($4::date + 1)', '$5::text')}`;

/**
 * Conversions are counted one by one: they are few beside impressions, and their moment is exact, so
 * that every time zone can be asked for.
 */
export async function readTrackerStats(
  sql: SqlRunner,
  query: TrackerStatsQuery,
): Promise<TrackerStatsRow[]> {
  const keys = query.groupBy.map((each, at) => `${EXPRESSIONS[each]} AS k${at}`);
  const places = query.groupBy.map((_, at) => at + 1).join(', ');
  const names = query.groupBy.flatMap((each, at) =>
    NAMED[each] === undefined
      ? []
      : [`(SELECT name FROM ${NAMED[each]} n WHERE n.id = g.k${at}) AS n${at}`],
  );
  const { rows } = await sql.query<Record<string, string | null>>(
    `SELECT g.*${names.map((name) => `, ${name}`).join('')} FROM (
       SELECT ${keys.join(', ')},
         count(*) FILTER (WHERE ${ATTRIBUTED}) AS attributed,
         count(*) FILTER (WHERE c.status = 'RECEIVED') AS received,
         count(*) FILTER (WHERE c.status = 'PENDING') AS pending,
         count(*) FILTER (WHERE c.status = 'REJECTED') AS rejected,
         count(*) FILTER (WHERE c.status = 'UNATTRIBUTED') AS unattributed,
         count(*) FILTER (WHERE c.status = 'EXPIRED') AS expired,
         count(*) FILTER (WHERE c.status = 'BILLED') AS billed,
         COALESCE(sum(c.value_nanos) FILTER (WHERE c.currency = $6), 0)::text AS value,
         count(*) FILTER (WHERE c.currency <> $6) AS foreign
       FROM conversions c
       WHERE ${OF_DAYS}
       GROUP BY ${places} ORDER BY ${places} LIMIT $7) g`,
    [
      query.trackerId,
      query.advertiserId,
      query.startDate,
      query.endDate,
      query.timezone,
      query.currency,
      query.limit,
    ],
  );
  return rows.map((row) => rowOf(row, query.groupBy));
}

export interface ClickToConversion {
  medianSeconds: number;
  p90Seconds: number;
}

/** How long after their clicks the attributed ones came; undefined where there is none. */
export async function readClickToConversion(
  sql: SqlRunner,
  { trackerId, advertiserId, startDate, endDate, timezone }: TrackerStatsQuery,
): Promise<ClickToConversion | undefined> {
  const { rows } = await sql.query<{ seconds: number[] | null }>(
    `SELECT percentile_disc(ARRAY[0.5, 0.9]) WITHIN GROUP (ORDER BY c.latency_seconds) AS seconds
     FROM conversions c WHERE ${OF_DAYS} AND ${ATTRIBUTED} AND c.latency_seconds IS NOT NULL`,
    [trackerId, advertiserId, startDate, endDate, timezone],
  );
  const [medianSeconds, p90Seconds] = rows[0]?.seconds ?? [];
  if (medianSeconds === undefined || p90Seconds === undefined) return undefined;
  return { medianSeconds, p90Seconds };
}

function rowOf(
  row: Record<string, string | null>,
  groupBy: readonly TrackerDimension[],
): TrackerStatsRow {
  const textOf = (prefix: string): Partial<Record<TrackerDimension, string | null>> =>
    Object.fromEntries(groupBy.map((each, at) => [each, row[`${prefix}${at}`] ?? null]));
  return {
    keys: textOf('k'),
    names: textOf('n'),
    counts: {
      attributed: Number(row['attributed']),
      unattributed: Number(row['unattributed']),
      expired: Number(row['expired']),
      received: Number(row['received']),
      pending: Number(row['pending']),
      rejected: Number(row['rejected']),
      billed: Number(row['billed']),
      valueNanos: BigInt(row['value'] ?? 0),
      foreign: Number(row['foreign']),
    },
  };
}
