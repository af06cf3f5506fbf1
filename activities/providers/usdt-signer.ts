import type { Nanos } from '../../domain/money.ts';
import { checksummed } from './evm-address.ts';
import {
  type AskNode,
  bigOf,
  blockOf,
  finalBlockOf,
  hexOf,
  NodeRefusal,
  numberOf,
} from './evm-node.ts';
import { addressOfKey, signTransfer, transferCall } from './evm-signing.ts';
import type { Fees, PayoutOrder, SignedBook, SignedPayment } from './payout-port.ts';

/** The wallet that pays USDT, on the chain that top-ups are watched on. */
export interface UsdtPayoutSettings {
  rpc: string;
  chainId: number;
  contract: string;
  confirmations: number;
  address: string;
  /** Of `address`, 32 bytes in hex; null where nothing is signed, as in the API. */
  key: string | null;
  /** The most that is signed within 24 hours, so that a stolen process cannot empty the wallet at once. */
  dayLimitNanos: Nanos;
  /** Nothing is signed while a unit of gas may cost more. */
  gasWeiMax: bigint;
}

/** A token of six decimals; what arrives is a whole number of them (domain/payout-terms.ts). */
export const NANOS_PER_TOKEN_UNIT = 1_000n;
const NOBODY = `0x${'00'.repeat(20)}`;

export const walletOf = ({ chainId, address }: UsdtPayoutSettings): string =>
  `${chainId}:${address.toLowerCase()}`;

/** Nothing was signed, and why. */
export class Unsigned extends Error {
  readonly isOrderWrong: boolean;
  constructor(reason: string, isOrderWrong = false) {
    super(reason);
    this.isOrderWrong = isOrderWrong;
  }
}

/** A payment that no block has taken for so long is offered more for. */
const STUCK_MS = 10 * 60_000;

export interface UsdtSigner {
  /** Answers the signed payment of an order; raises Unsigned where nothing was signed, and then nothing has left. */
  sign(order: PayoutOrder, book: SignedBook): Promise<SignedPayment>;
  /**
   * Signs a payment that is stuck again under its own number, at least an eighth dearer, as nodes ask, and at
   * today's price. Answers the newest bytes, which are the ones before where nothing more may or can be offered.
   */
  hurry(kept: SignedPayment, order: PayoutOrder, book: SignedBook): Promise<SignedPayment>;
}

