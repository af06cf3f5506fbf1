import { columnsOf, readRow, readRows, select } from '../schema/selection.ts';
import { type ConversionRow, conversions } from '../tables/conversion.ts';
import { type TrackerRow, trackers } from '../tables/tracker.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { keyOfCursor } from './conversions.ts';
import { totalOf } from './page-total.ts';
import { cursorOrder, NAMED_SORTS, orderBy } from './sorting.ts';

const TRACKER = select(columnsOf(trackers, 't'));
const CONVERSION = select(columnsOf(conversions, 'c'));

/** Undefined when it is unknown, archived or another advertiser's. */
export async function findTracker(
  sql: SqlRunner,
  key: { id: number; advertiserId: number },
): Promise<TrackerRow | undefined> {
  return await readRow(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t
     WHERE t.id = $1 AND t.advertiser_id = $2 AND t.status <> 'ARCHIVED'`,
    [key.id, key.advertiserId],
  );
}

export interface TrackerFilter {
  advertiserId: number;
  /** LIKE pattern on the name. */
  pattern: string | undefined;
  type: string | undefined;
  status: string | undefined;
  /** One of NAMED_SORTS; newest first when absent. */
  sort?: string | undefined;
  limit: number;
  offset: number;
}

/** Archived ones only when asked for. */
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
  const items = await readRows(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t WHERE ${where}
     ORDER BY ${orderBy(NAMED_SORTS, filter.sort)} LIMIT $5 OFFSET $6`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM trackers t WHERE ${where}`, values: bound },
  );
  return { items, total };
}

export interface ConversionFilter {
  trackerId: number;
  advertiserId: number;
  status: string | undefined;
  /** `created_at` is oldest first. */
  sort?: string | undefined;
  /** Conversions behind this public id: later ones do not shift it. */
  cursor: number | undefined;
  limit: number;
  offset: number;
}

/** Newest first unless `sort` says otherwise. */
export async function listConversions(
  sql: SqlRunner,
  filter: ConversionFilter,
): Promise<{ items: ConversionRow[]; total: number }> {
  const where = `c.tracker_id = $1 AND c.advertiser_id = $2 AND ($3::text IS NULL OR c.status = $3)`;
  const bound = [filter.trackerId, filter.advertiserId, filter.status ?? null];
  const { by, beyond } = cursorOrder(filter.sort);
  const items = await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions c WHERE ${where} AND ($4::bigint IS NULL OR c.id ${beyond} ${keyOfCursor('$4', '$2')})
     ORDER BY c.id ${by} LIMIT $5 OFFSET $6`,
    [...bound, filter.cursor ?? null, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM conversions c WHERE ${where}`, values: bound },
  );
  return { items, total };
}
