import type { Lifecycle } from './transition.ts';

const CONVERSION_STATUSES = ['ACCEPTED', 'UNATTRIBUTED', 'EXPIRED', 'BILLED', 'UNBILLED'] as const;
export type ConversionStatus = (typeof CONVERSION_STATUSES)[number];

/** An accepted conversion is judged once by settlement; the others are kept and never bill. */
export const conversionLifecycle: Lifecycle<ConversionStatus, 'bill' | 'refuse'> = {
  statuses: CONVERSION_STATUSES,
  begins: ['ACCEPTED', 'UNATTRIBUTED', 'EXPIRED', 'UNBILLED'],
  moves: { bill: { ACCEPTED: 'BILLED' }, refuse: { ACCEPTED: 'UNBILLED' } },
};
