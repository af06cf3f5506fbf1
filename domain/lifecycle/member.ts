import type { Lifecycle } from './transition.ts';

export const MEMBER_STATUSES = ['INVITED', 'ACTIVE', 'SUSPENDED', 'REMOVED'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** What they did stays theirs, so a member is never deleted; who comes back is invited anew. */
export const memberLifecycle: Lifecycle<MemberStatus, 'accept' | 'suspend' | 'restore' | 'remove'> =
  {
    statuses: MEMBER_STATUSES,
    begins: ['INVITED'],
    moves: {
      accept: { INVITED: 'ACTIVE' },
      suspend: { ACTIVE: 'SUSPENDED' },
      restore: { SUSPENDED: 'ACTIVE' },
      remove: { INVITED: 'REMOVED', ACTIVE: 'REMOVED', SUSPENDED: 'REMOVED' },
    },
  };
