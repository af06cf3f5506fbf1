import type {
  CONVERSION_STATUSES,
  COUNT_MODES,
  TRACKER_STATUSES,
  TRACKER_TYPES,
} from '../../domain/tracker.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

export interface TrackerRow {
  id: number;
  version: number;
  name: string;
  type: (typeof TRACKER_TYPES)[number];
  eventType: string;
  countMode: (typeof COUNT_MODES)[number];
  requireSig: boolean;
  conversionValueNanos: bigint;
  attributionWindow: number;
  postbackUrl: string | null;
  pixelCode: string | null;
  trackingCode: string;
  status: (typeof TRACKER_STATUSES)[number];
  createdAt: Date;
  updatedAt: Date;
}

type StoredTracker = Omit<TrackerRow, 'id' | 'conversionValueNanos'> & {
  id: string;
  value: string;
};

const TRACKER_COLUMNS = `t.id, t.version, t.name, t.type, t.event_type AS "eventType", t.count_mode AS "countMode",
  t.require_sig AS "requireSig",
  t.conversion_value_nanos AS value, t.attribution_window AS "attributionWindow", t.postback_url AS "postbackUrl",
  t.pixel_code AS "pixelCode", t.tracking_code AS "trackingCode", t.status, t.created_at AS "createdAt",
  t.updated_at AS "updatedAt"`;

function trackerOf({ id, value, ...row }: StoredTracker): TrackerRow {
  return { ...row, id: Number(id), conversionValueNanos: BigInt(value) };
}

/** Null when it is unknown, archived or another advertiser's. */
export async function findTracker(
  sql: SqlRunner,
  key: { id: number; advertiserId: number },
): Promise<TrackerRow | null> {
  const { rows } = await sql.query<StoredTracker>(
    `SELECT ${TRACKER_COLUMNS} FROM trackers t WHERE t.id = $1 AND t.advertiser_id = $2 AND t.status <> 'ARCHIVED'`,
    [key.id, key.advertiserId],
  );
  return rows[0] === undefined ? null : trackerOf(rows[0]);
}

export interface TrackerFilter {
  advertiserId: number;
  /** LIKE pattern on the name. */
  pattern: string | undefined;
  type: string | undefined;
  status: string | undefined;
  limit: number;
  offset: number;
}

/** Newest first; archived ones only when asked for. */
export async function listTrackers(
  sql: SqlRunner,
  filter: TrackerFilter,
): Promise<{ items: TrackerRow[]; total: number }> {
  const where = `t.advertiser_id = $1 AND ($2::text IS NULL OR t.name ILIKE $2) AND ($3::text IS NULL OR t.type = $3)
    AND CASE WHEN $4::text IS NULL THEN t.status <> 'ARCHIVED' ELSE t.status = $4 END`;
  const bound = [
    filter.advertiserId,
    filter.pattern ?? null,
    filter.type ?? null,
    filter.status ?? null,
  ];
  const { rows } = await sql.query<StoredTracker>(
    `SELECT ${TRACKER_COLUMNS} FROM trackers t WHERE ${where} ORDER BY t.id DESC LIMIT $5 OFFSET $6`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length },
    { text: `SELECT count(*) AS total FROM trackers t WHERE ${where}`, values: bound },
  );
  return { items: rows.map(trackerOf), total };
}

export interface ConversionRow {
  id: number;
  clickId: string | null;
  campaignId: number | null;
  adGroupId: number | null;
  adId: number | null;
  creativeId: number | null;
  zoneId: number | null;
  eventType: string;
  valueNanos: bigint;
  currency: string;
  status: (typeof CONVERSION_STATUSES)[number];
  reason: string | null;
  latencySeconds: number | null;
  clickedAt: Date | null;
  source: string;
  dedupeKey: string;
  createdAt: Date;
}

export interface ConversionFilter {
  trackerId: number;
  advertiserId: number;
  status: string | undefined;
  /** Conversions before this id: later ones do not shift it. */
  beforeId: number | undefined;
  limit: number;
  offset: number;
}

type StoredConversion = Record<string, unknown> & { value: string };

/** Newest first. */
export async function listConversions(
  sql: SqlRunner,
  filter: ConversionFilter,
): Promise<{ items: ConversionRow[]; total: number }> {
  const where = `c.tracker_id = $1 AND c.advertiser_id = $2 AND ($3::text IS NULL OR c.status = $3)`;
  const bound = [filter.trackerId, filter.advertiserId, filter.status ?? null];
  // Ids stay below 2^53: float8 spares a conversion of each.
  const { rows } = await sql.query<StoredConversion>(
    `SELECT c.id::float8 AS id, c.click_id AS "clickId", c.campaign_id::float8 AS "campaignId",
       c.adgroup_id::float8 AS "adGroupId", c.ad_id::float8 AS "adId", c.creative_id::float8 AS "creativeId",
       c.zone_id::float8 AS "zoneId", c.event_type AS "eventType", c.value_nanos::text AS value, c.currency, c.status,
       c.reason, c.latency_seconds AS "latencySeconds", c.clicked_at AS "clickedAt", c.source,
       c.dedupe_key AS "dedupeKey", c.created_at AS "createdAt"
     FROM conversions c WHERE ${where} AND ($4::bigint IS NULL OR c.id < $4)
     ORDER BY c.id DESC LIMIT $5 OFFSET $6`,
    [...bound, filter.beforeId ?? null, filter.limit, filter.offset],
  );
  const items = rows.map(
    ({ value, ...row }) => ({ ...row, valueNanos: BigInt(value) }) as ConversionRow,
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: rows.length, cursor: filter.beforeId },
    { text: `SELECT count(*) AS total FROM conversions c WHERE ${where}`, values: bound },
  );
  return { items, total };
}
