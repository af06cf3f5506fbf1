import { runner } from '../../db/postgres.ts';
import type { AccountKind } from '../../db/queries/accounts.ts';
import { text } from '../../db/schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { accounts } from '../../db/tables/account.ts';
import { members } from '../../db/tables/member.ts';
import { type DomainError, invalid } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import { hashOfToken } from './secret-tokens.ts';

/** What a letter lets its holder into (interface 5.7). */
export interface Invitation {
  kind: AccountKind;
  /** As the letter has it. */
  token: string;
}

const INVITED = select({
  ...columnsOf(members, 'p', ['id', 'accountId', 'email', 'role', 'invitationExpiresAt']),
  ...columnsOf(accounts, 'a', ['status']),
  accountName: text().of('COALESCE(a.company_name, a.nickname, a.username)'),
});
export type Invited = RowOf<typeof INVITED>;

export const findInvited = async (
  { db, clock }: ActivityDeps,
  { kind, token }: Invitation,
): Promise<Invited | undefined> =>
  await readRow(
    runner(db),
    INVITED,
    `SELECT ${INVITED.list} FROM members p JOIN accounts a ON a.id = p.account_id
     WHERE p.invitation_hash = $1 AND p.invitation_expires_at > $2 AND p.kind = $3
       AND p.status = 'INVITED'`,
    [hashOfToken(token), clock(), kind],
  );

export const badToken = (): DomainError =>
  invalid({ field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' });

export function createInvitationActivities(deps: ActivityDeps) {
  return {
    /** Uses nothing up. Raises validation_failed on `token` as accepting does, without saying why. */
    async lookAtInvitation(invitation: Invitation): Promise<Invited> {
      const invited = await findInvited(deps, invitation);
      if (invited === undefined) throw badToken();
      return invited;
    },
  };
}