export function createUsdtSigner(settings: UsdtPayoutSettings, ask: AskNode): UsdtSigner {
  const { chainId, contract, key } = settings;
  const address = settings.address.toLowerCase();
  const wallet = walletOf(settings);
  if (key !== null && addressOfKey(key).toLowerCase() !== address) {
    throw new Error('USDT_PAYOUT_KEY is not the key of USDT_PAYOUT_ADDRESS');
  }

  /** What it costs now, in wei for a unit of gas. */
  async function prices(): Promise<Fees> {
    const tipWei = bigOf(await ask('eth_maxPriorityFeePerGas'));
    const { baseFeePerGas } = await blockOf(ask, numberOf(await ask('eth_blockNumber')));
    return { tipWei, feeWeiMax: 2n * bigOf(baseFeePerGas) + tipWei };
  }

  async function tokensAt(block: number): Promise<Nanos> {
    const data = `0x70a08231${address.slice(2).padStart(64, '0')}`;
    return (
      bigOf(await ask('eth_call', { to: contract, data }, hexOf(block))) * NANOS_PER_TOKEN_UNIT
    );
  }

  const paymentOf = (order: PayoutOrder) => ({
    to: receiverOf(order, [contract, address]),
    units: unitsOf(order.amount),
  });
  const callOf = (payment: ReturnType<typeof paymentOf>) => ({
    from: address,
    to: contract,
    data: transferCall(payment),
  });

  /** What it may burn, more than it is known to need. */
  async function gasFor(payment: ReturnType<typeof paymentOf>, { feeWeiMax }: Fees) {
    if (feeWeiMax > settings.gasWeiMax) throw new Unsigned('GAS_TOO_DEAR');
    const gas = (bigOf(await rehearse(ask, callOf(payment))) * 3n) / 2n;
    const coins = bigOf(await ask('eth_getBalance', address, 'latest'));
    if (coins < gas * feeWeiMax) throw new Unsigned('GAS_FUNDS');
    return gas;
  }

  async function sign(order: PayoutOrder, book: SignedBook): Promise<SignedPayment> {
    const earlier = await book.kept();
    if (earlier !== null) return earlier;
    const payment = paymentOf(order);
    if (key === null) throw new Unsigned('NO_KEY');
    const fees = await prices();
    const floatNanos = await tokensAt(await finalBlockOf(ask, settings.confirmations));
    // Before the node is asked to rehearse it, which fails likewise.
    if (payment.units * NANOS_PER_TOKEN_UNIT > floatNanos) throw new Unsigned('FLOAT_EMPTY');
    const gas = await gasFor(payment, fees);
    const nonceMin = numberOf(await ask('eth_getTransactionCount', address, 'latest'));
    return await book.sign(wallet, nonceMin, ({ nonce, waitingNanos, dayNanos }) => {
      const nanos = payment.units * NANOS_PER_TOKEN_UNIT;
      if (waitingNanos + nanos > floatNanos) throw new Unsigned('FLOAT_EMPTY');
      if (dayNanos + nanos > settings.dayLimitNanos) throw new Unsigned('FLOAT_LIMIT');
      return { ...signTransfer({ chainId, nonce, gas, contract, ...fees, ...payment }, key), fees };
    });
  }

  async function offerMore(kept: SignedPayment, order: PayoutOrder, book: SignedBook) {
    // Another wallet's number is another payment, beside which the one before could still be carried out.
    if (key === null || kept.fees === null || kept.wallet !== wallet) return kept;
    const now = await prices();
    const fees = {
      tipWei: dearer(kept.fees.tipWei, now.tipWei),
      feeWeiMax: dearer(kept.fees.feeWeiMax, now.feeWeiMax),
    };
    const payment = paymentOf(order);
    const gas = await gasFor(payment, fees);
    const { nonce } = kept;
    return await book.replace(kept, () => ({
      ...signTransfer({ chainId, nonce, gas, contract, ...fees, ...payment }, key),
      fees,
    }));
  }

  async function hurry(kept: SignedPayment, order: PayoutOrder, book: SignedBook) {
    if (kept.ageMs < STUCK_MS) return kept;
    return await offerMore(kept, order, book).catch((error: unknown) => {
      if (error instanceof Unsigned) return kept;
      throw error;
    });
  }

  return { sign, hurry };
}

/** The gas of a call that would be carried out. */
async function rehearse(ask: AskNode, call: object): Promise<unknown> {
  try {
    return await ask('eth_estimateGas', call);
  } catch (error) {
    if (error instanceof NodeRefusal) throw new Unsigned('WOULD_REVERT');
    throw error;
  }
}

const dearer = (before: bigint, now: bigint): bigint => {
  const least = (before * 9n) / 8n + 1n;
  return now > least ? now : least;
};

/** What is never paid to: tokens sent to their own contract, or back to the wallet, reach nobody. */
export const isOwnAddress = (to: string, own: readonly string[]): boolean =>
  [NOBODY, ...own].includes(to.toLowerCase());

export function receiverOf({ destination }: PayoutOrder, own: readonly string[]): string {
  if (destination.channel !== 'USDT' || destination.network !== 'ERC20') {
    throw new Unsigned('NETWORK_NOT_OFFERED', true);
  }
  const { address } = destination;
  if (address !== checksummed(address)) throw new Unsigned('CHECKSUM', true);
  if (isOwnAddress(address, own)) throw new Unsigned('OWN_ADDRESS', true);
  return address;
}

/** `95.000000` as 95000000n; six decimals, neither more nor fewer. */
export function unitsOf(amount: string): bigint {
  if (!/^\d{1,12}\.\d{6}$/.test(amount)) throw new Unsigned('AMOUNT', true);
  return BigInt(amount.replace('.', ''));
}
