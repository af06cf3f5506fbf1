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

/**
 * payouts.state: the order to the provider. SENDING is committed before the call, so whatever is not
 * a plain answer is UNKNOWN and never READY again. SETTLED and REJECTED are final.
 */
export const payoutLifecycle: Lifecycle<
  PayoutState,
  'write_file' | 'send' | 'accept' | 'lose' | 'hand_back' | 'settle' | 'reject'
> = {
  statuses: PAYOUT_STATES,
  begins: ['READY', 'FILE'],
  moves: {
    write_file: { READY: 'FILE' },
    send: { READY: 'SENDING' },
    accept: { SENDING: 'ACCEPTED', UNKNOWN: 'ACCEPTED', ACCEPTED: 'ACCEPTED' },
    lose: { SENDING: 'UNKNOWN', ACCEPTED: 'UNKNOWN', UNKNOWN: 'UNKNOWN' },
    hand_back: { SENDING: 'READY' },
    settle: { SENDING: 'SETTLED', FILE: 'SETTLED', ACCEPTED: 'SETTLED', UNKNOWN: 'SETTLED' },
    reject: {
      READY: 'REJECTED',
      SENDING: 'REJECTED',
      FILE: 'REJECTED',
      ACCEPTED: 'REJECTED',
      UNKNOWN: 'REJECTED',
    },
  },
};
