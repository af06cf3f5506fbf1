import fc from 'fast-check';
import { formatAmount, parseAmount, presentAmount, shareOf } from '../../domain/money.ts';

/** Whole micros: what the wire can say. */
const micros = fc.integer({ min: 0, max: 9_000_000_000_000 });

test.each([
  [0, 0n],
  [1, 1_000_000_000n],
  [0.000001, 1_000n],
  [12.5, 12_500_000_000n],
  ['12.50', 12_500_000_000n],
  [' 7 ', 7_000_000_000n],
  [9_000_000, 9_000_000_000_000_000n],
  [19.990000000000002, 19_990_000_000n],
  [0.1 + 0.2, 300_000_000n],
  [1.1 * 1.1 * 100, 121_000_000_000n],
  [8_999_999.1 + 0.2, 8_999_999_300_000_000n],
] as const)('parse · %p · is exact', (value, nanos) => {
  expect(parseAmount(value)).toBe(nanos);
});

test.each([
  -1,
  '-1',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  1e-7,
  1e-17,
  0.123_456_7,
  '0.0000001',
  '19.990000000000002',
  9_000_000.000_001,
  '9000000.000001',
  9_000_001,
  '1e3',
  '1,5',
  '.5',
  '',
  null,
  undefined,
  true,
  10n,
])('parse · %p · is no amount', (value) => {
  expect(parseAmount(value)).toBeUndefined();
});

test('wire · any amount of six decimals · comes back as it was', () => {
  fc.assert(
    fc.property(micros, (count) => {
      const nanos = BigInt(count) * 1_000n;
      expect(parseAmount(presentAmount(nanos).toFixed(6))).toBe(nanos);
      expect(parseAmount(formatAmount(nanos))).toBe(nanos);
    }),
  );
});

test.each([
  [499n, 0],
  [500n, 0.000001],
  [1_499n, 0.000001],
  [-499n, 0],
  [-500n, -0.000001],
  [-12_500_000_000n, -12.5],
] as const)('present · %p nanos · is rounded half away from zero', (nanos, shown) => {
  expect(presentAmount(nanos)).toBe(shown);
});

test.each([
  [0n, '0'],
  [12_500_000_000n, '12.5'],
  [1_234n, '0.000001234'],
  [-1n, '-0.000000001'],
  [-2_000_000_000n, '-2'],
] as const)('format · %p nanos · is told to the last nano', (nanos, text) => {
  expect(formatAmount(nanos)).toBe(text);
});

test('share · any price · is floored, and the remainder is less than a nano', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 9_000_000_000_000_000n }),
      fc.integer({ min: 0, max: 1_000_000 }),
      (priceNanos, sharePpm) => {
        const exact = priceNanos * BigInt(sharePpm);
        const left = exact - shareOf(priceNanos, sharePpm) * 1_000_000n;
        expect(left >= 0n && left < 1_000_000n).toBe(true);
      },
    ),
  );
});
