/**
 * What persons let move, and what says who may (interface 5.19). Which of them one person may let through
 * alone, what exactly is approved and whether it still is: the database decides (0225-approvals.sql,
 * 0227-approved-reversals.sql, 0237-approved-terms.sql, 0255-factor-recoveries.sql,
 * 0300-balance-refunds.sql, 0340-approved-explanations.sql, 0380-taken-back-receipts.sql,
 * 0435-payout-files-taken-back.sql, 0476-operators-leave.sql).
 */
export const APPROVAL_KINDS = [
  'deposit_credit',
  'deposit_refund',
  'withdrawal',
  'payout_failed',
  'withdrawal_return',
  'setting',
  'operator',
  'reversal',
  'money_term',
  'factor_recovery',
  'bank_explanation',
  'balance_refund',
  'receipt_take_back',
  'payout_file_take_back',
  'operator_restore',
  'operator_role',
] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** Decided in the queue of approvals; the others are decided by the task of their flow. */
export const DECIDED_IN_QUEUE = [
  'withdrawal_return',
  'setting',
  'operator',
  'money_term',
  'factor_recovery',
  'bank_explanation',
  'balance_refund',
  'receipt_take_back',
  'payout_file_take_back',
  'operator_restore',
  'operator_role',
] as const;
export type QueuedKind = (typeof DECIDED_IN_QUEUE)[number];

export const isQueued = (kind: ApprovalKind): kind is QueuedKind =>
  DECIDED_IN_QUEUE.some((queued) => queued === kind);

/** Settings that take effect by another operator's approval; the database holds the same rule. */
export const governsMoney = (key: string): boolean =>
  /^(?:deposit|payout|issuer)\./.test(key) || key === 'review.withdrawal';

/** Their word is that of whoever made them, who has none any more. */
export const NO_VOICE =
  'You count as somebody who is suspended until another operator vouches for you.';
