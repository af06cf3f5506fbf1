import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import {
  findLoginById,
  type LoginKind,
  type PersonKey,
  personOf,
} from '../../db/queries/accounts.ts';
import { moveRow, moveSql } from '../../db/schema/move.ts';
import { columnsOf, readRow, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import {
  type EmailConfirmationRow,
  emailConfirmations,
} from '../../db/tables/email-confirmation.ts';
import { LINK_FAULTS, standingOf } from '../../domain/email-confirmation.ts';
import { DomainError, invalid } from '../../domain/errors.ts';
import type { ActivityDeps } from '../deps.ts';
import { claimed } from './claimed.ts';
import {
  askChange,
  auditEmail,
  type ByPerson,
  cancelChange,
  lockLogin,
  sendAgain,
  setConfirmed,
  TABLE_OF,
} from './email-asks.ts';
import { endPasswordResets } from './password-resets.ts';
import type { Turn } from './password-turns.ts';
import type { Passwords } from './passwords.ts';
import { endRecoveries } from './recovery-ends.ts';
import { hashOfToken } from './secret-tokens.ts';
import { tellPerson, type Told } from './security-letters.ts';
import { endSessions } from './sessions.ts';

export interface ConfirmEmail {
  kind: LoginKind;
  /** As the letter has it. */
  token: string;
  /** Of the login, where its address changes: a letter to a mistyped one makes its reader nobody. */
  password?: string | undefined;
  requestId: string;
  from: Told['from'];
  turn?: Turn | undefined;
}

export interface ConfirmedEmail {
  email: string;
  isChange: boolean;
  /** It was so before. */
  isOld: boolean;
}

export function createEmailActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    /** Another letter with a link. Raises state_conflict where nothing waits for one, rate_limited. */
    async resendEmailConfirmation(ask: ByPerson): Promise<void> {
      await inTransaction(deps.db, async (tx) => await sendAgain(deps, tx, ask));
    },

    /**
     * Sends a link to another address; nothing changes before it is opened. The password was shown. Raises
     * validation_failed for the address of now, already_claimed, rate_limited.
     */
    async requestEmailChange(ask: ByPerson & { email: string; from: Told['from'] }): Promise<void> {
      await inTransaction(deps.db, async (tx) => await askChange(deps, tx, ask));
    },

    /** The address stays as it is. Raises not_found where no change is under way. */
    async cancelEmailChange({ person, requestId }: ByPerson): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        await cancelChange(deps, tx, person);
        await auditEmail(deps, tx, person, { action: 'login.cancel_email', requestId });
      });
    },

    /**
     * Opens a link, once: opened again, it says that it is so. Raises validation_failed on `token` by the name of
     * why not (expired, replaced, withdrawn; not_valid for one that is unknown, of another realm, or whose person
     * is gone), on `password`, and already_claimed when somebody else has the address by now.
     */
    async confirmEmail(input: ConfirmEmail): Promise<ConfirmedEmail> {
      const link = await findLink(runner(deps.db), input);
      const person = link === undefined ? undefined : personKeyOf(link);
      if (link === undefined || person === undefined) throw badToken();
      const done = { email: link.email, isChange: link.previousEmail !== null };
      if (readStanding(deps, link) === 'done') return { ...done, isOld: true };
      // Outside the transaction: it takes long on purpose.
      if (done.isChange) await requirePassword(deps, passwords, person, input);
      try {
        const isOld = await inTransaction(
          deps.db,
          async (tx) => await openLink(deps, tx, { input, person }),
        );
        return { ...done, isOld };
      } catch (error) {
        if (ADDRESS_RULES.has(violatedConstraint(error) ?? '')) throw claimed('email');
        throw error;
      }
    },
  };
}

/** What holds that an address logs one person in. */
const ADDRESS_RULES = new Set([
  'accounts_email',
  'members_email',
  'members_once',
  'operators_email',
]);

const LINK = select(columnsOf(emailConfirmations, 'c'));

const findLink = async (
  sql: SqlRunner,
  { kind, token }: Pick<ConfirmEmail, 'kind' | 'token'>,
  lock = '',
): Promise<EmailConfirmationRow | undefined> =>
  await readRow(
    sql,
    LINK,
    `SELECT ${LINK.list} FROM email_confirmations c WHERE c.token_hash = $1 AND c.kind = $2 ${lock}`,
    [hashOfToken(token), kind],
  );

function personKeyOf(link: EmailConfirmationRow): PersonKey {
  const { kind, personType, personId, accountId } = link;
  return personType === 'MEMBER'
    ? { kind, id: accountId ?? 0, memberId: personId }
    : { kind, id: personId, memberId: null };
}

