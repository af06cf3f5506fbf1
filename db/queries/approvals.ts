import type { ApprovalState } from '../../domain/lifecycle/approval.ts';
import type { ApprovalKind } from '../../domain/approvals.ts';
import { flag, nanos, text, whole } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { approvals } from '../tables/approval.ts';
import { accounts } from '../tables/account.ts';
import type { SqlRunner } from '../sql-runner.ts';
import type { ByAge } from './by-age.ts';
import { totalOf } from './page-total.ts';

const LISTED = select({
  ...columnsOf(approvals, 'p'),
  maker: text().orNull().of('m.username'),
  makerSuspended: flag().of(`COALESCE(m.status = 'SUSPENDED', false)`),
  checker: text().orNull().of('c.username'),
  /** Who wrote down what is approved, such as a receipt: not always who asked. */
  recorder: text().orNull().of('r.username'),
  /** Whether it is of what the rows say now; of one that is used up or was refused it says nothing. */
  current: flag().of('approval_is_current(p)'),
});
export type ListedApproval = RowOf<typeof LISTED>;

export interface ApprovalFilter {
  id?: number | undefined;
  kind?: ApprovalKind | undefined;
  state?: ApprovalState | undefined;
  accountId?: number | undefined;
  subject?: string | undefined;
  /** Of these alone. */
  kinds?: readonly ApprovalKind[] | undefined;
  sort?: ByAge | undefined;
  limit: number;
  offset: number;
}

const ORDERS: Readonly<Record<ByAge, string>> = { created_at: 'p.id', '-created_at': 'p.id DESC' };

const FILTER = `($1::bigint IS NULL OR p.id = $1) AND ($2::text IS NULL OR p.kind = $2)
  AND ($3::text IS NULL OR p.state = $3) AND ($4::bigint IS NULL OR p.account_id = $4)
  AND ($5::text IS NULL OR p.subject = $5) AND ($6::text[] IS NULL OR p.kind = ANY ($6))`;

/** Newest first, unless the oldest are asked for. */
export async function listApprovals(
  sql: SqlRunner,
  filter: ApprovalFilter,
): Promise<{ items: ListedApproval[]; total: number }> {
  const bound = [
    filter.id ?? null,
    filter.kind ?? null,
    filter.state ?? null,
    filter.accountId ?? null,
    filter.subject ?? null,
    filter.kinds ?? null,
  ];
  const order = ORDERS[filter.sort ?? '-created_at'];
  const items = await readRows(
    sql,
    LISTED,
    // Whether one is current is asked of the page's alone, not of all before it.
    `SELECT ${LISTED.list} FROM (SELECT p.id FROM approvals p WHERE ${FILTER} ORDER BY ${order} LIMIT $7 OFFSET $8) page
     JOIN approvals p ON p.id = page.id LEFT JOIN operators m ON m.id = p.maker_id LEFT JOIN operators c ON c.id = p.checker_id
     LEFT JOIN operators r ON r.id = (p.content ->> 'recorded_by')::bigint
     ORDER BY ${order}`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM approvals p WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const HOLDER = select({
  ...columnsOf(accounts, 'a', [
    'id',
    'kind',
    'username',
    'companyName',
    'status',
    'kycStatus',
    'createdAt',
  ]),
  legalName: text().orNull().of(`(SELECT k.legal_name FROM kyc_applications k
    WHERE k.account_id = a.id ORDER BY (k.status = 'APPROVED') DESC, k.id DESC LIMIT 1)`),
  paidCount: whole().of(
    `(SELECT count(*)::int FROM withdrawals w WHERE w.publisher_id = a.id AND w.status = 'PAID')`,
  ),
  paidNanos: nanos().of(`(SELECT COALESCE(sum(w.arrival_nanos), 0)::bigint FROM withdrawals w
    WHERE w.publisher_id = a.id AND w.status = 'PAID')`),
  returnedCount: whole().of(`(SELECT count(*)::int FROM withdrawals w
    WHERE w.publisher_id = a.id AND w.status = 'RETURNED')`),
  depositedCount: whole()
    .of(`(SELECT count(*)::int FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id
    WHERE d.advertiser_id = a.id AND r.state = 'CREDITED')`),
  depositedNanos: nanos()
    .of(`(SELECT COALESCE(sum(r.amount_nanos), 0)::bigint FROM deposit_receipts r
    JOIN deposits d ON d.id = r.deposit_id WHERE d.advertiser_id = a.id AND r.state = 'CREDITED')`),
});
export type ApprovalHolder = RowOf<typeof HOLDER>;

/** Whose money it is, and what has come and gone so far. */
export async function readHolder(
  sql: SqlRunner,
  accountId: number,
): Promise<ApprovalHolder | undefined> {
  return await readRow(sql, HOLDER, `SELECT ${HOLDER.list} FROM accounts a WHERE a.id = $1`, [
    accountId,
  ]);
}
