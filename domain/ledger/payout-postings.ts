import type { PayoutAmounts } from '../payout-terms.ts';
import { type AccountCode, chart } from './chart.ts';
import type { Posting, PostingBatch, TransferType } from './postings.ts';

/** What the postings of one withdrawal take, off its row. */
export interface WithdrawalMoney extends PayoutAmounts {
  id: number;
  publisherId: number;
  channel: string;
}

/** Requested: the amount can no longer be withdrawn a second time. Key `wd:<id>:hold`. */
export function withdrawalHeld(money: WithdrawalMoney): PostingBatch {
  return batch(money, 'hold', [
    move(money, 'WITHDRAWAL_HOLD', {
      debit: chart.publisherWithdrawable(money.publisherId),
      credit: chart.publisherHold(money.publisherId),
      amountNanos: money.amountNanos,
    }),
  ]);
}

/** Rejected, cancelled or failed: all of it goes back. Key `wd:<id>:release`. */
export function withdrawalVoided(money: WithdrawalMoney): PostingBatch {
  return batch(money, 'release', [
    move(money, 'WITHDRAWAL_RELEASE', {
      debit: chart.publisherHold(money.publisherId),
      credit: chart.publisherWithdrawable(money.publisherId),
      amountNanos: money.amountNanos,
    }),
  ]);
}

/** Paid: arrival to the outside world, fee to the platform, tax to be handed on. Key `wd:<id>:paid`. */
export function withdrawalPosted(money: WithdrawalMoney): PostingBatch {
  const debit = chart.publisherHold(money.publisherId);
  const parts: [TransferType, AccountCode, bigint][] = [
    ['WITHDRAWAL', chart.world(money.channel), money.arrivalNanos],
    ['WITHDRAWAL_FEE', chart.payoutFee(), money.feeNanos],
    ['WITHDRAWAL_TAX', chart.taxPayable(), money.taxNanos],
  ];
  return batch(
    money,
    'paid',
    parts
      .filter(([, , amountNanos]) => amountNanos > 0n)
      .map(([type, credit, amountNanos]) => move(money, type, { debit, credit, amountNanos })),
  );
}

/**
 * The bank sent it back: what had left is the publisher's again, and the tax on it, which nobody owes now; the
 * fee was earned. Key `wd:<id>:returned`.
 */
export function withdrawalReversed(money: WithdrawalMoney): PostingBatch {
  const credit = chart.publisherWithdrawable(money.publisherId);
  const parts: [TransferType, AccountCode, bigint][] = [
    ['WITHDRAWAL_RETURNED', chart.world(money.channel), money.arrivalNanos],
    ['WITHDRAWAL_TAX_RETURNED', chart.taxPayable(), money.taxNanos],
  ];
  return batch(
    money,
    'returned',
    parts
      .filter(([, , amountNanos]) => amountNanos > 0n)
      .map(([type, debit, amountNanos]) => move(money, type, { debit, credit, amountNanos })),
  );
}

const move = (
  { id }: WithdrawalMoney,
  type: TransferType,
  entry: Pick<Posting, 'debit' | 'credit' | 'amountNanos'>,
): Posting => ({ ...entry, type, subject: { type: 'withdrawal', id } });

const batch = ({ id }: WithdrawalMoney, step: string, postings: Posting[]): PostingBatch => ({
  idempotencyKey: `wd:${id}:${step}`,
  kind: `withdrawal_${step}`,
  ref: { withdrawal_id: id },
  postings,
});

export interface MaturedEarning {
  publisherId: number;
  shard: number;
  amountNanos: bigint;
}

/** Earnings of one day that are old enough. Key `mature:<day>:<run>`; the caller holds the day's lock. */
export function earningsMatured(
  day: string,
  run: number,
  earnings: readonly MaturedEarning[],
): PostingBatch {
  return {
    idempotencyKey: `mature:${day}:${run}`,
    kind: 'earnings_matured',
    ref: { day, run },
    postings: earnings.map(({ publisherId, shard, amountNanos }) => ({
      debit: chart.publisherEarned(publisherId, shard),
      credit: chart.publisherWithdrawable(publisherId),
      amountNanos,
      type: 'EARNING_MATURED',
      subject: { type: 'publisher', id: publisherId },
    })),
  };
}
