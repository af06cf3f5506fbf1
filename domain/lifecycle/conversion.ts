import type { Lifecycle } from './transition.ts';

/**
 * RECEIVED: its click is not judged yet. UNATTRIBUTED: no verified click of ours. EXPIRED: its click is
 * older than the window. PENDING: nobody signed it, and its advertiser may still reject it. ACCEPTED:
 * counts, not yet settled; BILLED and UNBILLED are what settlement made of it, UNBILLED also what
 * was counted before or followed a click that was refused.
 */
export const CONVERSION_STATUSES = [
  'RECEIVED',
  'PENDING',
  'ACCEPTED',
  'UNATTRIBUTED',
  'EXPIRED',
  'REJECTED',
  'BILLED',
  'UNBILLED',
] as const;
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];

/** Decided once, when its click was judged; billed once, by settlement. */
export const conversionLifecycle: Lifecycle<
  ConversionStatus,
  'disown' | 'expire' | 'hold' | 'accept' | 'drop' | 'reject' | 'bill' | 'refuse'
> = {
  statuses: CONVERSION_STATUSES,
  begins: ['RECEIVED'],
  moves: {
    disown: { RECEIVED: 'UNATTRIBUTED' },
    expire: { RECEIVED: 'EXPIRED' },
    hold: { RECEIVED: 'PENDING' },
    accept: { RECEIVED: 'ACCEPTED', PENDING: 'ACCEPTED' },
    drop: { RECEIVED: 'UNBILLED', PENDING: 'UNBILLED' },
    reject: { PENDING: 'REJECTED' },
    bill: { ACCEPTED: 'BILLED' },
    refuse: { ACCEPTED: 'UNBILLED' },
  },
};
