import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import {
  isRail,
  PAY_CURRENCIES,
  payNanosOf,
  type TokenNetwork,
} from '../../domain/deposit-terms.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import type { DepositMethod } from '../../domain/lifecycle/deposit.ts';
import { type Nanos, NANOS_PER_UNIT } from '../../domain/money.ts';
import type { DepositInput } from '../../workflows/contracts/deposit.ts';
import type { ActivityDeps } from '../deps.ts';
import type { Providers } from '../providers/compose.ts';

/** What a bank moves; wallets are asked for a sum of their own currency, which is rounded. */
const CENT_NANOS = NANOS_PER_UNIT / 100n;

/** What an advertiser asks for; `network` is of USDT alone, and the first that is offered where none is named. */
export interface OrderedDeposit {
  amountNanos: Nanos;
  paymentMethod: DepositMethod;
  network?: TokenNetwork | undefined;
}

/** Raises validation_failed for a method or chain that cannot be used or an amount below its minimum. */
export async function checkOrder(
  deps: ActivityDeps,
  tx: Transaction,
  order: OrderedDeposit,
): Promise<void> {
  const errors: FieldError[] = networkFaults(deps, order);
  if (deps.providers.rails.unusable(order.paymentMethod) !== null) {
    errors.push({
      field: 'payment_method',
      code: 'not_available',
      message: `${order.paymentMethod} is not configured on this platform.`,
    });
  }
  const settings = await loadSettings(runner(deps.db, tx));
  const minimum = settings[`deposit.minimum.${order.paymentMethod}`];
  if (order.amountNanos <= 0n || order.amountNanos < BigInt(minimum) * NANOS_PER_UNIT) {
    errors.push({ field: 'amount', code: 'min', message: `must be at least ${minimum}` });
  }
  if (!isRail(order.paymentMethod) && order.amountNanos % CENT_NANOS !== 0n) {
    errors.push({ field: 'amount', code: 'step', message: 'must be a multiple of 0.01' });
  }
  if (errors.length > 0) throw invalid(...errors);
}

function networkFaults(deps: ActivityDeps, order: OrderedDeposit): FieldError[] {
  const { paymentMethod, network } = order;
  const { networks } = deps.providers.rails;
  if (network === undefined || (paymentMethod === 'USDT' && networks.includes(network))) return [];
  return [
    paymentMethod === 'USDT'
      ? {
          field: 'network',
          code: 'not_available',
          message: `${network} is not configured on this platform.`,
        }
      : { field: 'network', code: 'exclusive', message: 'belongs to USDT alone' },
  ];
}

/** What the provider of this method is to ask for; null of a method that operators confirm. */
export async function askFor(
  deps: ActivityDeps,
  tx: Transaction,
  order: OrderedDeposit & { id: number },
): Promise<Pick<DepositInput, 'askEveryMs'>> {
  const { id: depositId, amountNanos, paymentMethod: method } = order;
  if (!isRail(method)) return {};
  const payCurrency = PAY_CURRENCIES[method];
  const { rails } = deps.providers;
  const network = method === 'USDT' ? (order.network ?? rails.networks[0] ?? null) : null;
  const settings = await loadSettings(runner(deps.db, tx));
  const payNanos = payNanosOf(settings, amountNanos, payCurrency);
  await deps.db.models.depositPayments.create(
    { depositId, payNanos, payCurrency, network },
    { transaction: tx },
  );
  return askedEvery(deps.providers, method);
}

/** How often a flow asks the provider of such an order. */
export const askedEvery = (
  { rails }: Pick<Providers, 'rails'>,
  method: DepositMethod,
): Pick<DepositInput, 'askEveryMs'> =>
  isRail(method) ? { askEveryMs: rails.askSeconds(method) * 1_000 } : {};
