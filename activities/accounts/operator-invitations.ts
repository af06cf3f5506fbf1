import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { findLogin, findLoginById, type LoginRow } from '../../db/queries/accounts.ts';
import { text } from '../../db/schema/column.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { operatorInvitations } from '../../db/tables/operator-invitation.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { notFound } from '../../domain/errors.ts';
import { illegalMove } from '../../domain/lifecycle/transition.ts';
import { INVITATION_LIVES_MS } from '../../domain/member.ts';
import type { OperatorRole } from '../../domain/operator.ts';
import type { Language } from '../../domain/notification-texts.ts';
import { propose } from '../core/approvals.ts';
import { recordAudit } from '../core/audit.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { claimed } from './claimed.ts';
import { badToken } from './invitations.ts';
import { dropLetters, queueMail } from './mails.ts';
import {
  expectNotInvited,
  expectRoom,
  expectUnwritten,
  invitedAlready,
} from './operator-invitation-limits.ts';
import { claimedLogin } from './operators.ts';
import type { Turn } from './password-turns.ts';
import type { Passwords } from './passwords.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';

interface ByOperator {
  operatorId: number;
  requestId: string;
}

export interface InviteOperator extends ByOperator {
  username: string;
  email: string;
  role: OperatorRole;
  /** Of the letter. */
  language?: Language | undefined;
}

export interface InvitationCommand extends ByOperator {
  id: number;
}

export interface JoinAsOperator {
  /** As the letter has it. */
  token: string;
  name: string;
  password: string;
  requestId: string;
  turn?: Turn | undefined;
}

type Invitation = RecordOf<'operatorInvitations'>;

/**
 * interface 5.19. Whoever invites chooses name, address and role, and never has the password: with it they would be two
 * persons as soon as another vouches. Who was invited is no operator before they come; then they are asked for.
 */
export function createOperatorInvitationActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    /** Raises already_claimed on `username` or `email`, rate_limited. */
    inviteOperator: async (command: InviteOperator): Promise<{ invitationId: number }> =>
      await runStep(deps.db, 'operator.invite', async (tx) => await invite(deps, tx, command)),

    /** A new letter for another seven days; the one before opens nothing. Raises not_found, state_conflict, rate_limited. */
    resendOperatorInvitation: async (command: InvitationCommand): Promise<void> =>
      await runStep(deps.db, 'operator.invite_again', async (tx) => {
        const invitation = await lockOpen(deps, tx, command.id, 'send again');
        await expectUnwritten(runner(deps.db, tx), invitation.email, deps.clock());
        await dropLetters(deps, tx, { invitationId: invitation.id });
        const token = newSecretToken();
        await invitation.update(letterOf(deps, token), { transaction: tx });
        await sendLetter(deps, tx, invitation, token);
        await audit(deps, tx, invitation, { ...command, action: 'operator.invite_again' });
      }),

    /** Its letter opens nothing any more. Raises not_found, state_conflict. */
    takeBackOperatorInvitation: async (command: InvitationCommand): Promise<void> =>
      await runStep(deps.db, 'operator.take_back_invitation', async (tx) => {
        const invitation = await lockOpen(deps, tx, command.id, 'take back');
        await end(deps, tx, { id: invitation.id });
        await audit(deps, tx, invitation, { ...command, action: 'operator.take_back_invitation' });
      }),

    /** Uses nothing up. Raises validation_failed on `token` as joining does, without saying why. */
    lookAtOperatorInvitation: async (token: string): Promise<InvitedOperator> => {
      const invited = await findInvited(deps, token);
      if (invited === undefined) throw badToken();
      return invited;
    },

    /**
     * Uses the invitation up and answers what the first token needs; until another operator vouches, they count as who
     * invited them. Raises validation_failed on `token` when it is unknown, used, replaced, taken back, too old or of somebody who
     * may invite nobody any more, without saying which; already_claimed when name or address have come to be another's.
     */
    joinAsOperator: async (input: JoinAsOperator): Promise<LoginRow> => {
      const invited = await findInvited(deps, input.token);
      if (invited === undefined) throw badToken();
      requireStrongPassword('password', input.password, invited);
      // Outside the transaction: it takes long on purpose.
      const passwordHash = await passwords.hash(input.password, input.turn);
      try {
        return await inTransaction(
          deps.db,
          async (tx) => await join(deps, tx, input, { ...invited, passwordHash }),
        );
      } catch (error) {
        throw claimedLogin(error);
      }
    },
  };
}

const INVITED = select({
  ...columnsOf(operatorInvitations, 'i', [
    'id',
    'username',
    'email',
    'role',
    'invitedBy',
    'expiresAt',
  ]),
  inviter: text().of('COALESCE(o.nickname, o.username)'),
});
export type InvitedOperator = RowOf<typeof INVITED>;

/** Nobody who is put out, or is ADMIN no more, lets anybody in. */
const findInvited = async (
  { db, clock }: ActivityDeps,
  token: string,
  tx?: Transaction,
): Promise<InvitedOperator | undefined> =>
  await readRow(
    runner(db, tx),
    INVITED,
    `SELECT ${INVITED.list} FROM operator_invitations i JOIN operators o ON o.id = i.invited_by
     WHERE i.token_hash = $1 AND i.expires_at > $2 AND o.role = 'ADMIN' AND operator_has_voice(o.id)`,
    [hashOfToken(token), clock()],
  );

