/**
 * Money is integer nanos (1e-9 of the platform currency) as bigint. A CPM price with six decimals
 * divides by 1000 without a remainder, so an impression's charge is exact (interface 2.1).
 */
export type Nanos = bigint;

export const NANOS_PER_UNIT = 1_000_000_000n;
/** Wire amounts carry at most six decimals. */
const NANOS_PER_MICRO = 1_000n;
/** Largest wire amount: 9 000 000 units keeps six decimals exact in a JSON number. */
export const WIRE_UNITS_MAX = 9_000_000;
const WIRE_NANOS_MAX = BigInt(WIRE_UNITS_MAX) * NANOS_PER_UNIT;

/**
 * What a sum of floats is off by (0.1 + 0.2 is 0.30000000000000004), far below the least amount: a
 * seventh decimal that somebody wrote is no noise.
 */
const NOISE_UNITS_MAX = 1e-8;

/**
 * Wire amount to nanos. Takes a JSON number, whose float noise is rounded away, or a decimal string;
 * undefined when it is not a finite non-negative amount of at most six decimals.
 */
export function parseAmount(value: unknown): Nanos | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  if (typeof value === 'number' && (!Number.isFinite(value) || value < 0)) return undefined;
  // A number such as 1e-7 prints in exponent form and is refused with the rest.
  const text = typeof value === 'number' ? String(withoutNoise(value)) : value.trim();
  const match = /^(\d{1,10})(?:\.(\d{1,6}))?$/.exec(text);
  if (!match) return undefined;
  const units = BigInt(match[1] ?? '0');
  const nanos = units * NANOS_PER_UNIT + BigInt((match[2] ?? '').padEnd(9, '0'));
  return nanos > WIRE_NANOS_MAX ? undefined : nanos;
}

function withoutNoise(value: number): number {
  const rounded = Math.round(value * 1e6) / 1e6;
  const isNoise = rounded > 0 && Math.abs(value - rounded) < NOISE_UNITS_MAX;
  return isNoise ? rounded : value;
}

/** Nanos to the wire: a JSON number with at most six decimals, rounded half away from zero. */
export function presentAmount(amountNanos: Nanos): number {
  const sign = amountNanos < 0n ? -1n : 1n;
  const micros = (amountNanos * sign + NANOS_PER_MICRO / 2n) / NANOS_PER_MICRO;
  return Number(sign * micros) / 1e6;
}

/** Exact decimal text of an amount, for statements and messages: `12.5`, `0.000001234`. */
export function formatAmount(amountNanos: Nanos): string {
  const sign = amountNanos < 0n ? '-' : '';
  const absolute = amountNanos < 0n ? -amountNanos : amountNanos;
  const fraction = (absolute % NANOS_PER_UNIT).toString().padStart(9, '0').replace(/0+$/, '');
  return `${sign}${absolute / NANOS_PER_UNIT}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Floored share in parts per million: what the publisher gets; the platform keeps the remainder. */
export function shareOf(priceNanos: Nanos, sharePpm: number): Nanos {
  return (priceNanos * BigInt(sharePpm)) / 1_000_000n;
}
