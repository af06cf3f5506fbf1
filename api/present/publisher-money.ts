import type { PublisherBalance, PublisherTransaction } from '../../db/queries/withdrawals.ts';
import { presentAmount } from '../../domain/money.ts';

/** decisions 2: `{currency, balance, withdrawable, maturing, held, paid_total}`. */
export function presentPublisherBalance(balance: PublisherBalance, currency: string) {
  const { withdrawableNanos, maturingNanos, heldNanos, paidTotalNanos } = balance;
  return {
    currency,
    balance: presentAmount(withdrawableNanos + maturingNanos + heldNanos),
    withdrawable: presentAmount(withdrawableNanos),
    maturing: presentAmount(maturingNanos),
    held: presentAmount(heldNanos),
    paid_total: presentAmount(paidTotalNanos),
  };
}

/** decisions 2: a transaction, with the balance it left. */
export function presentPublisherTransaction(row: PublisherTransaction) {
  return {
    id: row.id,
    type: row.type,
    amount: presentAmount(row.amountNanos),
    balance_after: presentAmount(row.balanceAfterNanos),
    currency: row.currency,
    subject: row.subjectType === null ? null : { type: row.subjectType, id: row.subjectId },
    description: row.type === 'EARNING' ? `Earnings of ${row.eventCount} events` : row.type,
    created_at: row.createdAt.toISOString(),
  };
}
