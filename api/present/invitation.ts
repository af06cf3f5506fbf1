import type * as yup from 'yup';
import type { Invited } from '../../activities/accounts/invitations.ts';
import { MEMBER_ROLES } from '../../domain/member.ts';
import { oneOf, record, time, words } from '../http/response-shapes.ts';

/** interface 5.7: what its letter says already, and no more of the account. */
export const invitationShape = record(
  { account: words(), email: words(), role: oneOf(MEMBER_ROLES), expires_at: time() },
  'Invitation',
);

export const presentInvitation = (invited: Invited): yup.InferType<typeof invitationShape> => ({
  account: invited.accountName,
  email: invited.email,
  role: invited.role,
  expires_at: (invited.invitationExpiresAt ?? new Date(0)).toISOString(),
});
