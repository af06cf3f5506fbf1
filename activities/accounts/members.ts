import type { Transaction } from 'sequelize';
import { inTransaction, runner, violatedConstraint } from '../../db/postgres.ts';
import { type AccountKind, findLoginById, type LoginRow } from '../../db/queries/accounts.ts';
import type { RecordOf } from '../../db/schema/models.ts';
import { moveRows, NEXT_VERSION } from '../../db/schema/move.ts';
import { members } from '../../db/tables/member.ts';
import { requireStrongPassword } from '../../domain/accounts.ts';
import { conflict, DomainError, notFound } from '../../domain/errors.ts';
import { expectVersion } from '../../domain/lifecycle/version.ts';
import { INVITATION_LIVES_MS, type MemberRole } from '../../domain/member.ts';
import type { Language } from '../../domain/notification-texts.ts';
import { type AuditRecord, recordAudit } from '../core/audit.ts';
import { moveRecord } from '../core/move-record.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import { badToken, createInvitationActivities, findInvited } from './invitations.ts';
import { emailClaimed, expectRoom, expectUnknown, expectUnwritten } from './member-limits.ts';
import { dropLetters, queueMail } from './mails.ts';
import type { Turn } from './password-turns.ts';
import type { Passwords } from './passwords.ts';
import { forgetPerson } from './saved-views.ts';
import { hashOfToken, newSecretToken } from './secret-tokens.ts';

/** Who asks: an account's owner, or one of its members. */
interface OfAccount {
  accountId: number;
  byMemberId: number | null;
  requestId: string;
}

export interface InviteMember extends OfAccount {
  kind: AccountKind;
  email: string;
  role: MemberRole;
  /** Of the letter; that of whoever invites when absent. */
  language?: Language | undefined;
}

export interface MemberCommand extends OfAccount {
  memberId: number;
  ifMatch?: readonly number[] | undefined;
}

export interface AcceptInvitation {
  kind: AccountKind;
  /** As the letter has it. */
  token: string;
  name: string;
  password: string;
  requestId: string;
  turn?: Turn | undefined;
}

/** interface 5.7. The owner is no member: nobody removes or demotes the account's last ADMIN. */
export function createMemberActivities(deps: ActivityDeps, passwords: Passwords) {
  return {
    ...createInvitationActivities(deps),

    /**
     * Writes the invitation and its letter. Raises already_claimed for an address that is invited
     * already or logs somebody in in this realm, state_conflict when the account is full, and
     * rate_limited when the address had its letter a moment ago.
     */
    inviteMember: async (command: InviteMember): Promise<{ memberId: number }> =>
      await runStep(deps.db, 'member.invite', async (tx) => await invite(deps, tx, command)),

    /** A new letter; the one before opens nothing. Raises not_found, state_conflict, rate_limited. */
    async resendInvitation(command: MemberCommand): Promise<void> {
      await runStep(deps.db, 'member.resend', async (tx) => {
        const member = await lockMember(deps, tx, command);
        if (member.status !== 'INVITED')
          throw conflict(`Cannot invite again while ${member.status}.`);
        await expectUnwritten(runner(deps.db, tx), { ...member.get(), now: deps.clock() });
        const token = newSecretToken();
        const version = member.version + 1;
        await member.update({ ...invitationOf(deps, token), version }, { transaction: tx });
        await dropLetters(deps, tx, { memberId: member.id });
        await sendInvitation(deps, tx, member, token);
        await auditMember(deps, tx, command, { action: 'member.resend' });
      });
    },

    /**
     * Heeded from the next request on. Raises not_found, precondition_failed, and state_conflict for
     * one's own role and for somebody who was removed.
     */
    async changeMemberRole(command: MemberCommand & { role: MemberRole }): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const member = await lockMember(deps, tx, command);
        if (member.status === 'REMOVED') throw conflict('Cannot change the role while REMOVED.');
        const { role: before, version } = member;
        await member.update({ role: command.role, version: version + 1 }, { transaction: tx });
        const detail = { before, after: command.role };
        await auditMember(deps, tx, command, { action: 'member.role', detail });
      });
    },

    /** Every token and open letter of theirs is dead. Raises as changeMemberRole. */
    async removeMember(command: MemberCommand): Promise<void> {
      await inTransaction(deps.db, async (tx) => {
        const member = await lockMember(deps, tx, command);
        await moveRecord(deps.db, tx, 'members', {
          record: member,
          state: 'status',
          action: 'remove',
          set: {
            passwordHash: null,
            invitationHash: null,
            tokenVersion: { computed: 'token_version + 1' },
            removedAt: deps.clock(),
            updatedAt: deps.clock(),
            version: NEXT_VERSION,
          },
        });
        await dropLetters(deps, tx, { memberId: member.id });
        const person = { personType: 'MEMBER' as const, personId: member.id };
        await forgetPerson(runner(deps.db, tx), person);
        await auditMember(deps, tx, command, { action: 'member.remove' });
      });
    },

    /**
     * Uses the invitation up and answers what the first token needs. Raises validation_failed on
     * `token` when it is unknown, of another realm, used, replaced or too old, without saying which;
     * account_suspended; already_claimed when the address has come to log somebody else in.
     */
    async acceptInvitation(input: AcceptInvitation): Promise<LoginRow> {
      const invited = await findInvited(deps, input);
      if (invited === undefined) throw badToken();
      if (invited.status === 'SUSPENDED') throw new DomainError('account_suspended');
      requireStrongPassword('password', input.password, invited);
      // Outside the transaction: it takes long on purpose.
      const passwordHash = await passwords.hash(input.password, input.turn);
      try {
        return await inTransaction(
          deps.db,
          async (tx) => await join(deps, tx, input, { ...invited, passwordHash }),
        );
      } catch (error) {
        if (violatedConstraint(error) === 'members_email')
          throw emailClaimed('logs somebody else in');
        throw error;
      }
    },
  };
}

