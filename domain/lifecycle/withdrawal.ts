import type { Lifecycle } from './transition.ts';

export const WITHDRAWAL_STATUSES = [
  'PENDING',
  'RISK_HOLD',
  'APPROVED',
  'PROCESSING',
  'UNKNOWN',
  'PAID',
  'FAILED',
  'RETURNED',
  'REJECTED',
  'CANCELLED',
] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** interface 2.10. */
export const PAYOUT_CHANNELS = ['BANK', 'USDT', 'PAYPAL', 'PAXUM'] as const;
export type PayoutChannel = (typeof PAYOUT_CHANNELS)[number];

export type WithdrawalAction =
  | 'flag_risk'
  | 'approve'
  | 'reject'
  | 'cancel'
  | 'begin'
  | 'lose_track'
  | 'pay'
  | 'fail'
  | 'return';

/**
 * interface 4.12. APPROVED is the cooling-off window: its owner may still cancel, and a request whose
 * publisher was suspended meanwhile goes back to RISK_HOLD. `begin` is the point of no return; after
 * it only what the bank or provider did counts, and while that is not known (`lose_track`) the money
 * stays held. `reject`, `cancel` and `fail` void the hold, `pay` posts it, `return` reverses.
 */
export const withdrawalLifecycle: Lifecycle<WithdrawalStatus, WithdrawalAction> = {
  statuses: WITHDRAWAL_STATUSES,
  begins: ['PENDING'],
  moves: {
    flag_risk: { PENDING: 'RISK_HOLD', APPROVED: 'RISK_HOLD' },
    approve: { PENDING: 'APPROVED', RISK_HOLD: 'APPROVED' },
    reject: { PENDING: 'REJECTED', RISK_HOLD: 'REJECTED' },
    cancel: { PENDING: 'CANCELLED', RISK_HOLD: 'CANCELLED', APPROVED: 'CANCELLED' },
    begin: { APPROVED: 'PROCESSING' },
    lose_track: { PROCESSING: 'UNKNOWN' },
    pay: { PROCESSING: 'PAID', UNKNOWN: 'PAID' },
    fail: { PROCESSING: 'FAILED', UNKNOWN: 'FAILED' },
    return: { PAID: 'RETURNED' },
  },
};

/** Their amounts are what the hold account holds. */
export const OPEN_WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = [
  'PENDING',
  'RISK_HOLD',
  'APPROVED',
  'PROCESSING',
  'UNKNOWN',
];

/** Nobody has been paid and nobody will be: the hold is void. */
export const VOID_WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = [
  'FAILED',
  'REJECTED',
  'CANCELLED',
];

/** What stands as the reason of one that the platform has cancelled; of its owner's own there is none. */
export const CANCELLED_BY_PLATFORM = 'CANCELLED_BY_PLATFORM';
export const isOfPlatform = (reasons: readonly { code: string }[] | null | undefined): boolean =>
  reasons?.some(({ code }) => code === CANCELLED_BY_PLATFORM) ?? false;

export const isCancellable = (status: WithdrawalStatus): boolean =>
  withdrawalLifecycle.moves.cancel[status] !== undefined;

/** interface 4.12: how long a new payout account waits before money leaves for it. */
export const NEW_ACCOUNT_WAIT_MS = 24 * 3_600_000;
