import type { Lifecycle } from './transition.ts';

export const MONEY_TERM_STATUSES = ['PENDING', 'APPROVED', 'REJECTED', 'VOID'] as const;
export type MoneyTermStatus = (typeof MONEY_TERM_STATUSES)[number];

/**
 * A share or a tax rate: approved by another operator than proposed it. VOID is an approved one that another of
 * the same day took the place of before it began; the database moves it there within that approval.
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
