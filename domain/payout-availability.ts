import type { PayoutChannel } from './lifecycle/withdrawal.ts';

/** What the platform has to pay with, by its configuration. */
export interface PayoutMeans {
  /** The bank account that money leaves from. */
  hasDebtorAccount: boolean;
  /** Somebody who carries out payouts of this channel. */
  hasProvider: boolean;
}

export type PayoutAvailability =
  | { available: true }
  | { available: false; reason: 'NO_DEBTOR_ACCOUNT' | 'NO_PROVIDER' };

/** Whether a withdrawal by this channel can be asked for at all. BANK is a file that an operator carries. */
export function payoutAvailability(channel: PayoutChannel, means: PayoutMeans): PayoutAvailability {
  if (channel === 'BANK') {
    return means.hasDebtorAccount
      ? { available: true }
      : { available: false, reason: 'NO_DEBTOR_ACCOUNT' };
  }
  return means.hasProvider ? { available: true } : { available: false, reason: 'NO_PROVIDER' };
}
