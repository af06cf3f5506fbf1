import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { type AccountKind, type PersonKey, personOf } from '../../db/queries/accounts.ts';
import { readAcquaintance } from '../../db/queries/sessions.ts';
import { text } from '../../db/schema/column.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { accounts } from '../../db/tables/account.ts';
import { passwordResets } from '../../db/tables/password-reset.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { type DomainError, invalid } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { setConfirmed } from './email-asks.ts';
import { endRecoveries } from './recovery-ends.ts';
import { queueMail } from './mails.ts';
import type { Turn } from './password-turns.ts';
import type { Passwords } from './passwords.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';
import { tellPerson } from './security-letters.ts';
import { endSessions } from './sessions.ts';
import type { Whereabouts } from './whereabouts.ts';

const TOKEN_LIVES_MS = 3_600_000;

export interface ForgottenPassword {
  kind: AccountKind;
  email: string;
  /** Where it is asked from: a browser or network of the person's own has turns of its own. */
  from?: { deviceHash: string | null; network: string } | undefined;
}

export interface ResetPassword {
  kind: AccountKind;
  /** As the letter has it. */
  token: string;
  newPassword: string;
  requestId: string;
  from?: Whereabouts | undefined;
  turn?: Turn | undefined;
}

/** interface 8: letters to one person in a day; as many again where a known device asks. */
const LETTERS_PER_DAY = 5;
const DAY_MS = 86_400_000;

const OWNER = select({
  ...columnsOf(accounts, 'a', ['id', 'email', 'username']),
  memberId: passwordResets.columns.memberId.of('NULL::bigint'),
});
const MEMBER = select({
  ...columnsOf(accounts, 'a', ['id']),
  email: text().of('p.email'),
  username: text().of('p.email'),
  memberId: passwordResets.columns.memberId.of('p.id'),
});
type Person = RowOf<typeof OWNER>;

/** The password was set: letters that are still on their way, or unread, open nothing any more. */
export async function endPasswordResets(
  sql: SqlRunner,
  { id, memberId }: Pick<Person, 'id' | 'memberId'>,
): Promise<void> {
  await sql.query(
    `UPDATE password_resets SET ended_at = now()
     WHERE account_id = $1 AND member_id IS NOT DISTINCT FROM $2::bigint AND ended_at IS NULL
     RETURNING id`,
    [id, memberId],
  );
}

export function createPasswordResetActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    /**
     * Writes a token that works once, for an hour, and the letter that carries it. Does nothing for
     * an address that no active account of this kind has, or for which the day's letters are
     * written, and does not say so.
     */
    async requestPasswordReset({ kind, email, from }: ForgottenPassword): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const person = await readRow(
          runner(deps.db, tx),
          OWNER,
          `SELECT ${OWNER.list} FROM accounts a
           WHERE kind = $1 AND lower(email) = lower($2) AND status = 'ACTIVE'
           UNION ALL SELECT ${MEMBER.list} FROM members p JOIN accounts a ON a.id = p.account_id
           WHERE p.kind = $1 AND lower(p.email) = lower($2) AND p.status = 'ACTIVE'
             AND a.status = 'ACTIVE'`,
          [kind, email],
        );
        if (person === undefined) return;
        const fromKnownDevice = await isAcquainted(runner(deps.db, tx), { kind, ...person }, from);
        if (await isDayFull(deps, tx, person, fromKnownDevice)) return;
        await requestReset(deps, tx, person, fromKnownDevice);
      });
    },

    /**
     * Uses the token up, sets the password and ends every session. Raises validation_failed on
     * `token` when it is unknown, of another realm, used or too old, without saying which.
     */
    async resetPassword(input: ResetPassword): Promise<PersonKey> {
      const { kind, token, newPassword, requestId } = input;
      const owner = await findOwner(runner(deps.db), { kind, token, now: deps.clock() });
      if (owner === undefined) throw badToken();
      requireStrongPassword('new_password', newPassword, owner);
      // Outside the transaction: it takes long on purpose.
      const passwordHash = await passwords.hash(newPassword, input.turn);
      await inTransaction(deps.db, async (tx) => {
        const sql = runner(deps.db, tx);
        // The row that says whether it was used is locked by its own update: of two, one wins.
        const { rows } = await sql.query(
          `UPDATE password_resets SET ended_at = now()
           WHERE token_hash = $1 AND ended_at IS NULL AND expires_at > $2 RETURNING id`,
          [hashOfToken(token), deps.clock()],
        );
        if (rows.length === 0) throw badToken();
        await setPassword(deps, tx, owner, passwordHash);
        await endPasswordResets(sql, owner);
        const key = { kind, id: owner.id, memberId: owner.memberId };
        // The letter went to the login's address.
        await setConfirmed(deps, sql, key);
        await endSessions(sql, personOf(key), { except: null, now: deps.clock() });
        await endRecoveries(deps, tx, personOf(key), 'PASSWORD_CHANGED');
        await tellPerson(deps, tx, { person: key, event: 'password_changed', from: input.from });
        await recordAudit(deps.db, tx, {
          actor: { type: 'ACCOUNT', id: owner.id, memberId: owner.memberId },
          action: 'password.reset',
          subject:
            owner.memberId === null
              ? { type: kind.toLowerCase(), id: owner.id }
              : { type: 'member', id: owner.memberId },
          requestId,
        });
      });
      return { kind, id: owner.id, memberId: owner.memberId };
    },
  };
}

