import type { Lifecycle } from './transition.ts';

/**
 * UNATTRIBUTED: no verified click of ours. EXPIRED: its click is older than the window. ACCEPTED:
 * attributed, not yet settled; BILLED and UNBILLED are what settlement made of it.
 */
export const CONVERSION_STATUSES = [
  'ACCEPTED',
  'UNATTRIBUTED',
  'EXPIRED',
  'BILLED',
  'UNBILLED',
] as const;
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];

/** An accepted conversion is judged once by settlement; the others are kept and never bill. */
export const conversionLifecycle: Lifecycle<ConversionStatus, 'bill' | 'refuse'> = {
  statuses: CONVERSION_STATUSES,
  begins: ['ACCEPTED', 'UNATTRIBUTED', 'EXPIRED', 'UNBILLED'],
  moves: { bill: { ACCEPTED: 'BILLED' }, refuse: { ACCEPTED: 'UNBILLED' } },
};
