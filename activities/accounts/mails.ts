import { placeOf, type SealedPlace } from '../../db/sealed-columns.ts';
import { nextId } from '../../db/next-id.ts';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { flag, text, word } from '../../db/schema/column.ts';
import { moveRows, NOW } from '../../db/schema/move.ts';
import { columnsOf, readRow, type RowOf, select } from '../../db/schema/selection.ts';
import { accounts } from '../../db/tables/account.ts';
import { mails } from '../../db/tables/mail.ts';
import type { MailStatus } from '../../domain/lifecycle/mail.ts';
import { type MailInput, mailStart } from '../../workflows/contracts/mail.ts';
import { startFlow } from '../core/outbox.ts';
import { LANGUAGES } from '../../domain/person.ts';
import type { ActivityDeps } from '../deps.ts';
import { letterOf, type MailKind } from './mail-letters.ts';

/** Whom it is for is part of it: handed to another reader, a token does not open. */
const detailPlaceOf = (
  id: number,
  {
    accountId,
    memberId,
    operatorId,
  }: Record<'accountId' | 'memberId' | 'operatorId', number | null>,
): SealedPlace => placeOf('mails.sealed', accountId, memberId, operatorId, id);
const ERROR_LENGTH_MAX = 200;

export interface NewMail {
  kind: MailKind;
  /** Absent where an operator reads it, or somebody who is to be one. */
  accountId?: number | undefined;
  /** Whom of the account it is for; its owner when absent. */
  memberId?: number | null | undefined;
  operatorId?: number | undefined;
  /** It is about an address and goes there, and not to the login's own: `security` to the one that is left. */
  confirmationId?: number | undefined;
  /** Of somebody who is to work here: it goes to the address that was said, and there is no other reader. */
  invitationId?: number | undefined;
  /** What only the reader may see, such as a token or a site; kept sealed until it is sent. */
  detail?: string;
  /** From then on it would help nobody, and is not sent any more. */
  expiresAt: Date;
}

export type MailOutcome = Exclude<MailStatus, 'QUEUED'>;

/** A letter and the flow that sends it, in the transaction of what it reports. */
export async function queueMail(deps: ActivityDeps, tx: Transaction, mail: NewMail): Promise<void> {
  const { kind, accountId = null, memberId = null, operatorId = null, detail, expiresAt } = mail;
  const { confirmationId = null, invitationId = null } = mail;
  const id = await nextId(runner(deps.db, tx), 'mails');
  const sealed =
    detail === undefined
      ? null
      : deps.providers.sealer.seal(detail, detailPlaceOf(id, { accountId, memberId, operatorId }));
  await deps.db.models.mails.create(
    {
      id,
      kind,
      accountId,
      memberId,
      operatorId,
      confirmationId,
      invitationId,
      sealed,
      expiresAt,
    },
    { transaction: tx },
  );
  // Nothing but the id leaves the database: histories are read by people who may not read this.
  await startFlow(deps, tx, mailStart({ mailId: id }), { accountId });
}

const DUE = select({
  ...columnsOf(mails, 'm', [
    'kind',
    'sealed',
    'status',
    'expiresAt',
    'accountId',
    'memberId',
    'operatorId',
  ]),
  /** Too late, or to an operator who is suspended. */
  expired: flag().of('m.expires_at <= $2 OR r.is_shut_out'),
  email: text().of('r.email'),
  username: text().of('r.username'),
  accountName: text().of('r.account_name'),
  accountKind: accounts.columns.kind.orNull().of('r.account_kind'),
  language: word(LANGUAGES).orNull().of('r.language'),
});

/**
 * Who reads a letter: an operator, a member, or an account's owner, in the language of their console. Who was invited
 * has none yet: theirs is in the one that was said for them, and of invitations before in that of the account's owner.
 * To somebody who is to be an operator the name of the account is that of whoever invites.
 */
