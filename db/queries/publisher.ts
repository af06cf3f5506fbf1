import type { OPEN_TRANSFER_STATUSES } from '../../domain/lifecycle/domain-transfer.ts';
import { SETTINGS } from '../../domain/settings.ts';
import { json, time } from '../schema/column.ts';
import { columnsOf, prefixed, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SiteVerificationRow } from '../tables/site-verification.ts';
import { sites } from '../tables/site.ts';
import { zones } from '../tables/zone.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { appealOf } from './appeals.ts';
import { type ListOrder, orderedRows } from './figure-order.ts';
import { totalOf } from './page-total.ts';
import { NAMED_SORTS, ZONE_SORTS } from './sorting.ts';

/** The transfer of a site's domain that is open, from the side of that site. ISO times. */
interface ShownTransfer {
  role: 'CLAIMANT' | 'HOLDER';
  status: (typeof OPEN_TRANSFER_STATUSES)[number];
  domain: string;
  dueAt: string;
  objectedAt: string | null;
}

type Check = Pick<SiteVerificationRow, 'status' | 'method' | 'attempts' | 'lastOutcome'>;

/** As operators set it, else as domain/settings.ts says. */
const CLAIM_DAYS = `COALESCE((SELECT (g.value #>> '{}')::int FROM settings g WHERE g.key = 'site.claim_days'), ${SETTINGS['site.claim_days'].default})`;

/**
 * A publisher's sites and zones as their console reads them. Archived rows are gone for their owner,
 * unless a list asks for them.
 */
const SITE = select({
  ...columnsOf(sites, 's'),
  appeal: appealOf('site', 's'),
  /** The latest verification requested. */
  check: json<Check>().orNull().of(`CASE WHEN v.id IS NOT NULL THEN
    jsonb_build_object('status', v.status, 'method', v.method, 'attempts', v.attempts,
      'lastOutcome', v.last_outcome) END`),
  /** An open one; else the last one refused to a site that still waits for the same name. */
  transfer: json<ShownTransfer>().orNull().of(`(SELECT jsonb_build_object(
      'role', CASE WHEN t.claimant_site_id = s.id THEN 'CLAIMANT' ELSE 'HOLDER' END, 'status', t.status,
      'domain', t.domain, 'dueAt', t.due_at, 'objectedAt', t.objected_at)
    FROM domain_transfers t WHERE s.id IN (t.claimant_site_id, t.holder_site_id)
      AND (t.status IN ('NOTICE', 'DISPUTED')
        OR t.status = 'REFUSED' AND t.claimant_site_id = s.id AND s.verify_status = 'UNVERIFIED'
          AND t.created_at >= s.claimed_at)
    ORDER BY t.status = 'REFUSED', CASE t.status WHEN 'REFUSED' THEN -t.id ELSE t.id END LIMIT 1)`),
  /** When a claim that nobody proves is given up; null when it is not. */
  claimLapsesAt: time().orNull()
    .of(`CASE WHEN s.media_type = 'WEB' AND s.verify_status = 'UNVERIFIED'
      AND s.audit_status <> 'APPROVED' AND s.status <> 'ARCHIVED' AND ${CLAIM_DAYS} > 0
    THEN s.claimed_at + ${CLAIM_DAYS} * interval '1 day' END`),
});
export type SiteScreen = RowOf<typeof SITE>;
const SITE_CHECK =
  'LEFT JOIN site_verifications v ON v.site_id = s.id AND v.round = s.verify_round';

const ZONE = select({
  ...columnsOf(zones, 'z'),
  appeal: appealOf('zone', 'z'),
  ...prefixed('site', columnsOf(sites, 's', ['status', 'auditStatus'])),
});
export type ZoneScreen = RowOf<typeof ZONE>;
const ZONE_SITE = 'JOIN sites s ON s.id = z.site_id';

interface Window {
  limit: number;
  offset: number;
}

/** Undefined filters do not filter. `pattern` is a LIKE pattern; days are whole UTC days; `sort` one of NAMED_SORTS. */
export interface SiteFilter extends ListOrder {
  publisherId: number;
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
  startDate?: string | undefined;
  endDate?: string | undefined;
}

/** `sort` is one of ZONE_SORTS. */
export interface ZoneFilter extends ListOrder {
  publisherId: number;
  siteId?: number | undefined;
  type?: string | undefined;
  pattern?: string | undefined;
  status?: string | undefined;
  auditStatus?: string | undefined;
}

export async function findSite(
  sql: SqlRunner,
  key: { id: number; publisherId: number },
): Promise<SiteScreen | undefined> {
  return await readRow(
    sql,
    SITE,
    `SELECT ${SITE.list} FROM sites s ${SITE_CHECK}
     WHERE s.id = $1 AND s.publisher_id = $2 AND s.status <> 'ARCHIVED'`,
    [key.id, key.publisherId],
  );
}

export async function listSites(
  sql: SqlRunner,
  filter: SiteFilter,
  window: Window,
): Promise<{ rows: SiteScreen[]; total: number }> {
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
  const given = [...values, window.limit, window.offset];
  const ordered = { table: 'sites', alias: 's', sorts: NAMED_SORTS };
  const { from, order } = orderedRows(ordered, filter, given);
  const rows = await readRows(
    sql,
    SITE,
    `SELECT ${SITE.list} FROM (
       SELECT * FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT $7 OFFSET $8) s
     ${SITE_CHECK} ORDER BY ${order}`,
    given,
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM sites s WHERE ${where}`, values },
  );
  return { rows, total };
}

export async function findZone(
  sql: SqlRunner,
  key: { id: number; publisherId: number },
): Promise<ZoneScreen | undefined> {
  return await readRow(
    sql,
    ZONE,
    `SELECT ${ZONE.list} FROM zones z ${ZONE_SITE}
     WHERE z.id = $1 AND z.publisher_id = $2 AND z.status <> 'ARCHIVED'`,
    [key.id, key.publisherId],
  );
}

export async function listZones(
  sql: SqlRunner,
  filter: ZoneFilter,
  window: Window,
): Promise<{ rows: ZoneScreen[]; total: number }> {
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
  const given = [...values, window.limit, window.offset];
  const ordered = { table: 'zones', alias: 'z', sorts: ZONE_SORTS };
  const { from, order } = orderedRows(ordered, filter, given);
  const rows = await readRows(
    sql,
    ZONE,
    `SELECT ${ZONE.list} FROM (
       SELECT * FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT $7 OFFSET $8) z
     ${ZONE_SITE} ORDER BY ${order}`,
    given,
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM zones z WHERE ${where}`, values },
  );
  return { rows, total };
}
