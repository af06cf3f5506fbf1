import type { FieldError } from '../errors.ts';
import type { Nanos } from '../money.ts';

/**
 * interface 2.4: per dimension, an upper-cased value to a percentage of -90..500. Normalised on
 * save, applied on serve; zero entries and empty dimensions are never stored.
 */
export interface BidAdjustments {
  device?: Record<string, number>;
  geo?: Record<string, number>;
  os?: Record<string, number>;
}

const ADJUSTMENT_PERCENT_MIN = -90;
const ADJUSTMENT_PERCENT_MAX = 500;
/** More than there are countries; bounds what one row can cost the auction. */
export const ADJUSTMENT_ENTRIES_MAX = 300;
const VALUE_LENGTH_MAX = 64;
/** Percentages keep six decimals, so that applying them is integer arithmetic. */
const PERCENT_SCALE = 1_000_000;
const FIELD = 'bid_adjustments';

const DIMENSIONS = ['device', 'geo', 'os'] as const;
type Dimension = (typeof DIMENSIONS)[number];

export type NormalisedBidAdjustments =
  | { ok: true; adjustments: BidAdjustments | null }
  | { ok: false; errors: FieldError[] };

/**
 * What is stored for what an advertiser sent. A wrong dimension or a wrong shape is refused with
 * every fault named; an entry that is 0 or no number is dropped (interface 2.4); nothing left is null.
 */
export function normaliseBidAdjustments(input: unknown): NormalisedBidAdjustments {
  if (input === null || input === undefined) return { ok: true, adjustments: null };
  if (!isMap(input)) return { ok: false, errors: [typeError(FIELD)] };

  const errors: FieldError[] = [];
  const adjustments: BidAdjustments = {};
  for (const [key, entries] of Object.entries(input)) {
    const field = `${FIELD}.${key}`;
    if (!isDimension(key)) {
      errors.push({ field, code: 'unknown_field', message: 'Only device, geo and os are known.' });
    } else if (entries !== null && !isMap(entries)) {
      errors.push(typeError(field));
    } else if (entries !== null && Object.keys(entries).length > ADJUSTMENT_ENTRIES_MAX) {
      const message = `At most ${ADJUSTMENT_ENTRIES_MAX} entries.`;
      errors.push({ field, code: 'max', message });
    } else if (entries !== null) {
      const kept = normaliseEntries(entries, field, errors);
      if (Object.keys(kept).length > 0) adjustments[key] = kept;
    }
  }
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, adjustments: Object.keys(adjustments).length === 0 ? null : adjustments };
}

function normaliseEntries(
  entries: Record<string, unknown>,
  field: string,
  errors: FieldError[],
): Record<string, number> {
  // No prototype: an entry named like a method of Object is an entry, nothing else.
  const kept = Object.create(null) as Record<string, number>;
  for (const [name, raw] of Object.entries(entries)) {
    const value = name.trim().toUpperCase();
    if (value.length > VALUE_LENGTH_MAX) {
      const message = `A value has at most ${VALUE_LENGTH_MAX} characters.`;
      errors.push({ field: `${field}.${name.slice(0, VALUE_LENGTH_MAX)}`, code: 'max', message });
      continue;
    }
    const percent = readPercent(raw);
    if (value !== '' && percent !== undefined && percent !== 0) kept[value] = percent;
  }
  return kept;
}

/** A number or its decimal text, clamped and cut to six decimals; undefined when unparseable. */
function readPercent(raw: unknown): number | undefined {
  const isText = typeof raw === 'string' && raw.trim() !== '';
  if (typeof raw !== 'number' && !isText) return undefined;
  const parsed = Number(raw);
  if (!Number.isFinite(parsed)) return undefined;
  const clamped = Math.min(ADJUSTMENT_PERCENT_MAX, Math.max(ADJUSTMENT_PERCENT_MIN, parsed));
  return Math.round(clamped * PERCENT_SCALE) / PERCENT_SCALE;
}

/** All or nothing: an ad group with any adjustment of its own ignores the campaign's (interface 2.4). */
export function effectiveAdjustments(
  campaign: BidAdjustments | null,
  adGroup: BidAdjustments | null,
): BidAdjustments | null {
  return adGroup ?? campaign;
}

export interface BidTraits {
  device: string;
  /** ISO 3166-1 alpha-2, upper case; null when unknown, which no entry matches. */
  country: string | null;
  os: string;
}

/**
 * The bid after adjustment, in nanos, never negative; 0 means not eligible (interface 2.4).
 * `bidBaseNanos` is not negative.
 */
export function applyBidAdjustments(
  bidBaseNanos: Nanos,
  adjustments: BidAdjustments | null,
  traits: BidTraits,
): Nanos {
  if (adjustments === null) return bidBaseNanos;
  // Sum first, then clamp: two -60 % matches leave a bid of 0, not 16 % (interface 2.4).
  const factor =
    100 * PERCENT_SCALE +
    scaledPercent(adjustments.device, traits.device) +
    scaledPercent(adjustments.geo, traits.country) +
    scaledPercent(adjustments.os, traits.os);
  if (factor <= 0) return 0n;
  return (bidBaseNanos * BigInt(factor)) / BigInt(100 * PERCENT_SCALE);
}

/** The least that any viewer brings it to: nobody's bid after adjustment is below it. */
export const leastBid = (bidBaseNanos: Nanos, adjustments: BidAdjustments | null): Nanos =>
  furthestBid(bidBaseNanos, adjustments, Math.min);

/** The most that any viewer brings it to. */
export const mostBid = (bidBaseNanos: Nanos, adjustments: BidAdjustments | null): Nanos =>
  furthestBid(bidBaseNanos, adjustments, Math.max);

function furthestBid(
  bidBaseNanos: Nanos,
  adjustments: BidAdjustments | null,
  furthest: (...percents: number[]) => number,
): Nanos {
  const sum = Object.values(adjustments ?? {}).reduce((all, entries: Record<string, number>) => {
    const percent = furthest(0, ...Object.values(entries));
    return all + Math.round(percent * PERCENT_SCALE);
  }, 0);
  const factor = Math.max(0, 100 * PERCENT_SCALE + sum);
  return (bidBaseNanos * BigInt(factor)) / BigInt(100 * PERCENT_SCALE);
}

function scaledPercent(entries: Record<string, number> | undefined, value: string | null): number {
  if (entries === undefined || value === null || !Object.hasOwn(entries, value)) return 0;
  return Math.round((entries[value] ?? 0) * PERCENT_SCALE);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isDimension = (key: string): key is Dimension =>
  (DIMENSIONS as readonly string[]).includes(key);

const typeError = (field: string): FieldError => ({
  field,
  code: 'type',
  message: 'Must be an object.',
});
