import { NEW_ACCOUNT_WAIT_MS, type PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { type PayoutAvailability, payoutAvailability } from '../../domain/payout-availability.ts';
import type { PaymentOrigin } from './bank-file.ts';
import type { PayoutProvider } from './payout-port.ts';
import { createPayoutSandbox } from './payout-sandbox.ts';

export interface PayoutSettings {
  /** The account that the platform pays from; null: bank files cannot be written. */
  origin: PaymentOrigin | null;
  /** Folder of the sandbox; null: only channels with a real counterpart pay. */
  sandboxDir: string | null;
  /** How long an account that was named for the first time waits before it is paid to. */
  accountWaitMs?: number;
}

export interface Payouts {
  origin: PaymentOrigin | null;
  accountWaitMs: number;
  provider(channel: PayoutChannel): PayoutProvider | undefined;
  availability(channel: PayoutChannel): PayoutAvailability;
}

/** BANK is a file that an operator carries to the bank; no other channel has a live provider yet. */
export function composePayouts(settings: PayoutSettings): Payouts {
  const { origin, sandboxDir, accountWaitMs = NEW_ACCOUNT_WAIT_MS } = settings;
  const sandbox = sandboxDir === null ? undefined : createPayoutSandbox(sandboxDir);
  const means = { hasDebtorAccount: origin !== null, hasProvider: sandbox !== undefined };
  return {
    origin,
    accountWaitMs,
    provider: (channel) => (channel === 'BANK' ? undefined : sandbox),
    availability: (channel) => payoutAvailability(channel, means),
  };
}
