import type * as yup from 'yup';
import type { BalanceMove } from '../../db/queries/ledger-moves.ts';
import { presentAmount } from '../../domain/money.ts';
import { idOf, idOrNullOf, money, record, time, whole, words } from '../http/response-shapes.ts';

export const transactionShape = record(
  {
    id: idOf(),
    type: words(),
    /** Signed: what the balance gained. */
    amount: money(),
    balance_after: money(),
    currency: words(),
    subject: record({ type: words(), id: idOrNullOf() }).nullable(),
    /** In English. */
    description: words(),
    /** Billed events that it is of; 0 of what is of none. */
    events: whole().min(0),
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
    events: row.eventCount ?? 0,
    created_at: row.createdAt.toISOString(),
  };
}

type Description = (of: { subjectId: number | null; events: string }) => string;

const OF: Readonly<Partial<Record<BalanceMove['type'], Description>>> = {
  SPEND: ({ events }) => events.replace(' ', ' billed '),
  DEPOSIT: ({ subjectId }) => named('Top-up', subjectId),
  EARNING: ({ events }) => `Earnings of ${events}`,
  WITHDRAWAL: ({ subjectId }) => `Paid out by ${named('withdrawal', subjectId)}`,
  WITHDRAWAL_FEE: ({ subjectId }) => `Fee of ${named('withdrawal', subjectId)}`,
  WITHDRAWAL_TAX: ({ subjectId }) => `Tax of ${named('withdrawal', subjectId)}`,
  WITHDRAWAL_RETURNED: ({ subjectId }) =>
    `Sent back by the bank: ${named('withdrawal', subjectId)}`,
  WITHDRAWAL_TAX_RETURNED: ({ subjectId }) => `Tax given back: ${named('withdrawal', subjectId)}`,
  SPEND_REVERSED: ({ events }) => `Credited back: ${events} that should not have been billed`,
  EARNING_REVERSED: ({ events }) => `Taken back: earnings of ${events}`,
  SPEND_RESTORED: ({ events }) => `${events} billed after an appeal`,
  BALANCE_REFUND_HOLD: ({ subjectId }) => `Goes back to its payer: ${named('refund', subjectId)}`,
  BALANCE_REFUND_RELEASE: ({ subjectId }) => `Not sent back: ${named('refund', subjectId)}`,
  RECEIPT_HOLD: ({ subjectId }) => `Did not arrive after all: ${named('top-up', subjectId)}`,
  RECEIPT_RELEASE: ({ subjectId }) => `Did arrive: ${named('top-up', subjectId)}`,
  EARNING_RESTORED: ({ events }) => `Earnings of ${events} after your appeal`,
};

const named = (word: string, id: number | null): string => `${word} ${id ?? ''}`.trim();

/** Of the others no owner sees any: they lie outside, or within one owner's accounts. */
function describe({ type, subjectId, eventCount }: BalanceMove): string {
  const events = `${eventCount} ${eventCount === 1 ? 'event' : 'events'}`;
  return OF[type]?.({ subjectId, events }) ?? type;
}
