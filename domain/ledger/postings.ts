import type { Nanos } from '../money.ts';
import { type AccountCode, chart } from './chart.ts';

/** Debit loses, credit gains. `type` is what a statement shows. */
export interface Posting {
  debit: AccountCode;
  credit: AccountCode;
  amountNanos: Nanos;
  type: TransferType;
  subject: { type: string; id: number } | null;
  eventCount?: number;
}

export const TRANSFER_TYPES = [
  'DEPOSIT_RECEIVED',
  'DEPOSIT',
  'DEPOSIT_REFUND',
  'SPEND',
  'EARNING',
  'PLATFORM_FEE',
  'EARNING_MATURED',
  'WITHDRAWAL_HOLD',
  'WITHDRAWAL_RELEASE',
  'WITHDRAWAL',
  'WITHDRAWAL_FEE',
  'WITHDRAWAL_TAX',
  'WITHDRAWAL_RETURNED',
  'WITHDRAWAL_TAX_RETURNED',
  'SPEND_REVERSED',
  'EARNING_REVERSED',
  'FEE_REVERSED',
  'DEBT_PAID',
  'SPEND_RESTORED',
  'EARNING_RESTORED',
  'FEE_RESTORED',
  'APPEAL_COST',
  'BALANCE_REFUND_HOLD',
  'BALANCE_REFUND_RELEASE',
  'BALANCE_REFUND',
  'RECEIPT_HOLD',
  'RECEIPT_RELEASE',
  'RECEIPT_TAKEN_BACK',
] as const;
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** One business event: its postings commit together under one idempotency key. */
export interface PostingBatch {
  idempotencyKey: string;
  kind: string;
  ref: Record<string, unknown>;
  postings: Posting[];
}

interface Receipt {
  receiptId: number;
  depositId: number;
  provider: string;
  amountNanos: Nanos;
}

/** Money arrived: in the books at once, in suspense until its flow has decided. */
export function depositReceived(receipt: Receipt): PostingBatch {
  return {
    idempotencyKey: `receipt:${receipt.receiptId}:received`,
    kind: 'deposit_received',
    ref: { deposit_id: receipt.depositId, receipt_id: receipt.receiptId },
    postings: [
      {
        debit: chart.world(receipt.provider),
        credit: chart.suspense(receipt.provider),
        amountNanos: receipt.amountNanos,
        type: 'DEPOSIT_RECEIVED',
        subject: { type: 'deposit', id: receipt.depositId },
      },
    ],
  };
}

/** Suspense to the advertiser's balance. */
export function depositCredited(receipt: Receipt & { advertiserId: number }): PostingBatch {
  return {
    idempotencyKey: `receipt:${receipt.receiptId}:credited`,
    kind: 'deposit_credited',
    ref: { deposit_id: receipt.depositId, receipt_id: receipt.receiptId },
    postings: [
      {
        debit: chart.suspense(receipt.provider),
        credit: chart.advertiserAvailable(receipt.advertiserId),
        amountNanos: receipt.amountNanos,
        type: 'DEPOSIT',
        subject: { type: 'deposit', id: receipt.depositId },
      },
    ],
  };
}

/** Suspense back to the sender. */
export function depositRefunded(receipt: Receipt): PostingBatch {
  return {
    idempotencyKey: `receipt:${receipt.receiptId}:refunded`,
    kind: 'deposit_refunded',
    ref: { deposit_id: receipt.depositId, receipt_id: receipt.receiptId },
    postings: [
      {
        debit: chart.suspense(receipt.provider),
        credit: chart.world(receipt.provider),
        amountNanos: receipt.amountNanos,
        type: 'DEPOSIT_REFUND',
        subject: { type: 'deposit', id: receipt.depositId },
      },
    ],
  };
}

export interface BilledTotals {
  /** Per campaign: what its advertiser pays for this batch's events. */
  spend: { advertiserId: number; campaignId: number; priceNanos: Nanos; events: number }[];
  /** Per zone's publisher: their share of the same events. */
  earnings: { publisherId: number; publisherNanos: Nanos; events: number }[];
}

/**
 * One settlement batch through a clearing account that nets to zero. The platform's fee is what is
 * left of the clearing, so advertisers' debits always equal publishers' credits plus the fee.
 */
export function billingBatch(key: string, shard: number, totals: BilledTotals): PostingBatch {
  const clearing = chart.billingClearing(shard);
  const postings: Posting[] = [];
  let feeNanos = 0n;
  let events = 0;
  for (const row of totals.spend) {
    if (row.priceNanos === 0n) continue;
    feeNanos += row.priceNanos;
    events += row.events;
    postings.push({
      debit: chart.advertiserAvailable(row.advertiserId),
      credit: clearing,
      amountNanos: row.priceNanos,
      type: 'SPEND',
      subject: { type: 'campaign', id: row.campaignId },
      eventCount: row.events,
    });
  }
  for (const row of totals.earnings) {
    if (row.publisherNanos === 0n) continue;
    feeNanos -= row.publisherNanos;
    postings.push({
      debit: clearing,
      credit: chart.publisherEarned(row.publisherId, shard),
      amountNanos: row.publisherNanos,
      type: 'EARNING',
      subject: { type: 'publisher', id: row.publisherId },
      eventCount: row.events,
    });
  }
  if (feeNanos < 0n) throw new RangeError('publishers would earn more than advertisers paid');
  if (feeNanos > 0n) {
    postings.push({
      debit: clearing,
      credit: chart.platformRevenue(shard),
      amountNanos: feeNanos,
      type: 'PLATFORM_FEE',
      subject: null,
      eventCount: events,
    });
  }
  return { idempotencyKey: key, kind: 'billing', ref: { shard, events }, postings };
}
