import type { WithdrawalStatus } from './lifecycle/withdrawal.ts';

/**
 * Where a payout stands for whoever works on it, in the order in which it passes them: finer than its status, for
 * PROCESSING may wait for a person or for a bank.
 */
export const STATUSES_OF_STAGE = {
  REVIEW: ['PENDING'],
  RISK_HOLD: ['RISK_HOLD'],
  /** Approved by one, above the limit. */
  SECOND_APPROVAL: ['PENDING', 'RISK_HOLD'],
  /** Its owner may still cancel. */
  COOLING: ['APPROVED'],
  /** Nobody has taken its file yet. */
  BANK_FILE: ['PROCESSING'],
  AT_BANK: ['PROCESSING'],
  /** With another provider than a bank. */
  PROCESSING: ['PROCESSING'],
  UNKNOWN: ['UNKNOWN'],
  RETURNED: ['RETURNED'],
} as const satisfies Record<string, readonly WithdrawalStatus[]>;
export type PayoutStage = keyof typeof STATUSES_OF_STAGE;
export const PAYOUT_STAGES = Object.keys(STATUSES_OF_STAGE) as PayoutStage[];