async function invite(
  deps: ActivityDeps,
  tx: Transaction,
  command: InviteMember,
): Promise<{ memberId: number }> {
  const { kind, accountId, email, role } = command;
  const sql = runner(deps.db, tx);
  const now = deps.clock();
  // One invitation of an account at a time: each counts those before it.
  await deps.db.models.accounts.findByPk(accountId, { transaction: tx, lock: tx.LOCK.UPDATE });
  await expectUnknown(sql, { kind, accountId, email });
  await expectUnwritten(sql, { accountId, email, now });
  await expectRoom(sql, { accountId, now });
  const token = newSecretToken();
  const language = command.language ?? (await languageOf(deps, tx, command));
  const member = await deps.db.models.members.create(
    { accountId, kind, email, role, language, ...invitationOf(deps, token) },
    { transaction: tx },
  );
  await sendInvitation(deps, tx, member, token);
  const { id: memberId } = member;
  const about = { ...command, memberId };
  await auditMember(deps, tx, about, { action: 'member.invite', detail: { role } });
  return { memberId };
}

/** What whoever asks has said they read; null where they have said nothing. */
async function languageOf(
  { db }: ActivityDeps,
  tx: Transaction,
  { accountId, byMemberId }: OfAccount,
): Promise<Language | null> {
  const person =
    byMemberId === null
      ? { personType: 'ACCOUNT' as const, personId: accountId }
      : { personType: 'MEMBER' as const, personId: byMemberId };
  const said = await db.models.preferences.findOne({ where: person, transaction: tx });
  return said?.language ?? null;
}

function invitationOf({ clock }: ActivityDeps, token: string) {
  const invitedAt = clock();
  const invitationExpiresAt = new Date(invitedAt.getTime() + INVITATION_LIVES_MS);
  return { invitationHash: hashOfToken(token), invitedAt, invitationExpiresAt };
}

async function sendInvitation(
  deps: ActivityDeps,
  tx: Transaction,
  member: RecordOf<'members'>,
  token: string,
): Promise<void> {
  await queueMail(deps, tx, {
    kind: 'invitation',
    accountId: member.accountId,
    memberId: member.id,
    detail: token,
    expiresAt: member.invitationExpiresAt,
  });
}

/** Of this account, and not whoever asks. */
export async function lockMember(
  { db }: ActivityDeps,
  tx: Transaction,
  { accountId, memberId, byMemberId, ifMatch }: MemberCommand,
): Promise<RecordOf<'members'>> {
  const member = await db.models.members.findOne({
    where: { id: memberId, accountId },
    transaction: tx,
    lock: tx.LOCK.UPDATE,
  });
  if (member === null) throw notFound();
  if (memberId === byMemberId) {
    throw conflict('Nobody changes or removes themselves: another ADMIN has to.');
  }
  expectVersion(ifMatch, member.version);
  return member;
}

async function join(
  deps: ActivityDeps,
  tx: Transaction,
  { kind, token, name, requestId }: AcceptInvitation,
  invited: { id: number; accountId: number; passwordHash: string },
): Promise<LoginRow> {
  const { id: memberId, accountId, passwordHash } = invited;
  const sql = runner(deps.db, tx);
  // Of two with one token, one wins.
  const [joined] = await moveRows(sql, members, {
    state: 'status',
    action: 'accept',
    where: { id: memberId, invitationHash: hashOfToken(token) },
    set: {
      name,
      passwordHash,
      invitationHash: null,
      joinedAt: deps.clock(),
      // The invitation came by letter.
      emailConfirmedAt: deps.clock(),
      updatedAt: deps.clock(),
      version: NEXT_VERSION,
    },
  });
  if (joined === undefined) throw badToken();
  const by = { accountId, byMemberId: memberId, requestId };
  await auditMember(deps, tx, { ...by, memberId }, { action: 'member.join' });
  const login = await findLoginById(sql, { kind, id: accountId, memberId });
  if (login === undefined) throw new Error(`member ${memberId} vanished`);
  return login;
}

/** By ids: an e-mail address in the log could never be taken out of it again. */
export async function auditMember(
  { db }: ActivityDeps,
  tx: Transaction,
  { accountId, byMemberId, memberId, requestId }: MemberCommand,
  entry: Pick<AuditRecord, 'action' | 'detail'>,
): Promise<void> {
  await recordAudit(db, tx, {
    actor: { type: 'ACCOUNT', id: accountId, memberId: byMemberId },
    subject: { type: 'member', id: memberId },
    requestId,
    ...entry,
  });
}
