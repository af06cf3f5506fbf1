import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { MAIL_WORKFLOW, type MailInput, mailWorkflowId } from '../../workflows/contracts/mail.ts';
import type { ActivityDeps } from '../deps.ts';
import { letterOf, type MailKind } from './mail-letters.ts';

const SEALED_PLACE = 'mails.sealed';
const ERROR_LENGTH_MAX = 200;

export interface NewMail {
  kind: MailKind;
  accountId: number;
  /** What only the reader may see, such as a token or a site; kept sealed until it is sent. */
  detail?: string;
  /** From then on it would help nobody, and is not sent any more. */
  expiresAt: Date;
}

export type MailOutcome = 'SENT' | 'REFUSED' | 'EXPIRED';

/** A letter and the flow that sends it, in the transaction of what it reports. */
export async function queueMail(deps: ActivityDeps, tx: Transaction, mail: NewMail): Promise<void> {
  const { rows } = await runner(deps.db, tx).query<{ id: string }>(
    `INSERT INTO mails (account_id, kind, sealed, expires_at) VALUES ($1, $2, $3, $4) RETURNING id`,
    [
      mail.accountId,
      mail.kind,
      mail.detail === undefined ? null : deps.providers.sealer.seal(mail.detail, SEALED_PLACE),
      mail.expiresAt,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the letter was not written');
  // Nothing but the id leaves the database: histories are read by people who may not read this.
  const input: MailInput = { mailId: Number(row.id) };
  const workflowId = mailWorkflowId(input);
  await deps.outbox.enqueue(tx, {
    kind: 'workflow_start',
    dedupeKey: `start:${workflowId}`,
    payload: {
      workflowId,
      type: MAIL_WORKFLOW,
      taskQueue: 'mail',
      input,
      summary: `Letter ${input.mailId}: ${mail.kind}`,
    },
  });
}

interface DueMail {
  kind: MailKind;
  sealed: string | null;
  status: 'QUEUED' | MailOutcome;
  expired: boolean;
  expires_at: Date;
  email: string;
  username: string;
  account_kind: 'ADVERTISER' | 'PUBLISHER';
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
      if (mail.expired) return { outcome: await endMail(deps, mailId, 'EXPIRED', null) };
      const detail =
        mail.sealed === null ? '' : deps.providers.sealer.open(mail.sealed, SEALED_PLACE);
      const letter = letterOf(mail.kind, {
        detail,
        expiresAt: mail.expires_at,
        username: mail.username,
        realm: mail.account_kind === 'ADVERTISER' ? 'advertiser' : 'publisher',
        baseUrl: deps.providers.mail.baseUrl,
      });
      try {
        const answer = await deps.providers.mail.send({ ...letter, id: mailId, to: mail.email });
        return answer.state === 'sent'
          ? { outcome: await endMail(deps, mailId, 'SENT', null) }
          : { outcome: await endMail(deps, mailId, 'REFUSED', answer.code) };
      } catch (error) {
        await rememberTrouble(deps, mailId, error);
        throw error;
      }
    },
  };
}

async function beginAttempt(deps: ActivityDeps, mailId: number): Promise<DueMail> {
  return await inTransaction(deps.db, async (tx) => {
    const { rows } = await runner(deps.db, tx).query<DueMail>(
      `UPDATE mails m SET attempts = attempts + CASE WHEN m.status = 'QUEUED' THEN 1 ELSE 0 END
       FROM accounts a WHERE m.id = $1 AND a.id = m.account_id
       RETURNING m.kind, m.sealed, m.status, m.expires_at, m.expires_at <= $2 AS expired, a.email,
         a.username, a.kind AS account_kind`,
      [mailId, deps.clock()],
    );
    const [mail] = rows;
    if (mail === undefined) throw new Error(`letter ${mailId} is gone`);
    return mail;
  });
}

/** What was sealed goes with the end. Another attempt may have ended it meanwhile: then that one counts. */
async function endMail(
  deps: ActivityDeps,
  mailId: number,
  outcome: MailOutcome,
  error: string | null,
): Promise<MailOutcome> {
  return await inTransaction(deps.db, async (tx) => {
    const { rows } = await runner(deps.db, tx).query<{ status: MailOutcome }>(
      `UPDATE mails SET status = CASE WHEN status = 'QUEUED' THEN $2 ELSE status END,
         last_error = COALESCE($3, last_error), sealed = NULL, ended_at = COALESCE(ended_at, now())
       WHERE id = $1 RETURNING status`,
      [mailId, outcome, error],
    );
    return rows[0]?.status ?? outcome;
  });
}

async function rememberTrouble(deps: ActivityDeps, mailId: number, error: unknown): Promise<void> {
  const text = error instanceof Error ? error.message : String(error);
  await inTransaction(deps.db, async (tx) => {
    await runner(deps.db, tx).query('UPDATE mails SET last_error = $2 WHERE id = $1 RETURNING id', [
      mailId,
      text.slice(0, ERROR_LENGTH_MAX),
    ]);
  });
}
