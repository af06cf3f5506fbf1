import { nanos, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { removalAppeals } from '../tables/removal-appeal.ts';
import { totalOf } from './page-total.ts';

export interface RemovalAppealFilter {
  id?: number | undefined;
  publisherId: number;
  status?: string | undefined;
  limit: number;
  offset: number;
}

const APPEAL = select({
  ...columnsOf(removalAppeals, 'a', [
    'id',
    'zoneId',
    'day',
    'reason',
    'text',
    'impressions',
    'clicks',
    'conversions',
    'status',
    'reasons',
    'createdAt',
    'decidedAt',
  ]),
  zoneName: text().of('z.name'),
});
export type ShownRemovalAppeal = RowOf<typeof APPEAL>;

const FILTER = `a.publisher_id = $1 AND ($2::bigint IS NULL OR a.id = $2)
  AND ($3::text IS NULL OR a.status = $3)`;

/** A publisher's, newest first. */
export async function listRemovalAppeals(
  sql: SqlRunner,
  { publisherId, id, status, ...page }: RemovalAppealFilter,
): Promise<{ items: ShownRemovalAppeal[]; total: number }> {
  const bound = [publisherId, id ?? null, status ?? null];
  const items = await readRows(
    sql,
    APPEAL,
    `SELECT ${APPEAL.list} FROM removal_appeals a JOIN zones z ON z.id = a.zone_id
     WHERE ${FILTER} ORDER BY a.id DESC LIMIT $4 OFFSET $5`,
    [...bound, page.limit, page.offset],
  );
  const counted = `SELECT count(*) AS total FROM removal_appeals a WHERE ${FILTER}`;
  const total = await totalOf(
    sql,
    { ...page, rows: items.length },
    { text: counted, values: bound },
  );
  return { items, total };
}

const BILLED = select({
  impressions: ref().of(`count(*) FILTER (WHERE r.kind = 'impression')`),
  clicks: ref().of(`count(*) FILTER (WHERE r.kind = 'click_verify')`),
  conversions: ref().of(`count(*) FILTER (WHERE r.kind = 'conversion')`),
  earnedNanos: nanos().of('coalesce(sum(r.publisher_nanos), 0)'),
});
export type Billed = RowOf<typeof BILLED>;

/** What was billed of one zone and UTC day. */
export async function readBilled(
  sql: SqlRunner,
  { day, publisherId, zoneId }: { day: string; publisherId: number; zoneId: number },
): Promise<Billed> {
  const found = await readRow(
    sql,
    BILLED,
    `SELECT ${BILLED.list} FROM corrected_events r
     WHERE r.day = $1::date AND r.publisher_id = $2 AND r.zone_id = $3 AND r.billable`,
    [day, publisherId, zoneId],
  );
  if (found === undefined) throw new Error('a sum has no row');
  return found;
}
