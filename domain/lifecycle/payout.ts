import type { Lifecycle } from './transition.ts';

const PAYOUT_STATES = [
  'READY',
  'SENDING',
  'FILE',
  'ACCEPTED',
  'UNKNOWN',
  'SETTLED',
  'REJECTED',
] as const;
export type PayoutState = (typeof PAYOUT_STATES)[number];

export type PayoutAction =
  | 'send'
  | 'requeue'
  | 'give_up'
  | 'accept'
  | 'lose_track'
  | 'post'
  | 'void';

/**
 * payouts.state: the order to the bank or provider. A bank's order begins as FILE, any other as READY.
 * SENDING is committed before the call, so from then on money may have left: what is not a plain
 * answer makes it UNKNOWN, and nothing leads from there back to READY. SETTLED and REJECTED are final.
 */
export const payoutLifecycle: Lifecycle<PayoutState, PayoutAction> = {
  statuses: PAYOUT_STATES,
  begins: ['READY', 'FILE'],
  moves: {
    send: { READY: 'SENDING' },
    // Provably nothing left: the flow sends it again.
    requeue: { SENDING: 'READY' },
    // By an operator, where it cannot be sent: the hold is void.
    give_up: { READY: 'REJECTED' },
    // The provider has it, and pays or refuses later.
    accept: { SENDING: 'ACCEPTED', ACCEPTED: 'ACCEPTED', UNKNOWN: 'ACCEPTED' },
    // The hold stays until somebody knows.
    lose_track: { SENDING: 'UNKNOWN', ACCEPTED: 'UNKNOWN', UNKNOWN: 'UNKNOWN' },
    // Paid: what was held leaves for good.
    post: { SENDING: 'SETTLED', FILE: 'SETTLED', ACCEPTED: 'SETTLED', UNKNOWN: 'SETTLED' },
    // Not paid, and never will be: the hold is void.
    void: {
      SENDING: 'REJECTED',
      FILE: 'REJECTED',
      ACCEPTED: 'REJECTED',
      UNKNOWN: 'REJECTED',
    },
  },
};

/** What sending can answer. NOT_SENT is only for what provably never left. */
export type PayoutAnswer = 'SETTLED' | 'ACCEPTED' | 'REJECTED' | 'NOT_SENT' | 'UNKNOWN';

/** Why nothing was sent where an account or wallet of ours is empty, and a person fills it. */
export const FLOAT_REASONS: readonly string[] = ['FLOAT_EMPTY', 'GAS_FUNDS', 'INSUFFICIENT_FUNDS'];

/** After these tries of an order that provably never left an operator says what is mended, or gives it up. */
export const SEND_TRIES_MAX = 6;

/**
 * What an answer does to the order that was sent; null when it comes too late to do anything. After
 * the order became UNKNOWN an answer still counts, except NOT_SENT: it would send the order again.
 * Once a look or an operator has said more, no answer counts.
 */
export function actionOfAnswer(state: PayoutState, answer: PayoutAnswer): PayoutAction | null {
  if (state !== 'SENDING' && (state !== 'UNKNOWN' || answer === 'NOT_SENT')) return null;
  return ACTION_OF_ANSWER[answer];
}

const ACTION_OF_ANSWER = {
  NOT_SENT: 'requeue',
  SETTLED: 'post',
  ACCEPTED: 'accept',
  REJECTED: 'void',
  UNKNOWN: 'lose_track',
} as const;

/** What a provider can answer to a look. NOT_FOUND proves nothing: the payment may show up yet. */
export type PayoutFound = 'SETTLED' | 'PENDING' | 'FAILED' | 'NOT_FOUND';

/** Only these are looked for: a bank's file no provider knows, and the others have ended or not begun. */
export const canBeLookedUp = (state: PayoutState): boolean =>
  state === 'ACCEPTED' || state === 'UNKNOWN';

/** On its way: only then is a payment of it signed. */
export const canBePaid = (state: PayoutState): boolean =>
  state === 'SENDING' || canBeLookedUp(state);

/** What a look does to an order that can be looked up; null leaves its state as it is. */
export const ACTION_OF_LOOK: Readonly<Record<PayoutFound, PayoutAction | null>> = {
  SETTLED: 'post',
  PENDING: 'accept',
  FAILED: 'void',
  NOT_FOUND: null,
};
