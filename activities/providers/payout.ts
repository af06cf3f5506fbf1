import { NEW_ACCOUNT_WAIT_MS, type PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { type PayoutAvailability, payoutAvailability } from '../../domain/payout-availability.ts';
import type { TokenNetwork } from '../../domain/deposit-terms.ts';
import type { Destination } from '../withdrawals/payout-accounts.ts';
import type { PaymentOrigin } from './bank-file.ts';
import type { PayoutProvider } from './payout-port.ts';
import { createPaxumPayouts, type PaxumSettings } from './payout-paxum.ts';
import { createPaypalPayouts, type PaypalSettings } from './payout-paypal.ts';
import { createPayoutSandbox } from './payout-sandbox.ts';
import { createUsdtPayouts } from './payout-usdt.ts';
import { isOwnAddress, type UsdtPayoutSettings } from './usdt-signer.ts';

export interface PayoutSettings {
  /** The account that the platform pays from; null: bank files cannot be written. */
  origin: PaymentOrigin | null;
  /** Folder of the sandbox; null: only channels with a real counterpart pay. */
  sandboxDir: string | null;
  /** Null: PAYPAL is paid by nobody but the sandbox. */
  paypal?: PaypalSettings | null;
  /** Null: PAXUM likewise. */
  paxum?: PaxumSettings | null;
  /** Null: USDT likewise. */
  usdt?: UsdtPayoutSettings | null;
  /** How long an account that was named for the first time waits before it is paid to. */
  accountWaitMs?: number;
}

export interface Payouts {
  origin: PaymentOrigin | null;
  accountWaitMs: number;
  provider(channel: PayoutChannel): PayoutProvider | undefined;
  availability(channel: PayoutChannel): PayoutAvailability;
  /** That USDT is paid on. */
  networks: readonly TokenNetwork[];
  /** Why nothing is paid to such a destination, whoever owns it; null: it may be. */
  refusal(destination: Destination): DestinationRefusal | null;
}

type DestinationRefusal = 'NETWORK_NOT_OFFERED' | 'OWN_ADDRESS';

/** BANK is a file that an operator carries to the bank; the others pay by themselves where they are configured. */
export function composePayouts(settings: PayoutSettings): Payouts {
  const { origin, sandboxDir, paypal = null, paxum = null, usdt = null } = settings;
  const { accountWaitMs = NEW_ACCOUNT_WAIT_MS } = settings;
  const networks: readonly TokenNetwork[] = usdt === null ? ['ERC20', 'TRC20'] : ['ERC20'];
  const sandbox = sandboxDir === null ? undefined : createPayoutSandbox(sandboxDir);
  const providers: Readonly<Record<PayoutChannel, PayoutProvider | undefined>> = {
    BANK: undefined,
    USDT: usdt === null ? sandbox : createUsdtPayouts(usdt),
    PAYPAL: paypal === null ? sandbox : createPaypalPayouts(paypal),
    PAXUM: paxum === null ? sandbox : createPaxumPayouts(paxum),
  };
  const provider = (channel: PayoutChannel): PayoutProvider | undefined => providers[channel];
  return {
    origin,
    accountWaitMs,
    provider,
    availability: (channel) =>
      payoutAvailability(channel, {
        hasDebtorAccount: origin !== null,
        hasProvider: provider(channel) !== undefined,
      }),
    // A wallet signs for one kind of chain; the sandbox pays anything.
    networks,
    refusal(destination) {
      if (destination.channel !== 'USDT' || usdt === null) return null;
      if (!networks.includes(destination.network)) return 'NETWORK_NOT_OFFERED';
      const own = [usdt.contract, usdt.address.toLowerCase()];
      return isOwnAddress(destination.address, own) ? 'OWN_ADDRESS' : null;
    },
  };
}
