import type { Lifecycle } from './transition.ts';

export const MONEY_TERM_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'VOID'] as const;
export type MoneyTermStatus = (typeof MONEY_TERM_STATUSES)[number];

/**
 * A share or a tax rate: its approval (interface 5.19) decides it, in the database. VOID is an approved one that another of
 * the same day took the place of before it began.
 */
export const moneyTermLifecycle: Lifecycle<MoneyTermStatus, 'approve' | 'reject' | 'replace'> = {
  statuses: MONEY_TERM_STATUSES,
  begins: ['PENDING'],
  moves: {
    approve: { PENDING: 'APPROVED' },
    reject: { PENDING: 'REJECTED' },
    replace: { APPROVED: 'VOID' },
  },
};
