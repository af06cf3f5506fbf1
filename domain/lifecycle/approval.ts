import type { Lifecycle } from './transition.ts';

export const APPROVAL_STATES = ['PROPOSED', 'APPROVED', 'APPLIED', 'REFUSED', 'VOID'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/**
 * An approval is made PROPOSED, or APPROVED where its maker may let it through alone (the database decides
 * which). APPLIED is reached from within the move that uses it up, by the database alone.
 */
export const approvalLifecycle: Lifecycle<ApprovalState, 'approve' | 'refuse' | 'void'> = {
  statuses: APPROVAL_STATES,
  begins: ['PROPOSED', 'APPROVED'],
  moves: {
    approve: { PROPOSED: 'APPROVED' },
    refuse: { PROPOSED: 'REFUSED' },
    void: { PROPOSED: 'VOID', APPROVED: 'VOID' },
  },
};
