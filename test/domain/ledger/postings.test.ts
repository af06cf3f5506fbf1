import fc from 'fast-check';
import {
  billingBatch,
  type BilledTotals,
  depositCredited,
  depositReceived,
  depositRefunded,
} from '../../../domain/ledger/postings.ts';
import { netOf, netsOf } from '../../support/postings.ts';

const AMOUNT = 12_345_678_901n;
const receipt = { receiptId: 11, depositId: 5, provider: 'BANK', amountNanos: AMOUNT };
const ofReceipt = { deposit_id: 5, receipt_id: 11 };
const subject = { type: 'deposit', id: 5 };

describe('a deposit', () => {
  test('received · any owner · comes from the world and waits in suspense', () => {
    const batch = depositReceived(receipt);
    expect(netsOf(batch)).toEqual({ 'w:bank': -AMOUNT, 'suspense:bank': AMOUNT });
    expect(batch).toMatchObject({
      idempotencyKey: 'receipt:11:received',
      kind: 'deposit_received',
      ref: ofReceipt,
      postings: [{ type: 'DEPOSIT_RECEIVED', subject }],
    });
  });

  test('credited · its advertiser · is given what waited in suspense', () => {
    const batch = depositCredited({ ...receipt, advertiserId: 7 });
    expect(netsOf(batch)).toEqual({ 'suspense:bank': -AMOUNT, 'adv:7:available': AMOUNT });
    expect(batch).toMatchObject({
      idempotencyKey: 'receipt:11:credited',
      kind: 'deposit_credited',
      ref: ofReceipt,
      postings: [{ type: 'DEPOSIT', subject }],
    });
  });

  test('refunded · its sender · is given what waited in suspense', () => {
    const batch = depositRefunded(receipt);
    expect(netsOf(batch)).toEqual({ 'suspense:bank': -AMOUNT, 'w:bank': AMOUNT });
    expect(batch).toMatchObject({
      idempotencyKey: 'receipt:11:refunded',
      kind: 'deposit_refunded',
      ref: ofReceipt,
      postings: [{ type: 'DEPOSIT_REFUND', subject }],
    });
  });
});

const SHARD = 3;
const totals: BilledTotals = {
  spend: [
    { advertiserId: 1, campaignId: 10, priceNanos: 1_000n, events: 2 },
    { advertiserId: 2, campaignId: 20, priceNanos: 501n, events: 1 },
  ],
  earnings: [{ publisherId: 9, publisherNanos: 1_050n, events: 3 }],
};

describe('a billing batch', () => {
  test('postings · two campaigns and a publisher · name who pays, who earns and what is left', () => {
    const batch = billingBatch('settle:3:4', SHARD, totals);
    const clearing = 'clearing:billing:3';
    expect(batch).toEqual({
      idempotencyKey: 'settle:3:4',
      kind: 'billing',
      ref: { shard: SHARD, events: 3 },
      postings: [
        {
          debit: 'adv:1:available',
          credit: clearing,
          amountNanos: 1_000n,
          type: 'SPEND',
          subject: { type: 'campaign', id: 10 },
          eventCount: 2,
        },
        {
          debit: 'adv:2:available',
          credit: clearing,
          amountNanos: 501n,
          type: 'SPEND',
          subject: { type: 'campaign', id: 20 },
          eventCount: 1,
        },
        {
          debit: clearing,
          credit: 'pub:9:earned:3',
          amountNanos: 1_050n,
          type: 'EARNING',
          subject: { type: 'publisher', id: 9 },
          eventCount: 3,
        },
        {
          debit: clearing,
          credit: 'platform:revenue:3',
          amountNanos: 451n,
          type: 'PLATFORM_FEE',
          subject: null,
          eventCount: 3,
        },
      ],
    });
  });

  test('money · any totals · what advertisers pay is earnings plus fee, to the nano', () => {
    fc.assert(
      fc.property(billed, (rows) => {
        const batch = billingBatch('k', SHARD, totalsOf(rows));
        const paid = rows.reduce((sum, { priceNanos }) => sum + priceNanos, 0n);
        const earned = rows.reduce((sum, row) => sum + earnedOf(row), 0n);
        expect(netOf(batch, 'adv:')).toBe(-paid);
        expect(netOf(batch, 'pub:')).toBe(earned);
        expect(netOf(batch, 'platform:revenue:')).toBe(paid - earned);
        expect(netOf(batch, 'clearing:')).toBe(0n);
        expect(netOf(batch, '')).toBe(0n);
      }),
    );
  });

  test('money · any totals · no posting moves nothing or backwards', () => {
    fc.assert(
      fc.property(billed, (rows) => {
        const { postings } = billingBatch('k', SHARD, totalsOf(rows));
        for (const { amountNanos } of postings) expect(amountNanos).toBeGreaterThan(0n);
      }),
    );
  });

  test('fee · the publisher earns all of it · is not posted', () => {
    const { postings } = billingBatch('k', SHARD, {
      spend: [{ advertiserId: 1, campaignId: 10, priceNanos: 5n, events: 1 }],
      earnings: [{ publisherId: 9, publisherNanos: 5n, events: 1 }],
    });
    expect(postings.map(({ type }) => type)).toEqual(['SPEND', 'EARNING']);
  });

  test('fee · a single nano is left · is posted', () => {
    const batch = billingBatch('k', SHARD, {
      spend: [{ advertiserId: 1, campaignId: 10, priceNanos: 5n, events: 1 }],
      earnings: [{ publisherId: 9, publisherNanos: 4n, events: 1 }],
    });
    expect(netOf(batch, 'platform:')).toBe(1n);
  });

  test('postings · only events without a price · there are none', () => {
    const batch = billingBatch('k', SHARD, {
      spend: [{ advertiserId: 1, campaignId: 10, priceNanos: 0n, events: 4 }],
      earnings: [{ publisherId: 9, publisherNanos: 0n, events: 4 }],
    });
    expect(batch).toMatchObject({ ref: { events: 0 }, postings: [] });
  });

  test('earnings · a nano above what was paid · are refused', () => {
    const batch = (publisherNanos: bigint) => () =>
      billingBatch('k', SHARD, {
        ...totals,
        earnings: [{ publisherId: 9, publisherNanos, events: 3 }],
      });
    expect(batch(1_501n)).not.toThrow();
    expect(batch(1_502n)).toThrow(RangeError);
  });
});

interface Billed {
  advertiserId: number;
  publisherId: number;
  priceNanos: bigint;
  sharePpm: bigint;
}

const billed: fc.Arbitrary<Billed[]> = fc.array(
  fc.record({
    advertiserId: fc.integer({ min: 1, max: 4 }),
    publisherId: fc.integer({ min: 1, max: 4 }),
    priceNanos: fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n }),
    sharePpm: fc.bigInt({ min: 0n, max: 1_000_000n }),
  }),
  { maxLength: 12 },
);

const earnedOf = ({ priceNanos, sharePpm }: Billed): bigint => (priceNanos * sharePpm) / 1_000_000n;

const totalsOf = (rows: readonly Billed[]): BilledTotals => ({
  spend: rows.map(({ advertiserId, priceNanos }, index) => ({
    advertiserId,
    campaignId: index,
    priceNanos,
    events: 1,
  })),
  earnings: rows.map((row) => ({
    publisherId: row.publisherId,
    publisherNanos: earnedOf(row),
    events: 1,
  })),
});
