import type { Lifecycle } from './transition.ts';

export const REMOVAL_APPEAL_STATUSES = ['OPEN', 'UPHELD', 'REJECTED'] as const;
export type RemovalAppealStatus = (typeof REMOVAL_APPEAL_STATUSES)[number];

/** A publisher's word against removed events; a person decides it, once. */
export const removalAppealLifecycle: Lifecycle<RemovalAppealStatus, 'uphold' | 'reject'> = {
  statuses: REMOVAL_APPEAL_STATUSES,
  begins: ['OPEN'],
  moves: { uphold: { OPEN: 'UPHELD' }, reject: { OPEN: 'REJECTED' } },
};
