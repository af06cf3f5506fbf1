import { operatorInvitationLifecycle } from '../../domain/lifecycle/operator-invitation.ts';
import { OPERATOR_ROLES } from '../../domain/operator.ts';
import { LANGUAGES } from '../../domain/person.ts';
import { id, ref, state, text, time, word } from '../schema/column.ts';
import { table } from '../schema/table.ts';

export const operatorInvitations = table('operator_invitations', {
  id: id(),
  username: text(),
  email: text(),
  role: word(OPERATOR_ROLES),
  /** Of the letter. */
  language: word(LANGUAGES).orNull(),
  status: state(operatorInvitationLifecycle).byDefault(),
  /** Of the token in the newest letter. */
  tokenHash: text().orNull(),
  invitedBy: ref(),
  invitedAt: time(),
  expiresAt: time(),
  endedAt: time().orNull(),
});
