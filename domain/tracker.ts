import { invalid } from './errors.ts';
import type { Nanos } from './money.ts';

/** Words of a conversion tracker (interface 2.7). */
export const TRACKER_TYPES = ['PIXEL', 'POSTBACK', 'JS', 'IMPORT'] as const;

export const TRACKER_EVENT_TYPES = [
  'CUSTOM',
  'PURCHASE',
  'LEAD',
  'SIGNUP',
  'SUBSCRIBE',
  'INSTALL',
  'DEPOSIT',
  'ADD_TO_CART',
  'PAGE_VIEW',
] as const;

/** ONE: one conversion per click and event; EVERY: one per transaction id. */
export const COUNT_MODES = ['ONE', 'EVERY'] as const;

export { CONVERSION_STATUSES } from './lifecycle/conversion.ts';

/** What the statistics of a tracker can be broken down by. */
const TRACKER_DIMENSIONS = [
  'date',
  'hour',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'event_type',
] as const;
export type TrackerDimension = (typeof TRACKER_DIMENSIONS)[number];

const GROUP_BY_MAX = 3;

/** `date,campaign` to dimensions. Raises validation_failed for unknown, repeated and too many. */
export function readTrackerGroupBy(text: string): TrackerDimension[] {
  const named = text.split(',').map((part) => part.trim().toLowerCase());
  const isKnown = (part: string): part is TrackerDimension =>
    (TRACKER_DIMENSIONS as readonly string[]).includes(part);
  if (!named.every(isKnown)) {
    const message = `must be of: ${TRACKER_DIMENSIONS.join(', ')}`;
    throw invalid({ field: 'group_by', code: 'one_of', message });
  }
  if (named.length > GROUP_BY_MAX || new Set(named).size !== named.length) {
    const message = `at most ${GROUP_BY_MAX} different dimensions`;
    throw invalid({ field: 'group_by', code: 'max', message });
  }
  return named;
}

/** One group of conversions; every conversion is in exactly one of the first four. */
export interface ConversionCounts {
  /** Won by a verified click of ours inside the window, billed or not. */
  attributed: number;
  unattributed: number;
  expired: number;
  /** Their click is not judged yet. */
  received: number;
  /** Of the attributed: held, rejected by their advertiser, billed. */
  pending: number;
  rejected: number;
  billed: number;
  /** Of those in the platform's currency. */
  valueNanos: Nanos;
  /** Reported in another currency: counted above, their value is not. */
  foreign: number;
}

export function sumConversions(groups: readonly ConversionCounts[]): ConversionCounts {
  const total: ConversionCounts = {
    attributed: 0,
    unattributed: 0,
    expired: 0,
    received: 0,
    pending: 0,
    rejected: 0,
    billed: 0,
    valueNanos: 0n,
    foreign: 0,
  };
  for (const group of groups) {
    total.attributed += group.attributed;
    total.unattributed += group.unattributed;
    total.expired += group.expired;
    total.received += group.received;
    total.pending += group.pending;
    total.rejected += group.rejected;
    total.billed += group.billed;
    total.valueNanos += group.valueNanos;
    total.foreign += group.foreign;
  }
  return total;
}
