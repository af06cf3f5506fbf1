import { DEPOSIT_EXPIRY_MS, type DepositMethod } from './lifecycle/deposit.ts';
import { type Nanos, NANOS_PER_UNIT, parseAmount } from './money.ts';
import type { Settings } from './settings.ts';

/** What a payer is asked in: yuan by the Chinese wallets, tokens by a chain, else the platform's own. */
export const PAY_CURRENCIES = { ALIPAY: 'CNY', WECHAT: 'CNY', USDT: 'USDT' } as const;
export type RailMethod = keyof typeof PAY_CURRENCIES;
export type PayCurrency = (typeof PAY_CURRENCIES)[RailMethod];

export const RAIL_METHODS = Object.keys(PAY_CURRENCIES) as RailMethod[];

/** Methods whose provider says by itself that money came; operators enter the receipts of the others. */
export const isRail = (method: DepositMethod): method is RailMethod => method in PAY_CURRENCIES;

/** Methods whose provider sends money back when it is told to; of the others a person does it. */
export const sendsBack = (method: DepositMethod): boolean =>
  method === 'ALIPAY' || method === 'WECHAT';

/** One try at a way back, as its provider knows it: letters and digits, the same in every call. */
export const refundKey = (reference: string, refundId: number, attempt: number): string =>
  `${reference}B${refundId}N${attempt}`;

/** The smallest step of each: a fen; a millionth of a token. */
export const STEP_NANOS: Readonly<Record<PayCurrency, Nanos>> = { CNY: 10_000_000n, USDT: 1_000n };

/** Chains that a token is paid on: Ethereum's and TRON's. */
export const TOKEN_NETWORKS = ['ERC20', 'TRC20'] as const;
export type TokenNetwork = (typeof TOKEN_NETWORKS)[number];

/** Why a method cannot be used now. */
export const UNUSABLE_REASONS = ['NO_PROVIDER', 'NO_PAYEE_ACCOUNT'] as const;
export type UnusableReason = (typeof UNUSABLE_REASONS)[number];

export interface DepositTerms {
  method: DepositMethod;
  /** Null: it can be used. */
  unusable: UnusableReason | null;
  /** Chains on which its tokens can be sent, the one that is taken unasked first; none of money. */
  networks: readonly TokenNetwork[];
  minimumNanos: Nanos;
  expiresSeconds: number;
}

export const depositTerms = (
  settings: Settings,
  method: DepositMethod,
  { unusable, networks }: Pick<DepositTerms, 'unusable' | 'networks'>,
): DepositTerms => ({
  method,
  unusable,
  networks,
  minimumNanos: BigInt(settings[`deposit.minimum.${method}`]) * NANOS_PER_UNIT,
  expiresSeconds: DEPOSIT_EXPIRY_MS[method] / 1_000,
});

/** What is asked for an order, in nanos of the payer's currency, rounded up to what can be paid. */
export function payNanosOf(settings: Settings, amountNanos: Nanos, currency: PayCurrency): Nanos {
  const rate = currency === 'CNY' ? parseAmount(settings['deposit.cny_per_unit']) : NANOS_PER_UNIT;
  if (rate === undefined || rate <= 0n) throw new RangeError(`no rate of ${currency}`);
  const step = STEP_NANOS[currency] * NANOS_PER_UNIT;
  return ((amountNanos * rate + step - 1n) / step) * STEP_NANOS[currency];
}

/** What a payment is worth by the rate that its order has fixed; never more than was paid for. */
export function worthOf(paidNanos: Nanos, order: { payNanos: Nanos; amountNanos: Nanos }): Nanos {
  if (paidNanos === order.payNanos) return order.amountNanos;
  return (paidNanos * order.amountNanos) / order.payNanos;
}

/** On a chain the payer chooses the amount: what came is credited as it is, from the minimum on. */
export const takesAnyAmount = (method: DepositMethod): boolean => method === 'USDT';
