import type { OperatorRole } from '../../domain/operator.ts';
import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { approvals } from '../tables/approval.ts';
import { operators } from '../tables/operator.ts';
import { totalOf } from './page-total.ts';

const LISTED = select({
  ...columnsOf(operators, 'o', [
    'id',
    'username',
    'email',
    'emailConfirmedAt',
    'nickname',
    'role',
    'status',
    'createdBy',
    'vouchedBy',
    'createdAt',
  ]),
  madeBy: text().orNull().of('m.username'),
  /** Whose word theirs is, while nobody has vouched; themselves otherwise. */
  countsAs: text().of('(SELECT p.username FROM operators p WHERE p.id = operator_person(o.id))'),
});

const WAITING = select({
  ...columnsOf(approvals, 'a', ['id', 'kind', 'subject', 'ask']),
  maker: text().orNull().of('b.username'),
});
export type WaitingForOperator = RowOf<typeof WAITING>;

/** What waits for a second person about these operators. */
export async function listWaitingFor(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<WaitingForOperator[]> {
  return await readRows(
    sql,
    WAITING,
    `SELECT ${WAITING.list} FROM approvals a LEFT JOIN operators b ON b.id = a.maker_id
     WHERE a.state = 'PROPOSED' AND a.kind IN ('operator', 'operator_restore', 'operator_role')
       AND a.subject = ANY ($1::text[]) ORDER BY a.id`,
    [ids.map(String)],
  );
}

const DECIDER = select(columnsOf(operators, 'o', ['id', 'username', 'nickname']));
export type DecidingOperator = RowOf<typeof DECIDER>;

/** Who may decide something of these roles, by name; whoever made the step it checks may not. */
export async function listDeciders(
  sql: SqlRunner,
  { roles, makerId }: { roles: readonly OperatorRole[]; makerId: number | null },
): Promise<DecidingOperator[]> {
  return await readRows(
    sql,
    DECIDER,
    `SELECT ${DECIDER.list} FROM operators o
     WHERE o.status = 'ACTIVE' AND o.role = ANY($1::text[]) AND o.id IS DISTINCT FROM $2::bigint
     ORDER BY o.username`,
    [roles, makerId],
  );
}

/** Newest first. */
export async function listOperators(
  sql: SqlRunner,
  page: { id?: number; limit: number; offset: number },
): Promise<{ items: RowOf<typeof LISTED>[]; total: number }> {
  const items = await readRows(
    sql,
    LISTED,
    `SELECT ${LISTED.list} FROM operators o LEFT JOIN operators m ON m.id = o.created_by
     WHERE $1::bigint IS NULL OR o.id = $1 ORDER BY o.id DESC LIMIT $2 OFFSET $3`,
    [page.id ?? null, page.limit, page.offset],
  );
  const total = await totalOf(
    sql,
    { ...page, rows: items.length },
    { text: 'SELECT count(*) AS total FROM operators', values: [] },
  );
  return { items, total };
}
