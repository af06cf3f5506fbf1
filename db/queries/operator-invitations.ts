import type { OperatorInvitationStatus } from '../../domain/lifecycle/operator-invitation.ts';
import { text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { operatorInvitations } from '../tables/operator-invitation.ts';
import { totalOf } from './page-total.ts';

const LISTED = select({
  ...columnsOf(operatorInvitations, 'i', [
    'id',
    'username',
    'email',
    'role',
    'status',
    'invitedAt',
    'expiresAt',
    'endedAt',
  ]),
  inviter: text().of('o.username'),
});
export type ListedInvitation = RowOf<typeof LISTED>;

export interface InvitationFilter {
  id?: number | undefined;
  status?: OperatorInvitationStatus | undefined;
  limit: number;
  offset: number;
}

const FILTER = '($1::bigint IS NULL OR i.id = $1) AND ($2::text IS NULL OR i.status = $2)';

/** Newest first. */
export async function listOperatorInvitations(
  sql: SqlRunner,
  filter: InvitationFilter,
): Promise<{ items: ListedInvitation[]; total: number }> {
  const bound = [filter.id ?? null, filter.status ?? null];
  const items = await readRows(
    sql,
    LISTED,
    `SELECT ${LISTED.list} FROM operator_invitations i JOIN operators o ON o.id = i.invited_by
     WHERE ${FILTER} ORDER BY i.id DESC LIMIT $3 OFFSET $4`,
    [...bound, filter.limit, filter.offset],
  );
  const total = await totalOf(
    sql,
    { ...filter, rows: items.length },
    { text: `SELECT count(*) AS total FROM operator_invitations i WHERE ${FILTER}`, values: bound },
  );
  return { items, total };
}
