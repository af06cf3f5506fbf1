import fc from 'fast-check';
import {
  earningsMatured,
  withdrawalHeld,
  type WithdrawalMoney,
  withdrawalPosted,
  withdrawalVoided,
  withdrawalReversed,
} from '../../../domain/ledger/payout-postings.ts';
import type { PostingBatch } from '../../../domain/ledger/postings.ts';
import { payoutAmounts } from '../../../domain/payout-terms.ts';
import { netOf, netsOf } from '../../support/postings.ts';

const money: WithdrawalMoney = {
  id: 21,
  publisherId: 9,
  channel: 'PAYPAL',
  amountNanos: 1_000n,
  feeNanos: 20n,
  taxNanos: 100n,
  arrivalNanos: 880n,
};
const subject = { type: 'withdrawal', id: 21 };

describe('the steps of a withdrawal', () => {
  test.each([
    ['hold', withdrawalHeld, ['WITHDRAWAL_HOLD']],
    ['release', withdrawalVoided, ['WITHDRAWAL_RELEASE']],
    ['paid', withdrawalPosted, ['WITHDRAWAL', 'WITHDRAWAL_FEE', 'WITHDRAWAL_TAX']],
    ['returned', withdrawalReversed, ['WITHDRAWAL_RETURNED', 'WITHDRAWAL_TAX_RETURNED']],
  ] as const)('%s · posted twice · has one key and names its withdrawal', (step, posted, types) => {
    const batch = posted(money);
    expect(batch).toMatchObject({
      idempotencyKey: `wd:21:${step}`,
      kind: `withdrawal_${step}`,
      ref: { withdrawal_id: 21 },
    });
    expect(batch.postings.map(({ type }) => type)).toEqual(types);
    for (const posting of batch.postings) expect(posting.subject).toEqual(subject);
  });

  test('hold · the whole amount · leaves what can be withdrawn', () => {
    expect(netsOf(withdrawalHeld(money))).toEqual({
      'pub:9:withdrawable': -1_000n,
      'pub:9:hold': 1_000n,
    });
  });

  test('release · the whole amount · can be withdrawn again', () => {
    expect(netsOf(withdrawalVoided(money))).toEqual({
      'pub:9:hold': -1_000n,
      'pub:9:withdrawable': 1_000n,
    });
  });

  test('paid · the hold · is shared by the world, the platform and the tax office', () => {
    expect(netsOf(withdrawalPosted(money))).toEqual({
      'pub:9:hold': -1_000n,
      'w:paypal': 880n,
      'platform:payout_fee': 20n,
      'tax:payable': 100n,
    });
  });

  test('paid · without fee or tax · posts the arrival alone', () => {
    const { postings } = withdrawalPosted({
      ...money,
      feeNanos: 0n,
      taxNanos: 0n,
      arrivalNanos: 1_000n,
    });
    expect(postings.map(({ type }) => type)).toEqual(['WITHDRAWAL']);
  });

  test('returned · what had arrived · is the publisher’s again with the tax, the fee is not', () => {
    expect(netsOf(withdrawalReversed(money))).toEqual({
      'w:paypal': -880n,
      'pub:9:withdrawable': 980n,
      'tax:payable': -100n,
    });
  });
});

/** Any withdrawal that the terms of a channel may make. */
const withdrawals: fc.Arbitrary<WithdrawalMoney> = fc
  .record({
    cents: fc.bigInt({ min: 1n, max: 900_000_000n }),
    feeCents: fc.bigInt({ min: 0n, max: 100_000n }),
    feePpm: fc.integer({ min: 0, max: 500_000 }),
    taxPpm: fc.integer({ min: 0, max: 500_000 }),
  })
  .map(({ cents, feeCents, feePpm, taxPpm }) => ({
    ...money,
    ...payoutAmounts(cents * 10_000_000n, {
      channel: 'PAYPAL',
      minimumNanos: 0n,
      feeFixedNanos: feeCents * 10_000_000n,
      feePpm,
      taxPpm,
      minorNanos: 10_000_000n,
    }),
  }))
  .filter(({ arrivalNanos }) => arrivalNanos > 0n);

const totalOf = (batches: readonly PostingBatch[], prefix: string): bigint =>
  batches.reduce((sum, batch) => sum + netOf(batch, prefix), 0n);

test('held and paid · any terms · nothing stays on hold and what was asked for is all shared', () => {
  fc.assert(
    fc.property(withdrawals, (any) => {
      const batches = [withdrawalHeld(any), withdrawalPosted(any)];
      expect(totalOf(batches, 'pub:9:hold')).toBe(0n);
      expect(totalOf(batches, 'pub:9:withdrawable')).toBe(-any.amountNanos);
      expect(totalOf(batches, 'w:')).toBe(any.arrivalNanos);
      expect(totalOf(batches, 'platform:')).toBe(any.feeNanos);
      expect(totalOf(batches, 'tax:')).toBe(any.taxNanos);
      expect(totalOf(batches, '')).toBe(0n);
    }),
  );
});

test('held and released · any terms · leave everything as it was', () => {
  fc.assert(
    fc.property(withdrawals, (any) => {
      const batches = [withdrawalHeld(any), withdrawalVoided(any)];
      expect(totalOf(batches, 'pub:9:hold')).toBe(0n);
      expect(totalOf(batches, 'pub:9:withdrawable')).toBe(0n);
    }),
  );
});

test('paid and returned · any terms · cost the publisher the fee, and the world nothing', () => {
  fc.assert(
    fc.property(withdrawals, (any) => {
      const batches = [withdrawalHeld(any), withdrawalPosted(any), withdrawalReversed(any)];
      expect(totalOf(batches, 'w:')).toBe(0n);
      expect(totalOf(batches, 'pub:')).toBe(-any.feeNanos);
    }),
  );
});

describe('earnings that are old enough', () => {
  const earnings = [
    { publisherId: 9, shard: 0, amountNanos: 300n },
    { publisherId: 9, shard: 2, amountNanos: 45n },
    { publisherId: 12, shard: 0, amountNanos: 7n },
  ];

  test('matured · of several shards · gather on one account of each publisher', () => {
    expect(netsOf(earningsMatured('2026-01-31', 2, earnings))).toEqual({
      'pub:9:earned:0': -300n,
      'pub:9:earned:2': -45n,
      'pub:9:withdrawable': 345n,
      'pub:12:earned:0': -7n,
      'pub:12:withdrawable': 7n,
    });
  });

  test('matured · a run of a day · has a key of its own and names each publisher', () => {
    const batch = earningsMatured('2026-01-31', 2, earnings);
    expect(batch).toMatchObject({
      idempotencyKey: 'mature:2026-01-31:2',
      kind: 'earnings_matured',
      ref: { day: '2026-01-31', run: 2 },
    });
    expect(batch.postings.map(({ type, subject: of }) => [type, of])).toEqual([
      ['EARNING_MATURED', { type: 'publisher', id: 9 }],
      ['EARNING_MATURED', { type: 'publisher', id: 9 }],
      ['EARNING_MATURED', { type: 'publisher', id: 12 }],
    ]);
  });
});
