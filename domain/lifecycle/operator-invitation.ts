import type { Lifecycle } from './transition.ts';

export const OPERATOR_INVITATION_STATUSES = ['OPEN', 'ACCEPTED', 'TAKEN_BACK'] as const;
export type OperatorInvitationStatus = (typeof OPERATOR_INVITATION_STATUSES)[number];

/** interface 5.19: who was invited has come, or somebody thought better of it. One that ran out may be sent again. */
export const operatorInvitationLifecycle: Lifecycle<
  OperatorInvitationStatus,
  'accept' | 'take_back'
> = {
  statuses: OPERATOR_INVITATION_STATUSES,
  begins: ['OPEN'],
  moves: { accept: { OPEN: 'ACCEPTED' }, take_back: { OPEN: 'TAKEN_BACK' } },
};
