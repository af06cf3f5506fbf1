import type { Lifecycle } from './transition.ts';

export const DEPOSIT_STATUSES = [
  'PENDING',
  'CONFIRMING',
  'REVIEW',
  'PAID',
  'CANCELLED',
  'EXPIRED',
  'REFUNDED',
  'FAILED',
] as const;
export type DepositStatus = (typeof DEPOSIT_STATUSES)[number];

/** interface 2.6. */
export const DEPOSIT_METHODS = ['BANK', 'USDT', 'ALIPAY', 'WECHAT', 'OFFLINE'] as const;
export type DepositMethod = (typeof DEPOSIT_METHODS)[number];

/**
 * interface 4.6. `receive` is money arriving; nothing cancels or expires an order after that. FAILED is
 * the word of a provider that refuses an order. `reopen` is the receipt that had moved it taken back: it waits for
 * its money as if nobody had written one.
 */
export const depositLifecycle: Lifecycle<
  DepositStatus,
  'receive' | 'credit' | 'review' | 'refund' | 'cancel' | 'expire' | 'fail' | 'reopen'
> = {
  statuses: DEPOSIT_STATUSES,
  begins: ['PENDING'],
  moves: {
    receive: { PENDING: 'CONFIRMING' },
    credit: { CONFIRMING: 'PAID', REVIEW: 'PAID' },
    review: { CONFIRMING: 'REVIEW' },
    refund: { REVIEW: 'REFUNDED' },
    cancel: { PENDING: 'CANCELLED' },
    expire: { PENDING: 'EXPIRED' },
    fail: { PENDING: 'FAILED' },
    reopen: { CONFIRMING: 'PENDING', REVIEW: 'PENDING', PAID: 'PENDING' },
  },
};

export const RECEIPT_STATES = [
  'SUSPENSE',
  'CREDITED',
  'REFUNDING',
  'REFUNDED',
  'TAKING_BACK',
  'TAKEN_BACK',
] as const;
export type ReceiptState = (typeof RECEIPT_STATES)[number];

/**
 * Money that arrived lies in suspense until it is credited to its payer, or until it has been sent back:
 * `send_back` is the decision, `refund` its end. One that was written by mistake is taken back by two persons: what
 * was credited of it is set aside while the second one is asked (TAKING_BACK), or kept where they say no.
 */
export const receiptLifecycle: Lifecycle<
  ReceiptState,
  'credit' | 'send_back' | 'refund' | 'ask_back' | 'keep' | 'take_back'
> = {
  statuses: RECEIPT_STATES,
  begins: ['SUSPENSE'],
  moves: {
    credit: { SUSPENSE: 'CREDITED' },
    send_back: { SUSPENSE: 'REFUNDING' },
    refund: { REFUNDING: 'REFUNDED' },
    ask_back: { CREDITED: 'TAKING_BACK' },
    keep: { TAKING_BACK: 'CREDITED' },
    take_back: { TAKING_BACK: 'TAKEN_BACK', SUSPENSE: 'TAKEN_BACK', REFUNDING: 'TAKEN_BACK' },
  },
};

/**
 * The way back of a receipt, or of a part of one. SENDING is tried, and what became of it is for its provider to
 * say; BY_HAND waits for a person, because nobody sends it by machine or because the provider refused it for good.
 * A part of a credited one is ASKED until it is approved, and RELEASED when it is its advertiser's to spend again, or
 * when its receipt was taken back: never while it may still be sent.
 */
export const REFUND_STATES = [
  'ASKED',
  'TO_SEND',
  'SENDING',
  'BY_HAND',
  'SENT',
  'RELEASED',
] as const;
export type RefundState = (typeof REFUND_STATES)[number];
export const MOVING_REFUND_STATES = ['TO_SEND', 'SENDING', 'BY_HAND'] as const;
/** Held, and neither sent nor given back. */
export const HELD_REFUND_STATES = ['ASKED', ...MOVING_REFUND_STATES] as const;

export const refundLifecycle: Lifecycle<
  RefundState,
  'approve' | 'try' | 'give_up' | 'again' | 'end' | 'release'
> = {
  statuses: REFUND_STATES,
  begins: ['TO_SEND', 'ASKED'],
  moves: {
    approve: { ASKED: 'TO_SEND' },
    try: { TO_SEND: 'SENDING' },
    give_up: { TO_SEND: 'BY_HAND', SENDING: 'BY_HAND' },
    again: { BY_HAND: 'TO_SEND' },
    end: { SENDING: 'SENT', BY_HAND: 'SENT' },
    release: { ASKED: 'RELEASED', BY_HAND: 'RELEASED' },
  },
};

/** An order in one of these may still take money; for any other it goes to suspense. */
export const OPEN_DEPOSIT_STATUSES: readonly DepositStatus[] = ['PENDING', 'CONFIRMING', 'REVIEW'];

const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;

/** How long an order waits for its money. */
export const DEPOSIT_EXPIRY_MS: Readonly<Record<DepositMethod, number>> = {
  ALIPAY: 30 * MINUTE_MS,
  WECHAT: 30 * MINUTE_MS,
  USDT: 60 * MINUTE_MS,
  BANK: 7 * DAY_MS,
  OFFLINE: 7 * DAY_MS,
};

/** Methods whose receipts an operator enters; of the others the provider says what came. */
export const OPERATOR_CONFIRMED_METHODS: readonly DepositMethod[] = ['BANK', 'OFFLINE'];

/**
 * What a payer writes on the transfer: an ISO 11649 creditor reference, `RF` + two check digits
 * (mod 97) + the order's number, so that a mistyped one is recognised.
 */
export function depositReference(depositId: number): string {
  const body = String(depositId).padStart(9, '0');
  const check = 98n - (BigInt(`${body}${RF_AS_DIGITS}00`) % 97n);
  return `RF${check.toString().padStart(2, '0')}${body}`;
}

/** True when the check digits fit; spaces and case do not matter. */
export function isDepositReference(text: string): boolean {
  const match = /^RF(\d{2})(\d{9,19})$/.exec(text.replace(/\s/g, '').toUpperCase());
  if (match === null) return false;
  return BigInt(`${match[2] ?? ''}${RF_AS_DIGITS}${match[1] ?? ''}`) % 97n === 1n;
}

/** R is 27 and F is 15 in ISO 7064's alphabet. */
const RF_AS_DIGITS = '2715';
