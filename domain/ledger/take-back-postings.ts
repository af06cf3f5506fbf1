import type { Nanos } from '../money.ts';
import { chart } from './chart.ts';
import type { Posting, PostingBatch } from './postings.ts';

interface TakeBack {
  /** What two persons agree on. */
  approvalId: number;
  receiptId: number;
  depositId: number;
  amountNanos: Nanos;
}

/** What was credited by a receipt that is to be taken back cannot be spent while the second person is asked. */
export const takeBackHeld = (of: TakeBack & { advertiserId: number }): PostingBatch =>
  batch(of, 'hold', {
    type: 'RECEIPT_HOLD',
    debit: chart.advertiserAvailable(of.advertiserId),
    credit: chart.advertiserRefundHold(of.advertiserId),
  });

/** The receipt stands: it can be spent again. */
export const takeBackReleased = (of: TakeBack & { advertiserId: number }): PostingBatch =>
  batch(of, 'release', {
    type: 'RECEIPT_RELEASE',
    debit: chart.advertiserRefundHold(of.advertiserId),
    credit: chart.advertiserAvailable(of.advertiserId),
  });

/** The money never came: out of the books by the way that it was written in, from wherever it is. */
export const receiptTakenBack = (
  of: TakeBack & { provider: string; /** Null: it was never credited. */ heldOf: number | null },
): PostingBatch =>
  batch(of, 'done', {
    type: 'RECEIPT_TAKEN_BACK',
    debit: of.heldOf === null ? chart.suspense(of.provider) : chart.advertiserRefundHold(of.heldOf),
    credit: chart.world(of.provider),
  });

const KINDS = {
  hold: 'receipt_take_back_held',
  release: 'receipt_take_back_released',
  done: 'receipt_taken_back',
} as const;

const batch = (
  { approvalId, receiptId, depositId, amountNanos }: TakeBack,
  step: keyof typeof KINDS,
  sides: Pick<Posting, 'type' | 'debit' | 'credit'>,
): PostingBatch => ({
  idempotencyKey: `take_back:${approvalId}:${step}`,
  kind: KINDS[step],
  ref: { deposit_id: depositId, receipt_id: receiptId, approval_id: approvalId },
  postings: [{ ...sides, amountNanos, subject: { type: 'deposit', id: depositId } }],
});
