import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { accounts } from '../tables/account.ts';
import { operations } from '../tables/operation.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { nameOfAccount } from './account-admin.ts';
import { totalOf } from './page-total.ts';

/** `accountId` null: an operator, who sees every account's. */
export interface OperationScope {
  accountId: number | null;
}

/** With whose it is, which operators read. */
const OPERATION = select({
  ...columnsOf(operations, 'o'),
  accountName: nameOfAccount('o.account_id'),
  accountKind: accounts.columns.kind
    .orNull()
    .of('(SELECT whose.kind FROM accounts whose WHERE whose.id = o.account_id)'),
});
export type ShownOperation = RowOf<typeof OPERATION>;
const VERSION = select(columnsOf(operations, 'o', ['id', 'version']));

/** Undefined: there is none, or it is another account's. */
export async function findOperation(
  sql: SqlRunner,
  key: OperationScope & { id: number },
): Promise<ShownOperation | undefined> {
  return await readRow(
    sql,
    OPERATION,
    `SELECT ${OPERATION.list} FROM operations o
     WHERE id = $1 AND ($2::bigint IS NULL OR account_id = $2)`,
    [key.id, key.accountId],
  );
}

/** Newest first. */
export async function listOperations(
  sql: SqlRunner,
  filter: OperationScope & { kind?: string | undefined; status?: string | undefined },
  window: { limit: number; offset: number },
): Promise<{ rows: ShownOperation[]; total: number }> {
  const values: unknown[] = [];
  const where = ['TRUE'];
  for (const [column, value] of [
    ['account_id', filter.accountId],
    ['kind', filter.kind],
    ['status', filter.status],
  ] as const) {
    if (value === undefined || value === null) continue;
    values.push(value);
    where.push(`${column} = $${values.length}`);
  }
  const condition = where.join(' AND ');
  const rows = await readRows(
    sql,
    OPERATION,
    `SELECT ${OPERATION.list} FROM operations o WHERE ${condition} ORDER BY id DESC
     LIMIT $${values.length + 1} OFFSET $${values.length + 2}`,
    [...values, window.limit, window.offset],
  );
  const total = await totalOf(
    sql,
    { ...window, rows: rows.length },
    { text: `SELECT count(*) AS total FROM operations WHERE ${condition}`, values },
  );
  return { rows, total };
}

/** The present version of each, by primary key; ids that are gone are missing. */
export async function operationVersions(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const rows = await readRows(
    sql,
    VERSION,
    `SELECT ${VERSION.list} FROM operations o WHERE id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}