const READER = `SELECT m.id AS mail_id,
    COALESCE(CASE m.kind WHEN 'security' THEN c.previous_email ELSE c.email END, p.email, o.email, i.email, a.email) AS email,
    COALESCE(p.name, p.email, o.username, i.username, a.username) AS username,
    COALESCE(a.company_name, a.nickname, a.username, o.username, b.username) AS account_name,
    o.id IS NOT NULL AND NOT operator_has_voice(o.id) AS is_shut_out,
    a.kind AS account_kind, COALESCE(f.language, p.language, i.language, w.language) AS language
  FROM mails m LEFT JOIN accounts a ON a.id = m.account_id LEFT JOIN members p ON p.id = m.member_id
  LEFT JOIN operators o ON o.id = m.operator_id
  LEFT JOIN operator_invitations i ON i.id = m.invitation_id LEFT JOIN operators b ON b.id = i.invited_by
  LEFT JOIN email_confirmations c ON c.id = m.confirmation_id
  LEFT JOIN preferences f ON f.person_type = CASE WHEN p.id IS NOT NULL THEN 'MEMBER'
      WHEN o.id IS NOT NULL THEN 'OPERATOR' ELSE 'ACCOUNT' END
    AND f.person_id = COALESCE(p.id, o.id, a.id)
  LEFT JOIN preferences w ON w.person_type = 'ACCOUNT' AND w.person_id = a.id
  WHERE m.id = $1`;

/** What was to be told is no longer so: what was not sent yet will not be. */
export async function dropLetters(
  { db }: Pick<ActivityDeps, 'db'>,
  tx: Transaction,
  of:
    | { memberId: number }
    | { operatorId: number }
    | { confirmationId: number }
    | { invitationId: number },
): Promise<void> {
  await moveRows(runner(db, tx), mails, {
    state: 'status',
    action: 'expire',
    where: of,
    set: { sealed: null, endedAt: NOW },
  });
}

export function createMailActivities(deps: ActivityDeps) {
  return {
    /**
     * Hands the letter to the mail server, or finds that it was handed over or is too late. A try
     * whose outcome is unknown is made again under the same Message-ID, by which mailboxes know a
     * repeat. Raises when the server cannot be reached, without the address in the text.
     */
    async deliverMail({ mailId }: MailInput): Promise<{ outcome: MailOutcome }> {
      const mail = await beginAttempt(deps, mailId);
      if (mail.status !== 'QUEUED') return { outcome: mail.status };
      if (mail.expired) return { outcome: await endMail(deps, mailId, 'expire') };
      const detail =
        mail.sealed === null
          ? ''
          : deps.providers.sealer.open(mail.sealed, detailPlaceOf(mailId, mail));
      const letter = letterOf(mail.kind, {
        detail,
        expiresAt: mail.expiresAt,
        username: mail.username,
        account: mail.accountName,
        realm: REALM_OF[mail.accountKind ?? 'OPERATOR'],
        language: mail.language ?? 'en',
        baseUrl: deps.providers.mail.baseUrl,
      });
      try {
        const answer = await deps.providers.mail.send({ ...letter, id: mailId, to: mail.email });
        return answer.state === 'sent'
          ? { outcome: await endMail(deps, mailId, 'send') }
          : { outcome: await endMail(deps, mailId, 'refuse', answer.code) };
      } catch (error) {
        await keepError(deps, mailId, error);
        throw error;
      }
    },
  };
}

const REALM_OF = { ADVERTISER: 'advertiser', PUBLISHER: 'publisher', OPERATOR: 'admin' } as const;

async function beginAttempt(deps: ActivityDeps, mailId: number): Promise<RowOf<typeof DUE>> {
  return await inTransaction(deps.db, async (tx) => {
    const mail = await readRow(
      runner(deps.db, tx),
      DUE,
      `UPDATE mails m SET attempts = attempts + CASE WHEN m.status = 'QUEUED' THEN 1 ELSE 0 END
       FROM (${READER}) r WHERE m.id = r.mail_id RETURNING ${DUE.list}`,
      [mailId, deps.clock()],
    );
    if (mail === undefined) throw new Error(`letter ${mailId} is gone`);
    return mail;
  });
}

/** What was sealed goes with the end. Another attempt may have ended it meanwhile: then that one counts. */
async function endMail(
  deps: ActivityDeps,
  mailId: number,
  action: 'send' | 'refuse' | 'expire',
  lastError?: string,
): Promise<MailOutcome> {
  return await inTransaction(deps.db, async (tx) => {
    const [ended] = await moveRows(runner(deps.db, tx), mails, {
      state: 'status',
      action,
      where: { id: mailId },
      set: { sealed: null, endedAt: NOW, lastError },
    });
    const mail = ended ?? (await deps.db.models.mails.findByPk(mailId, { transaction: tx }));
    if (mail === null) throw new Error(`letter ${mailId} is gone`);
    return mail.status as MailOutcome;
  });
}

async function keepError(deps: ActivityDeps, mailId: number, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  const lastError = text.slice(0, ERROR_LENGTH_MAX);
  await inTransaction(deps.db, async (tx) => {
    await deps.db.models.mails.update({ lastError }, { where: { id: mailId }, transaction: tx });
  });
}
