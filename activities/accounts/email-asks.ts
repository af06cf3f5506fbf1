import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { type PersonKey, personOf } from '../../db/queries/accounts.ts';
import { flag, text, time, whole } from '../../db/schema/column.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { readRow, type RowOf, select } from '../../db/schema/selection.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { emailConfirmations } from '../../db/tables/email-confirmation.ts';
import {
  CHANGE_LINK_LIVES_MS,
  LETTER_WAIT_MS,
  LETTERS_PER_DAY,
  OWN_LINK_LIVES_MS,
} from '../../domain/email-confirmation.ts';
import { conflict, DomainError, invalid, notFound } from '../../domain/errors.ts';
import type { Person } from '../../domain/person.ts';
import { recordAudit } from '../core/audit.ts';
import type { ActivityDeps } from '../deps.ts';
import { claimed } from './claimed.ts';
import { dropLetters, queueMail } from './mails.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';
import { tellPerson, type Told } from './security-letters.ts';

/** Links that confirm an address are asked for here; email-confirmations.ts opens them (interface 5.18). */

export interface ByPerson {
  person: PersonKey;
  requestId: string;
}

const LOGIN = select({
  email: text().of('r.email'),
  confirmedAt: time().orNull().of('r.email_confirmed_at'),
});
export type LoginAddress = RowOf<typeof LOGIN>;

/** Where the row of each lies. */
export const TABLE_OF = { ACCOUNT: 'accounts', MEMBER: 'members', OPERATOR: 'operators' } as const;

/** One of a person's asks at a time; always before their links, so that no two wait for each other. */
export async function lockLogin(
  sql: SqlRunner,
  { personType, personId }: Person,
): Promise<LoginAddress | undefined> {
  const still = personType === 'MEMBER' ? "AND r.status = 'ACTIVE'" : '';
  return await readRow(
    sql,
    LOGIN,
    `SELECT ${LOGIN.list} FROM ${TABLE_OF[personType]} r WHERE r.id = $1 ${still} FOR UPDATE`,
    [personId],
  );
}

/** A link to this address and its letter; those before open nothing any more. Answers its id. */
export async function writeLink(
  deps: ActivityDeps,
  tx: Transaction,
  {
    person,
    email,
    previousEmail,
  }: { person: PersonKey; email: string; previousEmail: string | null },
): Promise<number> {
  await endOpenLinks(deps, tx, person, 'replace');
  const token = newSecretToken();
  const now = deps.clock();
  const lives = previousEmail === null ? OWN_LINK_LIVES_MS : CHANGE_LINK_LIVES_MS;
  const expiresAt = new Date(now.getTime() + lives);
  const isOperator = person.kind === 'OPERATOR';
  const { id } = await deps.db.models.emailConfirmations.create(
    {
      ...personOf(person),
      kind: person.kind,
      accountId: isOperator ? null : person.id,
      email,
      previousEmail,
      tokenHash: hashOfToken(token),
      expiresAt,
      createdAt: now,
    },
    { transaction: tx, silent: true },
  );
  await queueMail(deps, tx, {
    kind: previousEmail === null ? 'email_confirm' : 'email_change',
    ...(isOperator
      ? { operatorId: person.id }
      : { accountId: person.id, memberId: person.memberId }),
    confirmationId: id,
    detail: token,
    expiresAt,
  });
  return id;
}

/** Letters that wait to be sent are not sent. */
async function endOpenLinks(
  deps: ActivityDeps,
  tx: Transaction,
  person: PersonKey,
  action: 'replace' | 'cancel',
): Promise<void> {
  const ended = await moveRows(runner(deps.db, tx), emailConfirmations, {
    state: 'status',
    action,
    where: { ...personOf(person) },
    set: { endedAt: NOW },
  });
  for (const { id } of ended) await dropLetters(deps, tx, { confirmationId: id });
}

const OPEN_CHANGE = select({
  email: text().of('c.email'),
  previousEmail: text().orNull().of('c.previous_email'),
});
const findOpen = async (sql: SqlRunner, { personType, personId }: Person) =>
  await readRow(
    sql,
    OPEN_CHANGE,
    `SELECT ${OPEN_CHANGE.list} FROM email_confirmations c
     WHERE c.person_type = $1 AND c.person_id = $2 AND c.status = 'OPEN'`,
    [personType, personId],
  );

/** Whoever opens what was mailed to the address reads it. Once is for ever, until it is another. */
export async function setConfirmed(
  { clock }: Pick<ActivityDeps, 'clock'>,
  sql: SqlRunner,
  key: PersonKey,
): Promise<void> {
  const { personType, personId } = personOf(key);
  await sql.query(
    `UPDATE ${TABLE_OF[personType]} SET email_confirmed_at = COALESCE(email_confirmed_at, $2)
     WHERE id = $1 RETURNING id`,
    [personId, clock()],
  );
}

/** Another letter: of the change that is under way, else of the address that nobody confirmed. */
export async function sendAgain(
  deps: ActivityDeps,
  tx: Transaction,
  { person, requestId }: ByPerson,
): Promise<void> {
  const sql = runner(deps.db, tx);
  const login = await lockLogin(sql, personOf(person));
  if (login === undefined) throw new DomainError('token_expired');
  const open = await findOpen(sql, personOf(person));
  const change = open?.previousEmail === null ? undefined : open;
  if (change === undefined && login.confirmedAt !== null) {
    throw conflict('This e-mail address is confirmed already.');
  }
  const email = change?.email ?? login.email;
  await expectLetterRoom(deps, sql, personOf(person), email);
  await writeLink(deps, tx, {
    person,
    email,
    previousEmail: change === undefined ? null : login.email,
  });
  await auditEmail(deps, tx, person, { action: 'login.resend_email', requestId });
}

