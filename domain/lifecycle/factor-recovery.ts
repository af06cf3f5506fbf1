import type { Lifecycle } from './transition.ts';

export const FACTOR_RECOVERY_STATUSES = [
  'WAITING',
  'GRANTED',
  'REFUSED',
  'VOID',
  'LAPSED',
] as const;
export type FactorRecoveryStatus = (typeof FACTOR_RECOVERY_STATUSES)[number];

/** interface 5.17: granted by two persons, refused by one, void by its person, lapsed by itself. */
export const factorRecoveryLifecycle: Lifecycle<
  FactorRecoveryStatus,
  'grant' | 'refuse' | 'void' | 'lapse'
> = {
  statuses: FACTOR_RECOVERY_STATUSES,
  begins: ['WAITING'],
  moves: {
    grant: { WAITING: 'GRANTED' },
    refuse: { WAITING: 'REFUSED' },
    void: { WAITING: 'VOID' },
    lapse: { WAITING: 'LAPSED' },
  },
};
