import { documentCents } from '../../domain/documents.ts';

const lines = (...amounts: bigint[]) =>
  amounts.map((amountNanos) => ({ type: 'SPEND', subject: null, transfers: 1, amountNanos }));

test('three lines of four tenths of a cent · on an invoice · are a cent, by a line of rounding', () => {
  const four = 4_000_000n;
  expect(
    documentCents({
      lines: lines(four, four, four),
      openingNanos: null,
      totalNanos: 3n * four,
      closingNanos: null,
    }),
  ).toEqual({
    lines: [0n, 0n, 0n],
    rounding: 10_000_000n,
    opening: null,
    total: 10_000_000n,
    closing: null,
  });
});

test.each([
  [3_000_000n, [2_000_000_000_000n, -4_004_000_000n, -2_168_000_000n, -1_036_000_000n]],
  [5_000_000n, [5_000_000n, 5_000_000n]],
  [-5_000_000n, [1n, -1n, 4_999_999n]],
  [0n, []],
])(
  'a statement that opens with %s · in cents · adds up, and the next one opens as it closes',
  (opening, amounts) => {
    const totalNanos = amounts.reduce((sum, each) => sum + each, 0n);
    const closingNanos = opening + totalNanos;
    const cents = documentCents({
      lines: lines(...amounts),
      openingNanos: opening,
      totalNanos,
      closingNanos,
    });
    const all = [...cents.lines, cents.rounding, cents.total, cents.opening, cents.closing];
    expect(all.filter((each) => each === null || each % 10_000_000n !== 0n)).toEqual([]);
    const sum = cents.lines.reduce((before, each) => before + each, cents.rounding);
    expect(sum).toBe(cents.total);
    expect((cents.opening ?? 0n) + sum).toBe(cents.closing);
    const next = documentCents({
      lines: [],
      openingNanos: closingNanos,
      totalNanos: 0n,
      closingNanos,
    });
    expect([next.opening, next.closing]).toEqual([cents.closing, cents.closing]);
  },
);
