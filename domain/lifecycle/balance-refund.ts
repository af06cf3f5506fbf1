import type { Lifecycle } from './transition.ts';

export const BALANCE_REFUND_STATUSES = ['REQUESTED', 'RETURNING', 'RETURNED', 'KEPT'] as const;
export type BalanceRefundStatus = (typeof BALANCE_REFUND_STATUSES)[number];

/**
 * Unused balance on its way back to whoever paid it. RETURNED: its parts have ended, and some of it was sent. KEPT:
 * nothing was, because it was not approved or because no way led back; all of it can be spent again.
 */
export const balanceRefundLifecycle: Lifecycle<BalanceRefundStatus, 'approve' | 'end' | 'keep'> = {
  statuses: BALANCE_REFUND_STATUSES,
  begins: ['REQUESTED'],
  moves: {
    approve: { REQUESTED: 'RETURNING' },
    end: { RETURNING: 'RETURNED' },
    keep: { REQUESTED: 'KEPT', RETURNING: 'KEPT' },
  },
};
