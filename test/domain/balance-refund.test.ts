import fc from 'fast-check';
import { payPartOf, planRefund, refundableOf, returnStepOf } from '../../domain/balance-refund.ts';

const FEN = 10_000_000n;
const anyNanos = fc.bigInt({ min: 1n, max: 10n ** 15n });
const anyReceipts = fc
  .array(anyNanos, { minLength: 1, maxLength: 8 })
  .map((sums) => sums.map((leftNanos, at) => ({ receiptId: at + 1, leftNanos, stepNanos: 1n })));

describe('which receipts a sum is taken from', () => {
  test('any sum that they have · the newest in full, and only the last in part', () => {
    fc.assert(
      fc.property(anyReceipts, fc.bigInt({ min: 1n, max: 10n ** 15n }), (receipts, wanted) => {
        const all = receipts.reduce((sum, { leftNanos }) => sum + leftNanos, 0n);
        const parts = planRefund(receipts, wanted);
        if (wanted > all) return parts === undefined;
        const taken = parts?.reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
        const isInOrder = parts?.every(
          ({ receiptId, amountNanos }, at) =>
            receiptId === at + 1 &&
            (at === parts.length - 1 || amountNanos === receipts[at]?.leftNanos),
        );
        return taken === wanted && isInOrder === true;
      }),
    );
  });

  test.each([0n, -1n])('%s · is no sum', (sum) => {
    expect(planRefund([{ receiptId: 1, leftNanos: 5n, stepNanos: 1n }], sum)).toBeUndefined();
  });

  test('most that can go back · never more than is there, nor than was paid in', () => {
    const receipts = [{ receiptId: 1, leftNanos: 5n, stepNanos: 1n }];
    const of = (balanceNanos: bigint, pendingNanos = 0n, paidIn = receipts): bigint =>
      refundableOf({ balanceNanos, pendingNanos, receipts: paidIn });
    expect([of(9n), of(3n), of(9n, 0n, []), of(-3n)]).toEqual([5n, 3n, 0n, 0n]);
    // What is held may still have to be paid.
    expect([of(9n, 4n), of(9n, 6n), of(3n, 3n), of(3n, 4n)]).toEqual([5n, 3n, 0n, 0n]);
  });
});

describe('what can be sent', () => {
  const methods = ['BANK', 'OFFLINE', 'USDT', 'ALIPAY', 'WECHAT'] as const;
  const anyPaid = fc
    .array(fc.record({ leftNanos: anyNanos, method: fc.constantFrom(...methods) }), {
      minLength: 1,
      maxLength: 8,
    })
    .map((paid) =>
      paid.map(({ leftNanos, method }, at) => ({
        receiptId: at + 1,
        leftNanos,
        method,
        stepNanos: returnStepOf(method),
      })),
    );

  test('all of any balance · is planned · in parts that a bank or a chain can carry, and less than a step stays', () => {
    fc.assert(
      fc.property(anyPaid, fc.bigInt({ min: 0n, max: 10n ** 16n }), (receipts, balance) => {
        const most = refundableOf({ balanceNanos: balance, pendingNanos: 0n, receipts });
        const parts = planRefund(receipts, most) ?? [];
        const stepOf = (id: number) => receipts[id - 1]?.stepNanos ?? 0n;
        const isSendable = parts.every((part) => part.amountNanos % stepOf(part.receiptId) === 0n);
        const left = receipts.reduce((sum, { leftNanos }) => sum + leftNanos, 0n);
        const whole = balance < left ? balance : left;
        const taken = parts.reduce((sum, { amountNanos }) => sum + amountNanos, 0n);
        return (
          isSendable &&
          taken === most &&
          most <= whole &&
          whole - most < BigInt(receipts.length) * FEN
        );
      }),
    );
  });

  test('of a bank’s receipt · 1,998.128 of a balance · is 1,998.12, and a thousandth more is no sum', () => {
    const receipt = {
      receiptId: 1,
      leftNanos: 2_000_000_000_000n,
      stepNanos: returnStepOf('BANK'),
    };
    expect(
      refundableOf({
        balanceNanos: 1_998_128_000_000n,
        pendingNanos: 0n,
        receipts: [receipt],
      }),
    ).toBe(1_998_120_000_000n);
    expect(planRefund([receipt], 1_998_121_000_000n)).toBeUndefined();
  });
});

describe('what a part is in the payer’s currency', () => {
  /** Sends these shares of a receipt one after the other; what is refused of them is as if it had never been. */
  const sendAll = (
    amountNanos: bigint,
    paidNanos: bigint,
    cuts: readonly { nanos: bigint; isKept: boolean }[],
  ) => {
    const others: { amountNanos: bigint; payNanos: bigint }[] = [];
    let left = amountNanos;
    const send = (nanos: bigint, isKept: boolean): void => {
      const payNanos = payPartOf({ amountNanos, paidNanos, stepNanos: FEN, others }, nanos);
      expect(payNanos % FEN).toBe(0n);
      if (!isKept) return;
      others.push({ amountNanos: nanos, payNanos });
      left -= nanos;
    };
    for (const { nanos, isKept } of cuts) {
      const part = nanos > left ? left : nanos;
      if (part > 0n) send(part, isKept);
    }
    if (left > 0n) send(left, true);
    return others.reduce((sum, { payNanos }) => sum + payNanos, 0n);
  };

  test('any parts of any receipt · are together just what was paid', () => {
    fc.assert(
      fc.property(
        anyNanos,
        fc.bigInt({ min: 1n, max: 10n ** 8n }),
        fc.array(fc.record({ nanos: anyNanos, isKept: fc.boolean() }), { maxLength: 12 }),
        (amountNanos, fen, cuts) => sendAll(amountNanos, fen * FEN, cuts) === fen * FEN,
      ),
    );
  });

  test('any parts of less than all · never more than their share', () => {
    fc.assert(
      fc.property(anyNanos, anyNanos, fc.bigInt({ min: 1n, max: 10n ** 8n }), (a, b, fen) => {
        const amountNanos = a + b;
        const receipt = { amountNanos, paidNanos: fen * FEN, stepNanos: FEN, others: [] };
        return payPartOf(receipt, a) * amountNanos <= fen * FEN * a;
      }),
    );
  });

  test('less than its currency has · is nothing', () => {
    const receipt = { amountNanos: 10n ** 9n, paidNanos: FEN, stepNanos: FEN, others: [] };
    expect(payPartOf(receipt, 1n)).toBe(0n);
  });
});
