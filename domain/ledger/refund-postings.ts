import type { Nanos } from '../money.ts';
import { chart } from './chart.ts';
import type { Posting, PostingBatch } from './postings.ts';

interface Refund {
  balanceRefundId: number;
  advertiserId: number;
  amountNanos: Nanos;
}

interface Part extends Refund {
  /** Of the way back. */
  refundId: number;
}

/** What is asked for cannot be spent from now on. */
export const balanceRefundHeld = (refund: Refund): PostingBatch => ({
  idempotencyKey: `balance_refund:${refund.balanceRefundId}:hold`,
  kind: 'balance_refund_held',
  ref: { balance_refund_id: refund.balanceRefundId },
  postings: [
    {
      ...move(refund, 'BALANCE_REFUND_HOLD'),
      debit: chart.advertiserAvailable(refund.advertiserId),
      credit: chart.advertiserRefundHold(refund.advertiserId),
    },
  ],
});

/** A part has been sent to where it came from. */
export const balanceRefundSent = (part: Part & { provider: string }): PostingBatch => ({
  idempotencyKey: `refund:${part.refundId}:sent`,
  kind: 'balance_refund_sent',
  ref: refOf(part),
  postings: [
    {
      ...move(part, 'BALANCE_REFUND'),
      debit: chart.advertiserRefundHold(part.advertiserId),
      credit: chart.world(part.provider),
    },
  ],
});

/** A part is not sent, and can be spent again. */
export const balanceRefundReleased = (part: Part): PostingBatch => ({
  idempotencyKey: `refund:${part.refundId}:released`,
  kind: 'balance_refund_released',
  ref: refOf(part),
  postings: [
    {
      ...move(part, 'BALANCE_REFUND_RELEASE'),
      debit: chart.advertiserRefundHold(part.advertiserId),
      credit: chart.advertiserAvailable(part.advertiserId),
    },
  ],
});

const refOf = ({ balanceRefundId, refundId }: Part) => ({
  balance_refund_id: balanceRefundId,
  refund_id: refundId,
});

const move = (
  { balanceRefundId, amountNanos }: Refund,
  type: Posting['type'],
): Pick<Posting, 'amountNanos' | 'type' | 'subject'> => ({
  amountNanos,
  type,
  subject: { type: 'balance_refund', id: balanceRefundId },
});
