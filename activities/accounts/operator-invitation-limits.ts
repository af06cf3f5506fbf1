import { flag, time, whole } from '../../db/schema/column.ts';
import { readRow, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { DomainError } from '../../domain/errors.ts';
import { INVITATION_WAIT_MS, INVITATIONS_PER_DAY } from '../../domain/member.ts';

/** What keeps invitations of operators from reaching strangers too often, and one name or address from two of them. */

const OPEN = select({ byName: flag().of('lower(i.username) = lower($1)') });

/** Said before how long one letter keeps another back; of two at once the database knows. */
export async function expectNotInvited(
  sql: SqlRunner,
  { username, email }: { username: string; email: string },
): Promise<void> {
  const open = await readRow(
    sql,
    OPEN,
    `SELECT ${OPEN.list} FROM operator_invitations i
     WHERE i.status = 'OPEN' AND (lower(i.username) = lower($1) OR lower(i.email) = lower($2)) LIMIT 1`,
    [username, email],
  );
  if (open !== undefined) throw invitedAlready(open.byName ? 'username' : 'email');
}

const LAST = select({ at: time().orNull().of('max(i.invited_at)') });

/** interface 8: one letter to an address in ten minutes, also when its invitation was taken back. */
export async function expectUnwritten(sql: SqlRunner, email: string, now: Date): Promise<void> {
  const last = await readRow(
    sql,
    LAST,
    `SELECT ${LAST.list} FROM operator_invitations i WHERE lower(i.email) = lower($1)`,
    [email],
  );
  expectPassed(last?.at, INVITATION_WAIT_MS, now);
}

const OF_DAY = select({
  count: whole().of('count(*)'),
  first: time().orNull().of('min(i.invited_at)'),
});

/** interface 8: invitations of a day. */
export async function expectRoom(sql: SqlRunner, now: Date): Promise<void> {
  const day = await readRow(
    sql,
    OF_DAY,
    `SELECT ${OF_DAY.list} FROM operator_invitations i WHERE i.invited_at > $1`,
    [new Date(now.getTime() - DAY_MS)],
  );
  if (day !== undefined && day.count >= INVITATIONS_PER_DAY) expectPassed(day.first, DAY_MS, now);
}
const DAY_MS = 86_400_000;

function expectPassed(since: Date | null | undefined, waitMs: number, now: Date): void {
  if (since === null || since === undefined) return;
  const leftMs = since.getTime() + waitMs - now.getTime();
  if (leftMs <= 0) return;
  throw new DomainError('rate_limited', { hints: { retry_after: Math.ceil(leftMs / 1_000) } });
}

export const invitedAlready = (field: 'username' | 'email'): DomainError =>
  new DomainError('already_claimed', {
    message:
      field === 'email'
        ? 'This e-mail address is invited already.'
        : 'This username is invited already.',
    errors: [{ field, code: 'already_claimed', message: 'is invited already' }],
  });
