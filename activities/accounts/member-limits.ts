import { findLogin, type AccountKind } from '../../db/queries/accounts.ts';
import { flag, time, whole } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { conflict, DomainError } from '../../domain/errors.ts';
import { INVITATION_WAIT_MS, INVITATIONS_PER_DAY, MEMBERS_MAX } from '../../domain/member.ts';

/** What keeps invitations from reaching strangers too often, and one address from two logins. */

const DAY_MS = 86_400_000;

const OPEN = select({ found: flag().of('count(*) > 0') });

/** Said at once; whether it still holds is found out again when the invitation is accepted. */
export async function expectUnknown(
  sql: SqlRunner,
  { kind, accountId, email }: { kind: AccountKind; accountId: number; email: string },
): Promise<void> {
  if ((await findLogin(sql, kind, email)) !== undefined) throw emailClaimed('has a login already');
  const open = await readRow(
    sql,
    OPEN,
    `SELECT ${OPEN.list} FROM members p
     WHERE p.account_id = $1 AND lower(p.email) = lower($2) AND p.status <> 'REMOVED'`,
    [accountId, email],
  );
  if (open?.found === true) throw emailClaimed('is invited already');
}

export const emailClaimed = (why: string): DomainError =>
  new DomainError('already_claimed', {
    message: `This e-mail address ${why}.`,
    errors: [{ field: 'email', code: 'already_claimed', message: why }],
  });

const LAST = select({ at: time().orNull().of('max(p.invited_at)') });

/** interface 8: one letter to an address in ten minutes, also when its invitation was taken back. */
export async function expectUnwritten(
  sql: SqlRunner,
  { accountId, email, now }: { accountId: number; email: string; now: Date },
): Promise<void> {
  const last = await readRow(
    sql,
    LAST,
    `SELECT ${LAST.list} FROM members p WHERE p.account_id = $1 AND lower(p.email) = lower($2)`,
    [accountId, email],
  );
  const at = last?.at;
  if (at === null || at === undefined) return;
  const waitMs = at.getTime() + INVITATION_WAIT_MS - now.getTime();
  if (waitMs > 0) throw tooOften(waitMs);
}

const COUNTS = select({
  people: whole().of(`count(*) FILTER (WHERE p.status <> 'REMOVED')`),
  today: whole().of('count(*) FILTER (WHERE p.invited_at > $2)'),
  first: time().orNull().of('min(p.invited_at) FILTER (WHERE p.invited_at > $2)'),
});

/** interface 8: people of an account, and invitations of a day. */
export async function expectRoom(
  sql: SqlRunner,
  { accountId, now }: { accountId: number; now: Date },
): Promise<void> {
  const counts = await readRow(
    sql,
    COUNTS,
    `SELECT ${COUNTS.list} FROM members p WHERE p.account_id = $1`,
    [accountId, new Date(now.getTime() - DAY_MS)],
  );
  if (counts === undefined) return;
  if (counts.people >= MEMBERS_MAX) {
    throw conflict(`At most ${MEMBERS_MAX} people work in an account.`, { max: MEMBERS_MAX });
  }
  if (counts.today >= INVITATIONS_PER_DAY && counts.first !== null) {
    throw tooOften(counts.first.getTime() + DAY_MS - now.getTime());
  }
}

const tooOften = (waitMs: number): DomainError =>
  new DomainError('rate_limited', { hints: { retry_after: Math.ceil(waitMs / 1_000) } });
