import type { AuditStatus, OwnerStatus } from '../../domain/lifecycle/review.ts';
import type { MediaType, VerifyMethod, VerifyStatus } from '../../domain/lifecycle/site.ts';
import type { ZoneDevice, ZoneSettings, ZoneType } from '../../domain/zone-settings.ts';
import type { ReviewReason } from '../tables/json.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

/**
 * A publisher's sites and zones as their console reads them. Archived rows are gone for their owner,
 * unless a list asks for them.
 */
export interface SiteRow {
  id: number;
  publisherId: number;
  name: string;
  mediaType: MediaType;
  domain: string | null;
  appPackage: string | null;
  url: string | null;
  description: string | null;
  industryId: number | null;
  icp: string | null;
  verifyToken: string;
  verifyStatus: VerifyStatus;
  verifyMethod: VerifyMethod | null;
  verifiedAt: Date | null;
  verifyRound: number;
  verifyMisses: number;
  verifyLapsesAt: Date | null;
  status: OwnerStatus;
  auditStatus: AuditStatus;
  auditReasons: ReviewReason[] | null;
  createdAt: Date;
  updatedAt: Date;
  version: number;
  /** The latest verification that was asked for. */
  check: SiteCheckRow | null;
}

interface SiteCheckRow {
  status: 'RUNNING' | 'VERIFIED' | 'FAILED' | 'VOID';
  method: VerifyMethod;
  attempts: number;
  outcome: string | null;
}

export interface ZoneRow {
  id: number;
  publisherId: number;
  siteId: number;
  name: string;
  zoneKey: string;
  type: ZoneType;
  adFormatId: number | null;
  zoneTypeId: number | null;
  sizeId: number | null;
  width: number;
  height: number;
  position: string;
  device: ZoneDevice;
  pricingTypes: string;
  floorPriceCpcNanos: bigint;
  floorPriceCpmNanos: bigint;
  refresh: number;
  settings: ZoneSettings;
  rewardCallbackUrl: string | null;
  status: OwnerStatus;
  auditStatus: AuditStatus;
  auditReasons: ReviewReason[] | null;
  version: number;
  createdAt: Date;
  updatedAt: Date;
  siteStatus: OwnerStatus;
  siteAuditStatus: AuditStatus;
}

interface Window {
  limit: number;
  offset: number;
}

