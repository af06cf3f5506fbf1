import type { Lifecycle } from './transition.ts';

export const MEMBER_STATUSES = ['INVITED', 'ACTIVE', 'REMOVED'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** What they did stays theirs, so a member is never deleted; who comes back is invited anew. */
export const memberLifecycle: Lifecycle<MemberStatus, 'accept' | 'remove'> = {
  statuses: MEMBER_STATUSES,
  begins: ['INVITED'],
  moves: {
    accept: { INVITED: 'ACTIVE' },
    remove: { INVITED: 'REMOVED', ACTIVE: 'REMOVED' },
  },
};