/** A token that works once, for an hour, and the letter that carries it. */
export async function requestReset(
  deps: ActivityDeps,
  tx: Transaction,
  { id: accountId, memberId }: Pick<Person, 'id' | 'memberId'>,
  fromKnownDevice = false,
): Promise<void> {
  const token = newSecretToken();
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + TOKEN_LIVES_MS);
  await deps.db.models.passwordResets.create(
    {
      accountId,
      memberId,
      tokenHash: hashOfToken(token),
      expiresAt,
      fromKnownDevice,
      createdAt: now,
    },
    { transaction: tx, silent: true },
  );
  await queueMail(deps, tx, {
    kind: 'password_reset',
    accountId,
    memberId,
    detail: token,
    expiresAt,
  });
}

async function isAcquainted(
  sql: SqlRunner,
  key: PersonKey,
  from: ForgottenPassword['from'],
): Promise<boolean> {
  if (from === undefined) return false;
  const { device, network } = await readAcquaintance(sql, personOf(key), from);
  return device || network;
}

/** Strangers' letters and those of the person's own devices are counted apart. */
async function isDayFull(
  { db, clock }: ActivityDeps,
  tx: Transaction,
  { id: accountId, memberId }: Pick<Person, 'id' | 'memberId'>,
  fromKnownDevice: boolean,
): Promise<boolean> {
  const { rows } = await runner(db, tx).query(
    `SELECT 1 FROM password_resets WHERE account_id = $1 AND member_id IS NOT DISTINCT FROM $2::bigint
       AND from_known_device = $3 AND created_at > $4 LIMIT $5`,
    [accountId, memberId, fromKnownDevice, new Date(clock().getTime() - DAY_MS), LETTERS_PER_DAY],
  );
  return rows.length >= LETTERS_PER_DAY;
}

/** Every session ends. Raises validation_failed when the member was removed meanwhile. */
async function setPassword(
  { db }: ActivityDeps,
  tx: Transaction,
  { id, memberId }: Person,
  passwordHash: string,
): Promise<void> {
  const set = 'SET password_hash = $2, token_version = token_version + 1, updated_at = now()';
  const { rows } = await runner(db, tx).query(
    memberId === null
      ? `UPDATE accounts ${set} WHERE id = $1 RETURNING id`
      : `UPDATE members ${set} WHERE id = $1 AND status = 'ACTIVE' RETURNING id`,
    [memberId ?? id, passwordHash],
  );
  if (rows.length === 0) throw badToken();
}

async function findOwner(
  sql: SqlRunner,
  { kind, token, now }: { kind: AccountKind; token: string; now: Date },
): Promise<Person | undefined> {
  const counts = 'r.token_hash = $1 AND r.ended_at IS NULL AND r.expires_at > $2 AND a.kind = $3';
  return await readRow(
    sql,
    OWNER,
    `SELECT ${OWNER.list} FROM password_resets r JOIN accounts a ON a.id = r.account_id
     WHERE ${counts} AND r.member_id IS NULL
     UNION ALL SELECT ${MEMBER.list} FROM password_resets r JOIN accounts a ON a.id = r.account_id
     JOIN members p ON p.id = r.member_id AND p.status = 'ACTIVE' WHERE ${counts}`,
    [hashOfToken(token), now, kind],
  );
}

const badToken = (): DomainError =>
  invalid({ field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' });
