import { ref, time } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { operatorNotices } from '../tables/operator-notice.ts';
import { totalOf } from './page-total.ts';

const SHOWN = select({
  ...columnsOf(operatorNotices, 'n', [
    'id',
    'kind',
    'subjectType',
    'subjectId',
    'params',
    'createdAt',
  ]),
  readAt: time().orNull().of('r.read_at'),
});
export type ShownNotice = RowOf<typeof SHOWN>;

export interface NoticeFilter {
  operator: { id: number; role: string };
  status?: 'read' | 'unread' | undefined;
  /** Those before this id. */
  cursor?: number | undefined;
  limit: number;
  offset: number;
}

/** Of one's role since one is an operator, and of oneself. */
const OWN = `operator_notices n JOIN operators o ON o.id = $1 AND n.created_at >= o.created_at
  LEFT JOIN operator_notice_reads r ON r.notice_id = n.id AND r.operator_id = o.id
  WHERE (n.role = $2 OR n.operator_id = $1)`;
const FILTER = `${OWN} AND ($3::text IS NULL OR (r.read_at IS NULL) = ($3 = 'unread'))`;

/** Newest first. */
export async function listNotices(
  sql: SqlRunner,
  filter: NoticeFilter,
): Promise<{ items: ShownNotice[]; total: number }> {
  const { operator, status, cursor, limit, offset } = filter;
  const bound = [operator.id, operator.role, status ?? null];
  const items = await readRows(
    sql,
    SHOWN,
    `SELECT ${SHOWN.list} FROM ${FILTER} AND ($4::bigint IS NULL OR n.id < $4)
     ORDER BY n.id DESC LIMIT $5 OFFSET $6`,
    [...bound, cursor ?? null, limit, offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM ${FILTER}`, values: bound },
  );
  return { items, total };
}

const UNREAD = select({ unread: ref().of('count(*)') });

export async function countUnreadNotices(
  sql: SqlRunner,
  { id, role }: { id: number; role: string },
): Promise<number> {
  const statement = `SELECT ${UNREAD.list} FROM ${OWN} AND r.read_at IS NULL`;
  return (await readRow(sql, UNREAD, statement, [id, role]))?.unread ?? 0;
}
