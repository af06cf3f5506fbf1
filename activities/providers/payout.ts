import { NEW_ACCOUNT_WAIT_MS, type PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { type PayoutAvailability, payoutAvailability } from '../../domain/payout-availability.ts';
import type { PaymentOrigin } from './bank-file.ts';
import type { PayoutProvider } from './payout-port.ts';
import { createPaypalPayouts, type PaypalSettings } from './payout-paypal.ts';
import { createPayoutSandbox } from './payout-sandbox.ts';

export interface PayoutSettings {
  /** The account that the platform pays from; null: bank files cannot be written. */
  origin: PaymentOrigin | null;
  /** Folder of the sandbox; null: only channels with a real counterpart pay. */
  sandboxDir: string | null;
  /** Null: PAYPAL is paid by nobody but the sandbox. */
  paypal?: PaypalSettings | null;
  /** How long an account that was named for the first time waits before it is paid to. */
  accountWaitMs?: number;
}

export interface Payouts {
  origin: PaymentOrigin | null;
  accountWaitMs: number;
  provider(channel: PayoutChannel): PayoutProvider | undefined;
  availability(channel: PayoutChannel): PayoutAvailability;
}

/** BANK is a file that an operator carries to the bank; USDT and PAXUM have no live provider yet. */
export function composePayouts(settings: PayoutSettings): Payouts {
  const { origin, sandboxDir, paypal = null, accountWaitMs = NEW_ACCOUNT_WAIT_MS } = settings;
  const sandbox = sandboxDir === null ? undefined : createPayoutSandbox(sandboxDir);
  const byPaypal = paypal === null ? sandbox : createPaypalPayouts(paypal);
  const provider = (channel: PayoutChannel): PayoutProvider | undefined => {
    if (channel === 'BANK') return undefined;
    return channel === 'PAYPAL' ? byPaypal : sandbox;
  };
  return {
    origin,
    accountWaitMs,
    provider,
    availability: (channel) =>
      payoutAvailability(channel, {
        hasDebtorAccount: origin !== null,
        hasProvider: provider(channel) !== undefined,
      }),
  };
}
