import type { FactorRecoveryStatus } from '../../domain/lifecycle/factor-recovery.ts';
import { ref, text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { factorRecoveries } from '../tables/factor-recovery.ts';
import type { ByAge } from './by-age.ts';
import { totalOf } from './page-total.ts';

const LISTED = select({
  ...columnsOf(factorRecoveries, 'r'),
  username: text().orNull().of('COALESCE(o.username, m.email, a.username)'),
  /** Who vouched, while a second person is waited for or has agreed. */
  approvalId: ref().orNull().of('p.id'),
  vouchedBy: text().orNull().of('v.username'),
  endedByName: text().orNull().of('e.username'),
});
export type ListedRecovery = RowOf<typeof LISTED>;

export interface RecoveryFilter {
  id?: number | undefined;
  status?: FactorRecoveryStatus | undefined;
  /** Whether an operator has said who it is, so that a second one is waited for or has agreed. */
  vouched?: boolean | undefined;
  sort?: ByAge | undefined;
  limit: number;
  offset: number;
}

const ORDERS: Readonly<Record<ByAge, string>> = { created_at: 'r.id', '-created_at': 'r.id DESC' };

const VOUCHED = `p.kind = 'factor_recovery' AND p.subject = r.id::text AND p.state IN ('PROPOSED', 'APPROVED', 'APPLIED')`;
const FILTER = `($1::bigint IS NULL OR r.id = $1) AND ($2::text IS NULL OR r.status = $2)
  AND ($3::boolean IS NULL OR $3 = EXISTS (SELECT FROM approvals p WHERE ${VOUCHED}))`;

/** Newest first, unless the oldest are asked for. */
export async function listFactorRecoveries(
  sql: SqlRunner,
  filter: RecoveryFilter,
): Promise<{ items: ListedRecovery[]; total: number }> {
  const bound = [filter.id ?? null, filter.status ?? null, filter.vouched ?? null];
  const order = ORDERS[filter.sort ?? '-created_at'];
  const items = await readRows(
    sql,
    LISTED,
    `SELECT ${LISTED.list} FROM
       (SELECT r.* FROM factor_recoveries r WHERE ${FILTER} ORDER BY ${order} LIMIT $4 OFFSET $5) r
     LEFT JOIN accounts a ON r.person_type = 'ACCOUNT' AND a.id = r.person_id
     LEFT JOIN members m ON r.person_type = 'MEMBER' AND m.id = r.person_id
     LEFT JOIN operators o ON r.person_type = 'OPERATOR' AND o.id = r.person_id
     LEFT JOIN approvals p ON ${VOUCHED}
     LEFT JOIN operators v ON v.id = p.maker_id LEFT JOIN operators e ON e.id = r.ended_by
     ORDER BY ${order}`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM factor_recoveries r WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}
