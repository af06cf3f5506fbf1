import { mailLifecycle } from '../../domain/lifecycle/mail.ts';
import { id, ref, state, text, time, whole, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const mails = table('mails', {
  id: id(),
  accountId: ref().orNull(),
  operatorId: ref().orNull(),
  memberId: ref().orNull(),
  /** Of a letter about an address: it goes to that one. */
  confirmationId: ref().orNull(),
  /** Of the letter to somebody who is to work here, and is nobody here yet. */
  invitationId: ref().orNull(),
  kind: word([
    'password_reset',
    'kyc_approved',
    'kyc_rejected',
    'kyc_expired',
    'site_lapsing',
    'site_lapsed',
    'notice',
    'invitation',
    'security',
    'domain_contested',
    'domain_moved',
    'email_confirm',
    'email_change',
    'task_given',
    'report_ready',
    'operator_invitation',
  ]),
  sealed: text().orNull(),
  status: state(mailLifecycle).byDefault(),
  attempts: whole().byDefault(),
  lastError: text().orNull(),
  expiresAt: time(),
  createdAt: time().byDefault(),
  endedAt: time().orNull(),
});
export type MailRow = Row<typeof mails>;
