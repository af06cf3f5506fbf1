import type { Lifecycle } from './transition.ts';

const ACCOUNT_STATUSES = ['ACTIVE', 'SUSPENDED'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** accounts.status and operators.status. Moved by operators only; both moves revoke the account's tokens. */
export const accountLifecycle: Lifecycle<AccountStatus, 'suspend' | 'restore'> = {
  statuses: ACCOUNT_STATUSES,
  begins: ['ACTIVE'],
  moves: { suspend: { ACTIVE: 'SUSPENDED' }, restore: { SUSPENDED: 'ACTIVE' } },
};
