import type { Transaction } from 'sequelize';
import { runner } from '../../db/postgres.ts';
import { loadSettings } from '../../db/settings.ts';
import { isRail, PAY_CURRENCIES, payNanosOf } from '../../domain/deposit-terms.ts';
import { type FieldError, invalid } from '../../domain/errors.ts';
import type { DepositMethod } from '../../domain/lifecycle/deposit.ts';
import { type Nanos, NANOS_PER_UNIT } from '../../domain/money.ts';
import type { DepositInput } from '../../workflows/contracts/deposit.ts';
import type { ActivityDeps } from '../deps.ts';

/** Raises validation_failed for a method that cannot be used or an amount below its minimum. */
export async function checkOrder(
  deps: ActivityDeps,
  tx: Transaction,
  order: { amountNanos: Nanos; paymentMethod: DepositMethod },
): Promise<void> {
  const errors: FieldError[] = [];
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
  if (errors.length > 0) throw invalid(...errors);
}

/** What the provider of this method is to ask for; null of a method that operators confirm. */
export async function askFor(
  deps: ActivityDeps,
  tx: Transaction,
  order: { id: number; amountNanos: Nanos; paymentMethod: DepositMethod },
): Promise<Pick<DepositInput, 'askEveryMs'>> {
  const { id: depositId, amountNanos, paymentMethod: method } = order;
  if (!isRail(method)) return {};
  const payCurrency = PAY_CURRENCIES[method];
  const settings = await loadSettings(runner(deps.db, tx));
  const payNanos = payNanosOf(settings, amountNanos, payCurrency);
  await deps.db.models.depositPayments.create(
    { depositId, payNanos, payCurrency },
    { transaction: tx },
  );
  return { askEveryMs: deps.providers.rails.askSeconds(method) * 1_000 };
}
