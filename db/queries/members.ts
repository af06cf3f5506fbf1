import type { MemberStatus } from '../../domain/lifecycle/member.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import { text } from '../schema/column.ts';
import { accounts } from '../tables/account.ts';
import { members } from '../tables/member.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { totalOf } from './page-total.ts';

const SHOWN = select(
  columnsOf(members, 'p', [
    'id',
    'email',
    'name',
    'role',
    'status',
    'invitedAt',
    'invitationExpiresAt',
    'joinedAt',
    'removedAt',
    'version',
    'createdAt',
    'updatedAt',
    'lastLoginAt',
  ]),
);
export type ShownMember = RowOf<typeof SHOWN>;

export interface MemberFilter {
  accountId: number;
  id?: number | undefined;
  /** Those who were removed are listed only by their status. */
  status?: MemberStatus | undefined;
  limit: number;
  offset: number;
}

const FILTER = `p.account_id = $1 AND ($2::bigint IS NULL OR p.id = $2)
  AND ($3::text IS NULL AND ($2::bigint IS NOT NULL OR p.status <> 'REMOVED') OR p.status = $3)`;

/** Newest first. */
export async function listMembers(
  sql: SqlRunner,
  filter: MemberFilter,
): Promise<{ items: ShownMember[]; total: number }> {
  const bound = [filter.accountId, filter.id ?? null, filter.status ?? null];
  const items = await readRows(
    sql,
    SHOWN,
    `SELECT ${SHOWN.list} FROM members p WHERE ${FILTER} ORDER BY p.id DESC LIMIT $4 OFFSET $5`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM members p WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}

const OWNER = select({
  name: text().of('COALESCE(a.nickname, a.username)'),
  email: text().of('a.email'),
  lastLoginAt: accounts.columns.lastLoginAt.of('a.last_login_at'),
});

export type ShownOwner = RowOf<typeof OWNER>;

/** Who is always an ADMIN of the account and no row of the list. */
export const findOwner = async (
  sql: SqlRunner,
  accountId: number,
): Promise<ShownOwner | undefined> =>
  await readRow(sql, OWNER, `SELECT ${OWNER.list} FROM accounts a WHERE a.id = $1`, [accountId]);
