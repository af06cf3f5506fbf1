import { emailConfirmationLifecycle } from '../../domain/lifecycle/email-confirmation.ts';
import { PERSON_TYPES } from '../../domain/person.ts';
import { id, ref, state, text, time, word } from '../schema/column.ts';
import { type Row, table } from '../schema/table.ts';

export const emailConfirmations = table('email_confirmations', {
  id: id(),
  kind: word(['ADVERTISER', 'PUBLISHER', 'OPERATOR']),
  personType: word(PERSON_TYPES),
  personId: ref(),
  accountId: ref().orNull(),
  /** What is confirmed. */
  email: text(),
  /** Of a change: what it is instead of. */
  previousEmail: text().orNull(),
  tokenHash: text(),
  status: state(emailConfirmationLifecycle).byDefault(),
  expiresAt: time(),
  createdAt: time().byDefault(),
  endedAt: time().orNull(),
});
export type EmailConfirmationRow = Row<typeof emailConfirmations>;