/** Undefined filters do not filter. `pattern` is a LIKE pattern; days are whole UTC days. */
export interface SiteFilter {
  publisherId: number;
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

export interface ZoneFilter {
  publisherId: number;
  siteId?: number | undefined;
  type?: string | undefined;
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
}

const SITE_COLUMNS = `s.id, s.publisher_id AS "publisherId", s.name, s.media_type AS "mediaType", s.domain,
  s.app_package AS "appPackage", s.url, s.description, s.industry_id AS "industryId", s.icp,
  s.verify_token AS "verifyToken", s.verify_status AS "verifyStatus", s.verify_method AS "verifyMethod",
  s.verified_at AS "verifiedAt", s.verify_round AS "verifyRound",
  s.verify_misses AS "verifyMisses", s.verify_lapses_at AS "verifyLapsesAt", s.status,
  s.audit_status AS "auditStatus", s.audit_reasons AS "auditReasons",
  s.version, s.created_at AS "createdAt", s.updated_at AS "updatedAt",
  CASE WHEN v.id IS NOT NULL THEN jsonb_build_object('status', v.status, 'method', v.method,
    'attempts', v.attempts, 'outcome', v.last_outcome) END AS "check"`;
const SITE_CHECK = `LEFT JOIN site_verifications v ON v.site_id = s.id AND v.round = s.verify_round`;

const ZONE_COLUMNS = `z.id, z.publisher_id AS "publisherId", z.site_id AS "siteId", z.name,
  z.zone_key AS "zoneKey", z.type, z.ad_format_id AS "adFormatId", z.zone_type_id AS "zoneTypeId",
  z.size_id AS "sizeId", z.width, z.height, z.position, z.device, z.pricing_types AS "pricingTypes",
  z.floor_price_cpc_nanos AS "floorPriceCpcNanos", z.floor_price_cpm_nanos AS "floorPriceCpmNanos",
  z.refresh, z.settings, z.reward_callback_url AS "rewardCallbackUrl", z.status,
  z.audit_status AS "auditStatus", z.audit_reasons AS "auditReasons",
  z.version, z.created_at AS "createdAt", z.updated_at AS "updatedAt",
  s.status AS "siteStatus", s.audit_status AS "siteAuditStatus"`;
const ZONE_SITE = `JOIN sites s ON s.id = z.site_id`;

/** BIGINT columns arrive as text. */
type Raw<Row> = { [Key in keyof Row]: unknown };

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

const asSite = (raw: Raw<SiteRow>): SiteRow =>
  ({
    ...raw,
    id: Number(raw.id),
    publisherId: Number(raw.publisherId),
    industryId: numberOrNull(raw.industryId),
  }) as SiteRow;

const asZone = (raw: Raw<ZoneRow>): ZoneRow =>
  ({
    ...raw,
    id: Number(raw.id),
    publisherId: Number(raw.publisherId),
    siteId: Number(raw.siteId),
    adFormatId: numberOrNull(raw.adFormatId),
    zoneTypeId: numberOrNull(raw.zoneTypeId),
    sizeId: numberOrNull(raw.sizeId),
    floorPriceCpcNanos: BigInt(String(raw.floorPriceCpcNanos)),
    floorPriceCpmNanos: BigInt(String(raw.floorPriceCpmNanos)),
  }) as ZoneRow;

export async function findSite(
  sql: SqlRunner,
  key: { id: number; publisherId: number },
): Promise<SiteRow | undefined> {
  const { rows } = await sql.query<Raw<SiteRow>>(
    `SELECT ${SITE_COLUMNS} FROM sites s ${SITE_CHECK}
     WHERE s.id = $1 AND s.publisher_id = $2 AND s.status <> 'ARCHIVED'`,
    [key.id, key.publisherId],
  );
  return rows.map(asSite)[0];
}

export async function listSites(
  sql: SqlRunner,
  filter: SiteFilter,
  window: Window,
): Promise<{ rows: SiteRow[]; total: number }> {
  const where = `s.publisher_id = $1
    AND CASE WHEN $3::text IS NULL THEN s.status <> 'ARCHIVED' ELSE s.status = $3 END
    AND ($2::text IS NULL OR s.name ILIKE $2 OR s.domain ILIKE $2)
    AND ($4::text IS NULL OR s.audit_status = $4)
    AND ($5::date IS NULL OR s.created_at >= $5::date::timestamp AT TIME ZONE 'UTC')
    AND ($6::date IS NULL OR s.created_at < ($6::date + 1)::timestamp AT TIME ZONE 'UTC')`;
  const values = [
    filter.publisherId,
    filter.pattern ?? null,
    filter.status ?? null,
    filter.auditStatus ?? null,
    filter.startDate ?? null,
    filter.endDate ?? null,
  ];
  const { rows } = await sql.query<Raw<SiteRow>>(
    `SELECT ${SITE_COLUMNS} FROM (
       SELECT * FROM sites s WHERE ${where} ORDER BY s.id DESC LIMIT $7 OFFSET $8) s
     ${SITE_CHECK} ORDER BY s.id DESC`,
    [...values, window.limit, window.offset],
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM sites s WHERE ${where}`, values },
  );
  return { rows: rows.map(asSite), total };
}

export async function findZone(
  sql: SqlRunner,
  key: { id: number; publisherId: number },
): Promise<ZoneRow | undefined> {
  const { rows } = await sql.query<Raw<ZoneRow>>(
    `SELECT ${ZONE_COLUMNS} FROM zones z ${ZONE_SITE}
     WHERE z.id = $1 AND z.publisher_id = $2 AND z.status <> 'ARCHIVED'`,
    [key.id, key.publisherId],
  );
  return rows.map(asZone)[0];
}

export async function listZones(
  sql: SqlRunner,
  filter: ZoneFilter,
  window: Window,
): Promise<{ rows: ZoneRow[]; total: number }> {
  const where = `z.publisher_id = $1
    AND CASE WHEN $5::text IS NULL THEN z.status <> 'ARCHIVED' ELSE z.status = $5 END
    AND ($2::bigint IS NULL OR z.site_id = $2) AND ($3::text IS NULL OR z.type = $3)
    AND ($4::text IS NULL OR z.name ILIKE $4 OR z.zone_key ILIKE $4)
    AND ($6::text IS NULL OR z.audit_status = $6)`;
  const values = [
    filter.publisherId,
    filter.siteId ?? null,
    filter.type ?? null,
    filter.pattern ?? null,
    filter.status ?? null,
    filter.auditStatus ?? null,
  ];
  const { rows } = await sql.query<Raw<ZoneRow>>(
    `SELECT ${ZONE_COLUMNS} FROM (
       SELECT * FROM zones z WHERE ${where} ORDER BY z.id DESC LIMIT $7 OFFSET $8) z
     ${ZONE_SITE} ORDER BY z.id DESC`,
    [...values, window.limit, window.offset],
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM zones z WHERE ${where}`, values },
  );
  return { rows: rows.map(asZone), total };
}
