import type { ConversionFinding } from '../../domain/tracking/conversion-findings.ts';
import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { conversions } from '../tables/conversion.ts';
import { nameOfAccount } from './account-admin.ts';
import { totalOf } from './page-total.ts';
import { keyOfCursor } from './conversions.ts';
import { cursorOrder } from './sorting.ts';

const NAMES = {
  trackerName: text().orNull().of('(SELECT t.name FROM trackers t WHERE t.id = c.tracker_id)'),
  campaignName: text().orNull().of('(SELECT p.name FROM campaigns p WHERE p.id = c.campaign_id)'),
};
const CONVERSION = select({ ...columnsOf(conversions, 'c'), ...NAMES });
export type OwnConversion = RowOf<typeof CONVERSION>;

const HELD = select({
  ...columnsOf(conversions, 'c'),
  ...NAMES,
  advertiserName: nameOfAccount('c.advertiser_id'),
  publisherName: nameOfAccount('c.publisher_id'),
});
export type HeldConversion = RowOf<typeof HELD>;

export interface OwnConversionFilter {
  advertiserId: number;
  publicId?: number | undefined;
  trackerId?: number | undefined;
  status?: string | undefined;
  /** One that it has, or `any`, or `none`. */
  finding?: string | undefined;
  /** `created_at` is oldest first. */
  sort?: string | undefined;
  /** Conversions behind this public id. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

/** An advertiser's conversions over all trackers, newest first unless `sort` says otherwise. */
export async function listOwnConversions(
  sql: SqlRunner,
  filter: OwnConversionFilter,
): Promise<{ items: OwnConversion[]; total: number }> {
  const where = `c.advertiser_id = $1 AND ($2::bigint IS NULL OR c.tracker_id = $2)
    AND ($3::text IS NULL OR c.status = $3) AND ($4::bigint IS NULL OR c.public_id = $4)
    AND CASE $5::text WHEN 'any' THEN c.findings <> '[]' WHEN 'none' THEN c.findings = '[]'
        ELSE $5 IS NULL OR c.findings ? $5 END`;
  const bound = [
    filter.advertiserId,
    filter.trackerId ?? null,
    filter.status ?? null,
    filter.publicId ?? null,
    filter.finding ?? null,
  ];
  const { by, beyond } = cursorOrder(filter.sort);
  const items = await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions c WHERE ${where} AND ($6::bigint IS NULL OR c.id ${beyond} ${keyOfCursor('$6', '$1')})
     ORDER BY c.id ${by} LIMIT $7 OFFSET $8`,
    [...bound, filter.cursor ?? null, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, cursor: filter.cursor, rows: items.length },
    { text: `SELECT count(*) AS total FROM conversions c WHERE ${where}`, values: bound },
  );
  return { items, total };
}

/** Of a conversion `c` with findings: half of the time for a person's decision is over. */
export const LATE = 'c.created_at + (c.decide_by - c.created_at) / 2 <= now()';

/** `window`: billed at its end; `decision`: for its advertiser's word; `late`: for that, and half of the time is over. */
export const WAITS = ['window', 'decision', 'late'] as const;
export type Waits = (typeof WAITS)[number];
const WAITING: Readonly<Record<Waits, string>> = {
  window: 'c.due_at IS NOT NULL',
  decision: 'c.decide_by IS NOT NULL',
  late: `c.decide_by IS NOT NULL AND ${LATE}`,
};

export interface HeldFilter {
  waits?: Waits | undefined;
  finding?: ConversionFinding | undefined;
  advertiserId?: number | undefined;
  publisherId?: number | undefined;
  limit: number;
  offset: number;
}

/** Held ones of everybody, those that wait longest first; for operators. */
export async function listHeldConversions(
  sql: SqlRunner,
  filter: HeldFilter,
): Promise<{ items: HeldConversion[]; total: number }> {
  const waits = filter.waits === undefined ? '' : ` AND ${WAITING[filter.waits]}`;
  const rows = `conversions c WHERE c.status = 'PENDING'${waits}
    AND ($1::text IS NULL OR c.findings ? $1) AND ($2::bigint IS NULL OR c.advertiser_id = $2)
    AND ($3::bigint IS NULL OR c.publisher_id = $3)`;
  const { finding, advertiserId, publisherId, limit, offset } = filter;
  const bound = [finding ?? null, advertiserId ?? null, publisherId ?? null];
  const items = await readRows(
    sql,
    HELD,
    `SELECT ${HELD.list} FROM ${rows} ORDER BY c.id LIMIT $4 OFFSET $5`,
    [...bound, limit, offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM ${rows}`, values: bound },
  );
  return { items, total };
}

/** Public ids of held ones of an advertiser by its own transaction ids; one that names several is in none. */
export async function heldByTransaction(
  sql: SqlRunner,
  of: { advertiserId: number; transactionIds: readonly string[] },
): Promise<Map<string, number>> {
  const { rows } = await sql.query<{ key: string; id: string }>(
    `SELECT substr(c.dedupe_key, 4) AS key, min(c.public_id)::text AS id FROM conversions c
     WHERE c.advertiser_id = $1 AND c.status = 'PENDING' AND c.dedupe_key = ANY($2::text[])
     GROUP BY 1 HAVING count(*) = 1`,
    [of.advertiserId, of.transactionIds.map((each) => `tx:${each}`)],
  );
  return new Map(rows.map(({ key, id }) => [key, Number(id)]));
}
