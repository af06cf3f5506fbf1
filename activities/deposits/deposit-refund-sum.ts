import type { Transaction } from 'sequelize';
import { inTransaction } from '../../db/postgres.ts';
import { payPartOf } from '../../domain/balance-refund.ts';
import { type PayCurrency, STEP_NANOS } from '../../domain/deposit-terms.ts';
import type { ActivityDeps } from '../deps.ts';
import { paymentOf, tried } from './deposit-payments.ts';
import { lockRefund, type Standing } from './deposit-refund-rows.ts';

interface Payment {
  paidNanos: bigint;
  payCurrency: string;
}

/**
 * What is sent back is what the provider says was paid, in the payer's own currency: all of it, or of a part what is
 * the part's. Fixed once, before the first try, while the receipt is locked. AWAY: it could not be asked. Any other
 * word: no machine can send it.
 */
export async function fixRefundSum(
  deps: ActivityDeps,
  standing: Standing,
): Promise<'FIXED' | 'AWAY' | 'NOT_THIS_PAYMENT' | 'TOO_SMALL'> {
  if (standing.refund.payNanos !== null) return 'FIXED';
  const payment = (await siblingPayment(deps, standing)) ?? (await askPayment(deps, standing));
  if (typeof payment === 'string') return payment;
  const { paidNanos, payCurrency } = payment;
  return await inTransaction(deps.db, async (tx) => {
    const { receipt, refund } = await lockRefund(deps, tx, standing.refund.id);
    if (refund.payNanos === null) {
      const others = await siblingsOf(deps, refund, tx);
      const payNanos = payPartOf(
        {
          amountNanos: receipt.amountNanos,
          paidNanos,
          stepNanos: STEP_NANOS[payCurrency as PayCurrency],
          others: others.flatMap(({ state, amountNanos, payNanos: pay }) =>
            state === 'RELEASED' || pay === null ? [] : [{ amountNanos, payNanos: pay }],
          ),
        },
        refund.amountNanos,
      );
      if (payNanos === 0n) return 'TOO_SMALL';
      await refund.update({ payNanos, payCurrency, paidNanos }, { transaction: tx });
    }
    standing.refund.set({
      payNanos: refund.payNanos,
      payCurrency: refund.payCurrency,
      paidNanos: refund.paidNanos,
    });
    return 'FIXED';
  });
}

/** As an earlier part of the same receipt was told: of what is back already a provider may say otherwise. */
async function siblingPayment(
  deps: ActivityDeps,
  { refund }: Standing,
): Promise<Payment | undefined> {
  for (const { paidNanos, payCurrency } of await siblingsOf(deps, refund)) {
    if (paidNanos !== null && payCurrency !== null) return { paidNanos, payCurrency };
  }
  return undefined;
}

/** The other parts of the same receipt. */
async function siblingsOf(
  deps: ActivityDeps,
  { id, receiptId }: Standing['refund'],
  tx?: Transaction,
): Promise<Standing['refund'][]> {
  const parts = await deps.db.models.depositRefunds.findAll({
    where: { receiptId },
    ...(tx === undefined ? {} : { transaction: tx }),
  });
  return parts.filter((part) => part.id !== id);
}

async function askPayment(
  deps: ActivityDeps,
  { receipt, deposit, provider }: Standing,
): Promise<Payment | 'AWAY' | 'NOT_THIS_PAYMENT'> {
  const { order } = await paymentOf(deps, deposit.id);
  const found = await tried(deps, deposit.id, provider, async (at) => await at.query(order));
  if (found === undefined) return 'AWAY';
  const { payCurrency } = order;
  const isThis =
    found.state === 'PAID' &&
    found.reference === receipt.providerReference &&
    found.currency === payCurrency;
  return isThis ? { paidNanos: found.paidNanos, payCurrency } : 'NOT_THIS_PAYMENT';
}
