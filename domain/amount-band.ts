import { type Nanos, NANOS_PER_UNIT } from './money.ts';

/** How much money is meant, coarsely: what lists outside the platform may be told of a sum. */
const AMOUNT_BANDS = ['UNDER_100', 'FROM_100', 'FROM_1K', 'FROM_10K', 'FROM_100K'] as const;
type AmountBand = (typeof AMOUNT_BANDS)[number];

const LIMITS = [100n, 1_000n, 10_000n, 100_000n];

export function amountBand(amount: Nanos): AmountBand {
  const above = LIMITS.filter((limit) => amount >= limit * NANOS_PER_UNIT).length;
  return AMOUNT_BANDS[above] ?? 'FROM_100K';
}