/** Nothing changes yet: the new address gets a link, the one that counts is told. */
export async function askChange(
  deps: ActivityDeps,
  tx: Transaction,
  { person, email, from, requestId }: ByPerson & { email: string; from: Told['from'] },
): Promise<void> {
  const sql = runner(deps.db, tx);
  const login = await lockLogin(sql, personOf(person));
  if (login === undefined) throw new DomainError('token_expired');
  if (login.email.toLowerCase() === email.toLowerCase()) {
    throw invalid({ field: 'email', code: 'unchanged', message: 'is your address already' });
  }
  if (await isTaken(sql, person, email)) throw claimed('email');
  await expectLetterRoom(deps, sql, personOf(person), email);
  const confirmationId = await writeLink(deps, tx, { person, email, previousEmail: login.email });
  await tellPerson(deps, tx, { person, event: 'email_change_asked', from, confirmationId });
  await auditEmail(deps, tx, person, { action: 'login.request_email', requestId });
}

/** Raises not_found where none is under way. */
export async function cancelChange(
  deps: ActivityDeps,
  tx: Transaction,
  person: PersonKey,
): Promise<void> {
  const sql = runner(deps.db, tx);
  await lockLogin(sql, personOf(person));
  const open = await findOpen(sql, personOf(person));
  if (open?.previousEmail === undefined || open.previousEmail === null) throw notFound();
  await endOpenLinks(deps, tx, person, 'cancel');
}

const TAKEN = select({ taken: flag().of('EXISTS (SELECT FROM found)') });
/** $1 is the address, $2 the realm; whoever asks is $3 and $4, of the account $5. */
const HAS_IT = `SELECT FROM accounts a WHERE lower(a.email) = lower($1) AND (a.kind = $2 OR $3 = 'ACCOUNT')
  UNION ALL SELECT FROM members p WHERE lower(p.email) = lower($1) AND p.kind = $2 AND (p.status IN ('ACTIVE', 'SUSPENDED')
    OR $3 = 'MEMBER' AND p.account_id = $5 AND p.status <> 'REMOVED')
  UNION ALL SELECT FROM operators o WHERE lower(o.email) = lower($1) AND $2 = 'OPERATOR'`;

/** As registration and invitations would find it; asked again, and held by the database, when it counts. */
async function isTaken(sql: SqlRunner, person: PersonKey, email: string): Promise<boolean> {
  const { personType, personId } = personOf(person);
  const row = await readRow(
    sql,
    TAKEN,
    `WITH found AS (${HAS_IT} UNION ALL SELECT WHERE address_is_kept($1, $2, $3, $4)) SELECT ${TAKEN.list}`,
    [email, person.kind, personType, personId, person.id],
  );
  return row?.taken === true;
}

const LETTERS = select({
  today: whole().of('count(*)'),
  first: time().orNull().of('min(c.created_at)'),
  last: time().orNull().of('max(c.created_at) FILTER (WHERE lower(c.email) = lower($3))'),
});

/** interface 8: one letter to an address in a minute, and so many of a person in a day. */
async function expectLetterRoom(
  { clock }: ActivityDeps,
  sql: SqlRunner,
  { personType, personId }: Person,
  email: string,
): Promise<void> {
  const now = clock().getTime();
  const written = await readRow(
    sql,
    LETTERS,
    `SELECT ${LETTERS.list} FROM email_confirmations c
     WHERE c.person_type = $1 AND c.person_id = $2 AND c.created_at > $4`,
    [personType, personId, email, new Date(now - DAY_MS)],
  );
  if (written === undefined) return;
  const minute = written.last === null ? 0 : written.last.getTime() + LETTER_WAIT_MS - now;
  const isDayFull = written.today >= LETTERS_PER_DAY && written.first !== null;
  const day = isDayFull ? (written.first?.getTime() ?? 0) + DAY_MS - now : 0;
  const waitMs = Math.max(minute, day);
  if (waitMs > 0) {
    throw new DomainError('rate_limited', { hints: { retry_after: Math.ceil(waitMs / 1_000) } });
  }
}
const DAY_MS = 86_400_000;

/** By ids: an address in the log could never be taken out of it again. */
export async function auditEmail(
  { db }: ActivityDeps,
  tx: Transaction,
  { kind, id, memberId = null }: PersonKey,
  entry: { action: string; requestId: string; bySystem?: boolean },
): Promise<void> {
  const { action, requestId, bySystem = false } = entry;
  await recordAudit(db, tx, {
    actor: bySystem
      ? { type: 'SYSTEM', id: null }
      : { type: kind === 'OPERATOR' ? 'OPERATOR' : 'ACCOUNT', id, memberId },
    action,
    subject:
      memberId === null ? { type: kind.toLowerCase(), id } : { type: 'member', id: memberId },
    accountId: kind === 'OPERATOR' ? undefined : id,
    requestId,
  });
}
