import { randomInt } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { moveRow, NEXT_VERSION, NOW } from '../../db/schema/move.ts';
import { accounts } from '../../db/tables/account.ts';
import {
  type AccountKind,
  findLoginById,
  type LoginRow,
  type PersonKey,
  personOf,
} from '../../db/queries/accounts.ts';
import { requireStrongPassword, usernameFrom } from '../../domain/accounts.ts';
import { conflict, invalid } from '../../domain/errors.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { publishInventory } from '../core/outbox.ts';
import { writeLink } from './email-asks.ts';
import { endRecoveries } from './recovery-ends.ts';
import { endPasswordResets } from './password-resets.ts';
import type { Turn } from './password-turns.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import type { ProfileFields } from './profiles.ts';
import { type GivenPreferences, keepPreferences } from './saved-views.ts';
import { tellPerson } from './security-letters.ts';
import { endSessions } from './sessions.ts';
import type { Whereabouts } from './whereabouts.ts';
import { runStep } from '../core/run-once.ts';
import { claimed } from './claimed.ts';

export interface RegisterAccount extends ProfileFields {
  kind: AccountKind;
  email: string;
  password: string;
  username?: string | undefined;
  preferences?: GivenPreferences | undefined;
  turn?: Turn | undefined;
}

export interface ChangePassword extends PersonKey {
  oldPassword: string;
  newPassword: string;
  requestId?: string | undefined;
  from?: Whereabouts | undefined;
  turn?: Turn | undefined;
}

export interface MoveAccount {
  kind: AccountKind;
  id: number;
  operatorId: number;
  reason?: string | undefined;
  requestId?: string | undefined;
}

interface Deps extends ActivityDeps {
  passwords: Passwords;
}

/** One queue of hashes per process: `passwords` is shared with whoever else hashes. */
export function createAccountActivities(
  activityDeps: ActivityDeps,
  passwords: Passwords = createPasswords(),
) {
  const deps: Deps = { ...activityDeps, passwords };
  return {
    /**
     * Opens an account, writes the letter that confirms its address, and answers what its first token needs. Raises already_claimed for an e-mail
     * address (of either kind) or a chosen username that is taken, validation_failed for a password
     * that is easy to guess.
     */
    registerAccount: (input: RegisterAccount) => register(deps, input),

    /** Whether the password fits; null (no such account) costs the same time. */
    checkPassword: (passwordHash: string | null, password: string, turn?: Turn) =>
      deps.passwords.verify(passwordHash, password, turn),

    /**
     * Replaces the password and revokes every token of the account. Answers the new token version.
     * Raises validation_failed when the old one is wrong or the new one is not acceptable.
     */
    changePassword: (input: ChangePassword) => changePassword(deps, input),

    /** Tokens die and serving stops at once. Raises not_found, state_conflict. */
    suspendAccount: (input: MoveAccount) => moveAccount(deps, 'suspend', input),

    /** Raises not_found, state_conflict. Old tokens stay dead. */
    restoreAccount: (input: MoveAccount) => moveAccount(deps, 'restore', input),
  };
}

const USERNAME_ATTEMPTS_MAX = 8;

async function register(deps: Deps, input: RegisterAccount): Promise<LoginRow> {
  requireStrongPassword('password', input.password, input);
  const passwordHash = await deps.passwords.hash(input.password, input.turn);
  for (let attempt = 0; attempt < USERNAME_ATTEMPTS_MAX; attempt += 1) {
    const suffix = attempt === 0 ? '' : `_${randomInt(1_000, 10 ** (3 + attempt))}`;
    const username = input.username ?? usernameFrom(input.email, suffix);
    try {
      return await insertAccount(deps, { ...input, username, passwordHash });
    } catch (error) {
      const constraint = violatedConstraint(error);
      if (constraint === 'accounts_email') throw claimed('email');
      if (constraint !== 'accounts_username') throw error;
      if (input.username !== undefined) throw claimed('username');
    }
  }
  throw claimed('username');
}

