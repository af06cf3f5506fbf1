import type { Lifecycle } from './transition.ts';

const CLICK_STATUSES = ['verify_pending', 'verified', 'valid', 'invalid', 'expired'] as const;
export type ClickStatus = (typeof CLICK_STATUSES)[number];

/**
 * interface 4.14: verified by the viewer's page in time, then judged once by settlement. Verified before its row was made, it
 * begins as verified.
 */
export const clickLifecycle: Lifecycle<ClickStatus, 'verify' | 'expire' | 'accept' | 'refuse'> = {
  statuses: CLICK_STATUSES,
  begins: ['verify_pending', 'verified'],
  moves: {
    verify: { verify_pending: 'verified' },
    expire: { verify_pending: 'expired' },
    accept: { verified: 'valid' },
    refuse: { verified: 'invalid' },
  },
};