/** Raises validation_failed by the name of why it confirms nothing. */
function readStanding({ clock }: ActivityDeps, link: EmailConfirmationRow): 'open' | 'done' {
  const standing = standingOf(link, clock());
  if (standing === 'open' || standing === 'done') return standing;
  throw invalid({ field: 'token', code: standing, message: LINK_FAULTS[standing] });
}

async function requirePassword(
  deps: ActivityDeps,
  passwords: Passwords,
  person: PersonKey,
  { password, turn }: ConfirmEmail,
): Promise<void> {
  if (password === undefined) {
    throw invalid({
      field: 'password',
      code: 'required',
      message: 'is needed to change the address',
    });
  }
  const login = await findLoginById(runner(deps.db), person);
  if (!(await passwords.verify(login?.passwordHash ?? null, password, turn))) {
    throw invalid({ field: 'password', code: 'wrong', message: 'is not your password' });
  }
  if (login?.status === 'SUSPENDED') throw new DomainError('account_suspended');
}

/** Answers whether it was open no more: of two at once, the second finds what the first did. */
async function openLink(
  deps: ActivityDeps,
  tx: Transaction,
  { input, person }: { input: ConfirmEmail; person: PersonKey },
): Promise<boolean> {
  const sql = runner(deps.db, tx);
  const login = await lockLogin(sql, personOf(person));
  const link = await findLink(sql, input, 'FOR UPDATE');
  if (login === undefined || link === undefined) throw badToken();
  if (readStanding(deps, link) === 'done') return true;
  if (login.email !== (link.previousEmail ?? link.email)) throw badToken();
  await moveRow(sql, emailConfirmations, {
    state: 'status',
    action: 'confirm',
    where: { id: link.id },
    set: { endedAt: deps.clock() },
  });
  if (link.previousEmail === null) await setConfirmed(deps, sql, person);
  else await setAddress(deps, tx, { person, link, from: input.from });
  const action = link.previousEmail === null ? 'login.confirm_email' : 'login.change_email';
  await auditEmail(deps, tx, person, { action, requestId: input.requestId });
  return false;
}

/** As with a new password: every session, reset and recovery of the login ends with its old address. */
async function setAddress(
  deps: ActivityDeps,
  tx: Transaction,
  {
    person,
    link,
    from,
  }: {
    person: PersonKey;
    link: EmailConfirmationRow;
    from: Told['from'];
  },
): Promise<void> {
  const sql = runner(deps.db, tx);
  await writeAddress(deps, sql, person, link.email);
  await endSessions(sql, personOf(person), { except: null, now: deps.clock() });
  await endRecoveries(deps, tx, personOf(person), 'EMAIL_CHANGED');
  await endPasswordResets(sql, person);
  await tellPerson(deps, tx, { person, event: 'email_changed', from, confirmationId: link.id });
}

async function writeAddress(
  { clock }: ActivityDeps,
  sql: SqlRunner,
  key: PersonKey,
  email: string,
): Promise<void> {
  const { personType, personId } = personOf(key);
  await sql.query(
    `UPDATE ${TABLE_OF[personType]} SET email = $2, email_confirmed_at = $3, updated_at = now(),
       token_version = token_version + 1, version = version + 1 WHERE id = $1 RETURNING id`,
    [personId, email, clock()],
  );
}

/**
 * "This was not me": what is under way ends, and the address of before `since` is the login's again; its holder has
 * just shown that they read it. Answers whether there was anything.
 */
export async function undoEmailChanges(
  deps: ActivityDeps,
  tx: Transaction,
  { person, since, requestId }: { person: PersonKey; since: Date; requestId: string },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const { personType, personId } = personOf(person);
  const undone = moveSql(emailConfirmations, 'status', 'undo', 'c');
  const before = await readRow(
    sql,
    LINK,
    `SELECT ${LINK.list} FROM email_confirmations c WHERE c.person_type = $1 AND c.person_id = $2
       AND c.status = 'CONFIRMED' AND c.previous_email IS NOT NULL AND c.ended_at >= $3 ORDER BY c.id LIMIT 1`,
    [personType, personId, since],
  );
  await sql.query(
    `UPDATE email_confirmations c SET ${undone.set}, ended_at = COALESCE(c.ended_at, now())
     WHERE ${undone.only} AND c.person_type = $1 AND c.person_id = $2 AND c.previous_email IS NOT NULL
       AND (c.ended_at IS NULL OR c.ended_at >= $3) RETURNING c.id`,
    [personType, personId, since],
  );
  if (before?.previousEmail === undefined || before.previousEmail === null) return;
  await writeAddress(deps, sql, person, before.previousEmail);
  await auditEmail(deps, tx, person, { action: 'login.restore_email', requestId, bySystem: true });
}

const badToken = (): DomainError =>
  invalid({ field: 'token', code: 'not_valid', message: 'is unknown here, or not ours' });
