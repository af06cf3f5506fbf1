import {
  checkAddresses,
  count,
  type Env,
  given,
  group,
  paymentsOf,
  type TokenSettings,
} from './config-payments.ts';
import { SAMPLE_ORIGIN } from './domain/payout-terms.ts';

const DAY_SECONDS = 86_400;

interface Mode {
  production: boolean;
  faults: string[];
}

/** What payouts leave by; bank payouts are not offered where the origin is null. */
export const payoutsOf = (
  env: Env,
  mode: Mode,
): {
  origin: { name: string; iban: string; bic: string } | null;
  sandboxDir: string | null;
  accountWaitMs: number;
  paypal: PaypalSettings | null;
  paxum: PaxumSettings | null;
  usdt: UsdtPayoutSettings | null;
} => ({
  origin: payoutOrigin(env, mode),
  paypal: paypalOf(env, mode),
  paxum: paxumOf(env, mode),
  usdt: usdtPayoutsOf(env, mode),
  sandboxDir: given(env['PAYOUT_SANDBOX_DIR']) ?? null,
  accountWaitMs: accountWaitOf(env, mode),
});

function payoutOrigin(env: Env, { production, faults }: Mode) {
  const origin = {
    name: given(env['PAYOUT_DEBTOR_NAME']) ?? '',
    iban: (given(env['PAYOUT_DEBTOR_IBAN']) ?? '').replace(/\s/g, '').toUpperCase(),
    bic: (given(env['PAYOUT_DEBTOR_BIC']) ?? '').toUpperCase(),
  };
  const count = Object.values(origin).filter((value) => value !== '').length;
  if (count === 0) return production ? null : SAMPLE_ORIGIN;
  if (count < 3 || !/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(origin.iban)) {
    faults.push('PAYOUT_DEBTOR_NAME, _IBAN and _BIC belong together, and the IBAN must be one');
  }
  return origin;
}

/** A REST application of PayPal that may send payouts. */
interface PaypalSettings {
  api: string;
  clientId: string;
  secret: string;
}

function paypalOf(env: Env, { production, faults }: Mode): PaypalSettings | null {
  const paypal = group(env, 'PAYPAL', ['API', 'CLIENT_ID', 'SECRET'], faults);
  if (paypal === null) return null;
  checkAddresses({ PAYPAL_API: paypal.API }, production, faults);
  const api = paypal.API.replace(/\/+$/, '');
  return { api, clientId: paypal.CLIENT_ID, secret: paypal.SECRET };
}

/** A business account of Paxum, and the shared secret of its API. */
interface PaxumSettings {
  api: string;
  email: string;
  secret: string;
}

function paxumOf(env: Env, { production, faults }: Mode): PaxumSettings | null {
  const paxum = group(env, 'PAXUM', ['API', 'EMAIL', 'SECRET'], faults);
  if (paxum === null) return null;
  checkAddresses({ PAXUM_API: paxum.API }, production, faults);
  return { api: paxum.API, email: paxum.EMAIL, secret: paxum.SECRET };
}

/** The wallet that pays, on the chain of USDT_…; its key is the worker's alone. */
interface UsdtPayoutSettings extends Pick<
  TokenSettings,
  'rpc' | 'chainId' | 'contract' | 'confirmations'
> {
  address: string;
  key: string | null;
  dayLimitNanos: bigint;
  gasWeiMax: bigint;
}

const NANOS_PER_TOKEN = 1_000_000_000n;
const WEI_PER_GWEI = 1_000_000_000n;

function usdtPayoutsOf(env: Env, { production, faults }: Mode): UsdtPayoutSettings | null {
  const key = given(env['USDT_PAYOUT_KEY'])?.replace(/^0x/, '') ?? null;
  const address = given(env['USDT_PAYOUT_ADDRESS']);
  if (address === undefined) {
    if (key !== null) faults.push('USDT_PAYOUT_KEY needs USDT_PAYOUT_ADDRESS');
    return null;
  }
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) faults.push('USDT_PAYOUT_ADDRESS must be an address');
  // What it was is said nowhere.
  if (key !== null && !/^[0-9a-fA-F]{64}$/.test(key))
    faults.push('USDT_PAYOUT_KEY must be 32 bytes in hex');
  // Faults of the chain itself are told where top-ups read it.
  const { usdt } = paymentsOf(env, production, []);
  if (usdt === null) {
    faults.push(
      'USDT_PAYOUT_ADDRESS needs the chain: USDT_RPC, USDT_CONTRACT and the others of USDT',
    );
    return null;
  }
  const { rpc, chainId, contract, confirmations } = usdt;
  const dayLimit = count(env, 'USDT_PAYOUT_DAY_LIMIT', 10_000, faults);
  const gasGwei = count(env, 'USDT_PAYOUT_GAS_GWEI', 100, faults);
  return {
    rpc,
    chainId,
    contract,
    confirmations,
    address,
    key,
    dayLimitNanos: BigInt(dayLimit) * NANOS_PER_TOKEN,
    gasWeiMax: BigInt(gasGwei) * WEI_PER_GWEI,
  };
}

/** PAYOUT_ACCOUNT_WAIT_SECONDS: a day, and less in development only, so that a payout can be watched. */
function accountWaitOf(env: Env, { production, faults }: Mode): number {
  const seconds = count(env, 'PAYOUT_ACCOUNT_WAIT_SECONDS', DAY_SECONDS, faults);
  if (production && seconds < DAY_SECONDS) {
    faults.push('PAYOUT_ACCOUNT_WAIT_SECONDS must be a day or more in production');
  }
  return seconds * 1_000;
}