async function insertAccount(
  deps: Deps,
  input: RegisterAccount & { username: string; passwordHash: string },
): Promise<LoginRow> {
  return await inTransaction(deps.db, async (tx) => {
    const { id } = await deps.db.models.accounts.create(
      {
        kind: input.kind,
        email: input.email,
        username: input.username,
        passwordHash: input.passwordHash,
        mobile: input.mobile ?? null,
        companyName: input.companyName ?? null,
        contactName: input.contactName ?? null,
        industry: input.industry ?? null,
        siteUrl: input.siteUrl ?? null,
        nickname: input.nickname ?? null,
      },
      { transaction: tx },
    );
    const row = await findLoginById(runner(deps.db, tx), { kind: input.kind, id });
    if (row === undefined) throw new Error(`account ${id} was not written`);
    // Before the letter: it is written in their language.
    if (input.preferences !== undefined) {
      await keepPreferences(deps, tx, { personType: 'ACCOUNT', personId: id }, input.preferences);
    }
    await writeLink(deps, tx, { person: row, email: row.email, previousEmail: null });
    return row;
  });
}

async function changePassword(deps: Deps, input: ChangePassword): Promise<LoginRow> {
  const row = await findLoginById(runner(deps.db), input);
  const fits = await deps.passwords.verify(
    row?.passwordHash ?? null,
    input.oldPassword,
    input.turn,
  );
  if (row === undefined || !fits) {
    throw invalid({ field: 'old_password', code: 'wrong', message: 'is not your password' });
  }
  requireStrongPassword('new_password', input.newPassword, row);
  if (input.newPassword === input.oldPassword) {
    throw invalid({ field: 'new_password', code: 'unchanged', message: 'must differ' });
  }
  const { kind, id, memberId } = row;
  const passwordHash = await deps.passwords.hash(input.newPassword, input.turn);
  return await inTransaction(deps.db, async (tx) => {
    const values = { passwordHash, tokenVersion: row.tokenVersion + 1 };
    if ((await writePassword(deps, tx, row, values)) === 0) {
      throw conflict('The password was changed meanwhile.');
    }
    const key = { kind, id, memberId };
    await endSessions(runner(deps.db, tx), personOf(key), { except: null, now: deps.clock() });
    await endRecoveries(deps, tx, personOf(key), 'PASSWORD_CHANGED');
    await tellPerson(deps, tx, { person: key, event: 'password_changed', from: input.from });
    await endPasswordResets(runner(deps.db, tx), key);
    await recordAudit(deps.db, tx, {
      actor: { type: kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT', id, memberId },
      action: 'password.change',
      subject:
        memberId === null ? { type: kind.toLowerCase(), id } : { type: 'member', id: memberId },
      requestId: input.requestId,
    });
    return { ...row, ...values };
  });
}

/** By version: of two changes at once, one wins and the other gets the conflict. */
async function writePassword(
  { db }: Deps,
  tx: Transaction,
  { kind, id, memberId, tokenVersion }: LoginRow,
  values: Pick<LoginRow, 'passwordHash' | 'tokenVersion'>,
): Promise<number> {
  const { operators, accounts: owners, members } = db.models;
  const options = { transaction: tx };
  const [changed] =
    kind === 'OPERATOR'
      ? await operators.update(values, { where: { id, tokenVersion }, ...options })
      : memberId === null
        ? await owners.update(values, { where: { id, tokenVersion }, ...options })
        : await members.update(values, {
            where: { id: memberId, accountId: id, tokenVersion, status: 'ACTIVE' },
            ...options,
          });
  return changed;
}

async function moveAccount(
  deps: Deps,
  action: 'suspend' | 'restore',
  { id, kind, operatorId, reason, requestId }: MoveAccount,
): Promise<void> {
  const noun = kind === 'ADVERTISER' ? 'advertiser' : 'publisher';
  await runStep(deps.db, `${noun}.${action}`, async (tx) => {
    await moveRow(runner(deps.db, tx), accounts, {
      state: 'status',
      action,
      where: { id, kind },
      set: {
        tokenVersion: { computed: 'token_version + 1' },
        version: NEXT_VERSION,
        updatedAt: NOW,
      },
    });
    // A member's token is of the member's own version: it dies with the owner's.
    await runner(deps.db, tx).query(
      'UPDATE members SET token_version = token_version + 1 WHERE account_id = $1 RETURNING id',
      [id],
    );
    await recordAudit(deps.db, tx, {
      actor: { type: 'OPERATOR', id: operatorId },
      action: `${noun}.${action}`,
      subject: { type: noun, id },
      detail: reason === undefined ? {} : { reason },
      accountId: id,
      requestId,
    });
    await publishInventory(deps.outbox, tx, { topic: noun, id });
  });
}