/** What somebody asked to come in, and may not ask for any more, opens nothing. */
export async function endInvitationsOf(
  deps: ActivityDeps,
  tx: Transaction,
  invitedBy: number,
): Promise<void> {
  await end(deps, tx, { invitedBy });
}

async function end(
  deps: ActivityDeps,
  tx: Transaction,
  where: { id: number } | { invitedBy: number },
): Promise<void> {
  const ended = await moveRows(runner(deps.db, tx), operatorInvitations, {
    state: 'status',
    action: 'take_back',
    where,
    set: { tokenHash: null, endedAt: NOW },
  });
  for (const { id } of ended) await dropLetters(deps, tx, { invitationId: id });
}

async function invite(
  deps: ActivityDeps,
  tx: Transaction,
  command: InviteOperator,
): Promise<{ invitationId: number }> {
  const { username, email, role, operatorId, language = null } = command;
  const sql = runner(deps.db, tx);
  if ((await findLogin(sql, 'OPERATOR', username)) !== undefined) throw claimed('username');
  if ((await findLogin(sql, 'OPERATOR', email)) !== undefined) throw claimed('email');
  await expectNotInvited(sql, command);
  await expectUnwritten(sql, email, deps.clock());
  await expectRoom(sql, deps.clock());
  const token = newSecretToken();
  try {
    const invitation = await deps.db.models.operatorInvitations.create(
      { username, email, role, language, invitedBy: operatorId, ...letterOf(deps, token) },
      { transaction: tx },
    );
    await sendLetter(deps, tx, invitation, token);
    await audit(deps, tx, invitation, { ...command, action: 'operator.invite' });
    return { invitationId: invitation.id };
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'operator_invitations_username') throw invitedAlready('username');
    if (constraint === 'operator_invitations_email') throw invitedAlready('email');
    throw error;
  }
}

function letterOf({ clock }: ActivityDeps, token: string) {
  const invitedAt = clock();
  const expiresAt = new Date(invitedAt.getTime() + INVITATION_LIVES_MS);
  return { tokenHash: hashOfToken(token), invitedAt, expiresAt };
}

async function sendLetter(
  deps: ActivityDeps,
  tx: Transaction,
  { id, expiresAt }: Invitation,
  token: string,
): Promise<void> {
  const mail = { kind: 'operator_invitation', invitationId: id, detail: token, expiresAt } as const;
  await queueMail(deps, tx, mail);
}

async function lockOpen(
  { db }: ActivityDeps,
  tx: Transaction,
  id: number,
  action: string,
): Promise<Invitation> {
  const invitation = await db.models.operatorInvitations.findByPk(id, {
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (invitation === null) throw notFound();
  if (invitation.status !== 'OPEN') throw illegalMove(invitation.status, action);
  return invitation;
}

async function join(
  deps: ActivityDeps,
  tx: Transaction,
  { token, name, requestId }: JoinAsOperator,
  { id: invitationId, passwordHash }: InvitedOperator & { passwordHash: string },
): Promise<LoginRow> {
  const sql = runner(deps.db, tx);
  // Again: hashing took a while, and whoever invited may have been put out meanwhile.
  const invited = await findInvited(deps, token, tx);
  // Of two with one token, one wins.
  const [accepted] = await moveRows(sql, operatorInvitations, {
    state: 'status',
    action: 'accept',
    where: { id: invitationId, tokenHash: hashOfToken(token) },
    set: { tokenHash: null, endedAt: NOW },
  });
  if (invited === undefined || accepted === undefined) throw badToken();
  const { username, email, role, invitedBy } = invited;
  const { id } = await deps.db.models.operators.create(
    {
      username,
      email,
      passwordHash,
      role,
      nickname: name,
      createdBy: invitedBy,
      // The invitation came by letter.
      emailConfirmedAt: deps.clock(),
    },
    { transaction: tx },
  );
  await recordAudit(deps.db, tx, {
    actor: { type: 'OPERATOR', id },
    action: 'operator.join',
    subject: { type: 'operator', id },
    detail: { username, role, invited_by: invitedBy },
    requestId,
  });
  // Until somebody else vouches, they count as who invited them (0225-approvals.sql).
  await propose(deps, tx, { kind: 'operator', subject: id, makerId: invitedBy });
  const login = await findLoginById(sql, { kind: 'OPERATOR', id });
  if (login === undefined) throw new Error(`operator ${id} was not written`);
  return login;
}

/** Without the address: nobody could ever take it out of the log again. */
async function audit(
  { db }: ActivityDeps,
  tx: Transaction,
  { id, username, role }: Invitation,
  { operatorId, requestId, action }: ByOperator & { action: string },
): Promise<void> {
  await recordAudit(db, tx, {
    actor: { type: 'OPERATOR', id: operatorId },
    action,
    subject: { type: 'operator_invitation', id },
    detail: { username, role },
    requestId,
  });
}
