import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  findLogin,
  findLoginById,
  type LoginKind,
  type LoginRow,
  type PersonKey,
  personOf,
} from '../../db/queries/accounts.ts';
import { readAcquaintance } from '../../db/queries/sessions.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { passwordResets } from '../../db/tables/password-reset.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { type DomainError, invalid } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { lockLogin, setConfirmed } from './email-asks.ts';
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
  kind: LoginKind;
  email: string;
  /** Where it is asked from: a browser or network of the person's own has turns of its own. */
  from?: { deviceHash: string | null; network: string } | undefined;
}

export interface ResetPassword {
  kind: LoginKind;
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

const WHOSE = select(columnsOf(passwordResets, 'r', ['accountId', 'memberId', 'operatorId']));

/** Whose row it is, of `password_resets`; an operator has no account. */
const ownerOf = ({ kind, id, memberId = null }: PersonKey) => ({
  accountId: kind === 'OPERATOR' ? null : id,
  memberId,
  operatorId: kind === 'OPERATOR' ? id : null,
});
/** Of what `theirs` has; by `=`, for the index. */
const isTheirs = ({ kind }: PersonKey): string =>
  kind === 'OPERATOR'
    ? 'operator_id = $1 AND $2::bigint IS NULL'
    : 'account_id = $1 AND member_id IS NOT DISTINCT FROM $2::bigint';
const theirs = ({ id, memberId = null }: PersonKey) => [id, memberId];

/** The password was set: letters that are still on their way, or unread, open nothing any more. */
export async function endPasswordResets(sql: SqlRunner, key: PersonKey): Promise<void> {
  await sql.query(
    `UPDATE password_resets SET ended_at = now() WHERE ${isTheirs(key)} AND ended_at IS NULL RETURNING id`,
    theirs(key),
  );
}

export function createPasswordResetActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    /**
     * Writes a token that works once, for an hour, and the letter that carries it. Does nothing for
     * an address that nobody active of this kind has, for which the day's letters are written, or that
     * an operator has never confirmed, and does not say so.
     */
    async requestPasswordReset({ kind, email, from }: ForgottenPassword): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const person = await findLogin(runner(deps.db, tx), kind, email);
        if (person?.status !== 'ACTIVE') return;
        if (kind === 'OPERATOR' && !(await isConfirmed(runner(deps.db, tx), person))) return;
        const fromKnownDevice = await isAcquainted(runner(deps.db, tx), person, from);
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
        await setPassword(deps, tx, personOf(owner), passwordHash);
        await endPasswordResets(sql, owner);
        // The letter went to the login's address.
        await setConfirmed(deps, sql, owner);
        await endSessions(sql, personOf(owner), { except: null, now: deps.clock() });
        await endRecoveries(deps, tx, personOf(owner), 'PASSWORD_CHANGED');
        await tellPerson(deps, tx, { person: owner, event: 'password_changed', from: input.from });
        await recordAudit(deps.db, tx, {
          actor: {
            type: kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT',
            id: owner.id,
            memberId: owner.memberId,
          },
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
  person: PersonKey,
  fromKnownDevice = false,
): Promise<void> {
  const token = newSecretToken();
  const owner = ownerOf(person);
  const now = deps.clock();
  const expiresAt = new Date(now.getTime() + TOKEN_LIVES_MS);
  await deps.db.models.passwordResets.create(
    {
      ...owner,
      tokenHash: hashOfToken(token),
      expiresAt,
      fromKnownDevice,
      createdAt: now,
    },
    { transaction: tx, silent: true },
  );
  await queueMail(deps, tx, {
    kind: 'password_reset',
    accountId: owner.accountId ?? undefined,
    memberId: owner.memberId,
    operatorId: owner.operatorId ?? undefined,
    detail: token,
    expiresAt,
  });
}

/** A name on the machine may have been given a wrong address, and whoever has that one would decide here. */
async function isConfirmed(sql: SqlRunner, key: PersonKey): Promise<boolean> {
  const address = await lockLogin(sql, personOf(key));
  return address !== undefined && address.confirmedAt !== null;
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
  person: PersonKey,
  fromKnownDevice: boolean,
): Promise<boolean> {
  const { rows } = await runner(db, tx).query(
    `SELECT 1 FROM password_resets WHERE ${isTheirs(person)}
       AND from_known_device = $3 AND created_at > $4 LIMIT $5`,
    [...theirs(person), fromKnownDevice, new Date(clock().getTime() - DAY_MS), LETTERS_PER_DAY],
  );
  return rows.length >= LETTERS_PER_DAY;
}

/** Every session ends. Raises validation_failed when the person was removed or put out meanwhile. */
async function setPassword(
  { db }: ActivityDeps,
  tx: Transaction,
  { personType, personId }: Person,
  passwordHash: string,
): Promise<void> {
  const table = { ACCOUNT: 'accounts', MEMBER: 'members', OPERATOR: 'operators' }[personType];
  const { rows } = await runner(db, tx).query(
    `UPDATE ${table} SET password_hash = $2, token_version = token_version + 1, updated_at = now()
     WHERE id = $1 AND ($3 OR status = 'ACTIVE') RETURNING id`,
    // An account that is suspended logs in no more, whatever its password is.
    [personId, passwordHash, personType === 'ACCOUNT'],
  );
  if (rows.length === 0) throw badToken();
}

async function findOwner(
  sql: SqlRunner,
  { kind, token, now }: { kind: LoginKind; token: string; now: Date },
): Promise<LoginRow | undefined> {
  const row = await readRow(
    sql,
    WHOSE,
    `SELECT ${WHOSE.list} FROM password_resets r
     WHERE r.token_hash = $1 AND r.ended_at IS NULL AND r.expires_at > $2`,
    [hashOfToken(token), now],
  );
  const id = kind === 'OPERATOR' ? row?.operatorId : row?.accountId;
  if (row === undefined || id === null || id === undefined) return undefined;
  const login = await findLoginById(sql, { kind, id, memberId: row.memberId });
  return kind === 'OPERATOR' && login?.status !== 'ACTIVE' ? undefined : login;
}

const badToken = (): DomainError =>
  invalid({ field: 'token', code: 'not_valid', message: 'is used, too old, or not ours' });
