import type { TransitionTable } from './transition.ts';

export type AccountStatus = 'ACTIVE' | 'SUSPENDED';

/** Moved by operators only; both moves revoke the account's tokens. */
export const accountTransitions: TransitionTable<AccountStatus, 'suspend' | 'restore'> = {
  suspend: { ACTIVE: 'SUSPENDED' },
  restore: { SUSPENDED: 'ACTIVE' },
};
