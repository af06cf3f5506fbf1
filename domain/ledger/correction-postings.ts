import type { Nanos } from '../money.ts';
import { type AccountCode, chart } from './chart.ts';
import type { Posting, PostingBatch, TransferType } from './postings.ts';

/** One event whose money moves, and the batch of its settlement: its shard and the UTC day it was earned on. */
export interface CorrectedMoney {
  advertiserId: number;
  campaignId: number;
  publisherId: number;
  shard: number;
  earnedOn: string;
  priceNanos: Nanos;
  publisherNanos: Nanos;
}

/** What of one publisher's earnings of a shard and day has neither matured nor been taken back. */
export interface Maturing {
  publisherId: number;
  shard: number;
  day: string;
  leftNanos: Nanos;
}

export interface Reversal {
  batch: PostingBatch;
  /** Taken out of earnings that still mature: these days mature so much less. */
  taken: Maturing[];
}

/**
 * Takes billed events back: advertisers get the whole price, the platform gives back its fee, publishers their
 * share: out of what still matures of the day that they earned it on, and what is gone from there as a debt.
 */
export function eventsReversed(
  { reversalId, number }: { reversalId: number; number: number },
  events: readonly CorrectedMoney[],
  maturing: readonly Maturing[],
): Reversal {
  const clearing = chart.correctionClearing();
  const left = new Map(maturing.map((each) => [keyOf(each), each.leftNanos]));
  const sums = new Sums();
  const taken = new Map<string, Maturing>();
  for (const event of events) {
    const { publisherId, shard, earnedOn: day, priceNanos, publisherNanos } = event;
    const key = keyOf({ publisherId, shard, day });
    const there = left.get(key) ?? 0n;
    const fromMaturing = there < publisherNanos ? there : publisherNanos;
    left.set(key, there - fromMaturing);
    const known = taken.get(key)?.leftNanos ?? 0n;
    taken.set(key, { publisherId, shard, day, leftNanos: known + fromMaturing });
    const publisher = { type: 'publisher', id: publisherId };
    const earned = chart.publisherEarned(publisherId, shard);
    const debt = chart.publisherDebt(publisherId);
    sums.add('EARNING_REVERSED', publisher, [earned, clearing, fromMaturing]);
    sums.add('EARNING_REVERSED', publisher, [debt, clearing, publisherNanos - fromMaturing]);
    const fee = priceNanos - publisherNanos;
    sums.add('FEE_REVERSED', null, [chart.platformRevenue(shard), clearing, fee]);
    const advertiser = chart.advertiserAvailable(event.advertiserId);
    const campaign = { type: 'campaign', id: event.campaignId };
    sums.add('SPEND_REVERSED', campaign, [clearing, advertiser, priceNanos]);
  }
  return {
    batch: {
      idempotencyKey: `reversal:${reversalId}:${number}`,
      kind: 'events_reversed',
      ref: { reversal_id: reversalId, events: events.length },
      postings: sums.inOrder(clearing),
    },
    taken: [...taken.values()].filter(({ leftNanos }) => leftNanos > 0n),
  };
}

/** Who pays for an event of an upheld appeal: its advertiser, or the platform that removed it wrongly. */
export type Payer = 'ADVERTISER' | 'PLATFORM';

/** Bills events that were removed wrongly. What the platform pays is the publisher's share: it owes itself no fee. */
export function eventsRestored(
  { appealId, number }: { appealId: number; number: number },
  events: readonly (Omit<CorrectedMoney, 'earnedOn'> & { payer: Payer })[],
): PostingBatch {
  const clearing = chart.correctionClearing();
  const sums = new Sums();
  for (const { payer, publisherId, shard, priceNanos, publisherNanos, ...event } of events) {
    const publisher = { type: 'publisher', id: publisherId };
    const earned = chart.publisherEarned(publisherId, shard);
    if (payer === 'PLATFORM') {
      const appeal = { type: 'removal_appeal', id: appealId };
      sums.add('APPEAL_COST', appeal, [chart.appealCost(), clearing, publisherNanos]);
    } else {
      const advertiser = chart.advertiserAvailable(event.advertiserId);
      const campaign = { type: 'campaign', id: event.campaignId };
      sums.add('SPEND_RESTORED', campaign, [advertiser, clearing, priceNanos]);
      const fee = priceNanos - publisherNanos;
      sums.add('FEE_RESTORED', null, [clearing, chart.platformRevenue(shard), fee]);
    }
    sums.add('EARNING_RESTORED', publisher, [clearing, earned, publisherNanos]);
  }
  return {
    idempotencyKey: `removal-appeal:${appealId}:restore:${number}`,
    kind: 'events_restored',
    ref: { appeal_id: appealId, events: events.length },
    postings: sums.inOrder(clearing),
  };
}

const keyOf = ({ publisherId, shard, day }: Omit<Maturing, 'leftNanos'>): string =>
  `${publisherId}:${shard}:${day}`;

/** One posting for all events between the same two accounts, about the same thing. */
class Sums {
  readonly #sums = new Map<string, Posting & { eventCount: number }>();

  add(
    type: TransferType,
    subject: Posting['subject'],
    [debit, credit, amountNanos]: [AccountCode, AccountCode, Nanos],
  ): void {
    if (amountNanos === 0n) return;
    const key = [debit, credit, type, subject?.id].join(' ');
    const sum = this.#sums.get(key) ?? {
      debit,
      credit,
      amountNanos: 0n,
      type,
      subject,
      eventCount: 0,
    };
    sum.amountNanos += amountNanos;
    sum.eventCount += 1;
    this.#sums.set(key, sum);
  }

  /** What fills the clearing stands before what empties it: it never goes below zero on the way. */
  inOrder(clearing: AccountCode): Posting[] {
    const all = [...this.#sums.values()];
    return [
      ...all.filter(({ credit }) => credit === clearing),
      ...all.filter(({ credit }) => credit !== clearing),
    ];
  }
}
