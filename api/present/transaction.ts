import type * as yup from 'yup';
import type { BalanceMove } from '../../db/queries/ledger-moves.ts';
import { presentAmount } from '../../domain/money.ts';
import { idOf, idOrNullOf, money, record, time, words } from '../http/response-shapes.ts';

export const transactionShape = record(
  {
    id: idOf(),
    type: words(),
    /** Signed: what the balance gained. */
    amount: money(),
    balance_after: money(),
    currency: words(),
    subject: record({ type: words(), id: idOrNullOf() }).nullable(),
    description: words(),
    created_at: time(),
  },
  'Transaction',
);

/** interface 2.1: what moved the balance of an advertiser or a publisher, with the balance it left. */
export function presentTransaction(row: BalanceMove): yup.InferType<typeof transactionShape> {
  return {
    id: row.id,
    type: row.type,
    amount: presentAmount(row.amountNanos),
    balance_after: presentAmount(row.balanceAfterNanos),
    currency: row.currency,
    subject: row.subjectType === null ? null : { type: row.subjectType, id: row.subjectId },
    description: describe(row),
    created_at: row.createdAt.toISOString(),
  };
}

function describe({ type, subjectId, eventCount }: BalanceMove): string {
  const events = eventCount === 1 ? 'event' : 'events';
  const named = (word: string): string => `${word} ${subjectId ?? ''}`.trim();
  switch (type) {
    case 'SPEND':
      return `${eventCount} billed ${events}`;
    case 'DEPOSIT':
      return named('Deposit');
    case 'EARNING':
      return `Earnings of ${eventCount} ${events}`;
    case 'WITHDRAWAL':
      return `Paid out by ${named('withdrawal')}`;
    case 'WITHDRAWAL_FEE':
      return `Fee of ${named('withdrawal')}`;
    case 'WITHDRAWAL_TAX':
      return `Tax of ${named('withdrawal')}`;
    case 'WITHDRAWAL_RETURNED':
      return `Sent back by the bank: ${named('withdrawal')}`;
    // No owner sees these: they lie outside, or within one owner's accounts.
    case 'DEPOSIT_RECEIVED':
    case 'DEPOSIT_REFUND':
    case 'PLATFORM_FEE':
    case 'EARNING_MATURED':
    case 'WITHDRAWAL_HOLD':
    case 'WITHDRAWAL_RELEASE':
      return type;
  }
}
