import type { Nanos } from '../money.ts';
import type { JudgedEvent } from './batch.ts';
import type { Reason } from './facts.ts';
import type { MarkBook } from './marks.ts';
import type { SpendingRoom } from './spending-room.ts';
import type { EventStatus } from './verdict.ts';

/** What was said of an event, or would be said now. */
export interface Said {
  status: EventStatus;
  reasons: Reason[];
  priceNanos: Nanos;
  publisherNanos: Nanos;
}

/** An event whose verdict or money would be another. */
export interface Rejudged {
  id: string;
  /** UTC day of receipt. */
  day: string;
  kind: string;
  advertiserId: number | null;
  publisherId: number | null;
  stored: Said;
  now: Said;
}

/** Null when all would be the same. */
export function differenceOf(id: string, stored: Said, again: JudgedEvent): Rejudged | null {
  const { event, verdict, ad, zone, priceNanos, publisherNanos } = again;
  const now = { status: verdict.status, reasons: verdict.reasons, priceNanos, publisherNanos };
  const isSame =
    stored.status === now.status &&
    stored.reasons.join() === now.reasons.join() &&
    stored.priceNanos === now.priceNanos &&
    stored.publisherNanos === now.publisherNanos;
  if (isSame) return null;
  return {
    id,
    day: event.day,
    kind: event.kind,
    advertiserId: ad?.advertiserId ?? null,
    publisherId: zone?.publisherId ?? null,
    stored,
    now,
  };
}

/** Room for every event that was not refused for want of it. */
export function roomAsItWas(reasons: ReadonlyMap<string, readonly Reason[]>): SpendingRoom {
  const wasRefused = (eventId: string | undefined, reason: Reason): boolean =>
    eventId !== undefined && reasons.get(eventId)?.includes(reason) === true;
  return {
    check: ({ eventId }) => ({
      overBudget: wasRefused(eventId, 'BUDGET_EXCEEDED'),
      overBalance: wasRefused(eventId, 'BALANCE_EXHAUSTED'),
    }),
    take: () => undefined,
    balance: () => 0n,
    spentOn: () => 0n,
    spentTotal: () => 0n,
    takenDays: () => [],
    takenTotals: () => [],
  };
}

/**
 * Where several shards judge, how many each had told of when cannot be found again: who was over a rate then is
 * over it now.
 */
export const ratesAsTheyWere = (
  book: MarkBook,
  reasons: ReadonlyMap<string, readonly Reason[]>,
): MarkBook => ({
  ...book,
  countRate: ({ id }) =>
    id !== undefined && reasons.get(id)?.includes('RATE_LIMIT') === true ? Infinity : 0,
});

export interface RejudgedSum {
  /** First reason; null is none. */
  from: Reason | null;
  to: Reason | null;
  events: number;
  /** Of now minus stored. */
  priceNanos: Nanos;
  publisherNanos: Nanos;
}

/** By what the first reason was and would be, most events first. */
export function sumRejudged(differing: readonly Rejudged[]): RejudgedSum[] {
  const sums = new Map<string, RejudgedSum>();
  for (const { stored, now } of differing) {
    const [from = null, to = null] = [stored.reasons[0], now.reasons[0]];
    const key = `${from}>${to}`;
    const sum = sums.get(key) ?? { from, to, events: 0, priceNanos: 0n, publisherNanos: 0n };
    sum.events += 1;
    sum.priceNanos += now.priceNanos - stored.priceNanos;
    sum.publisherNanos += now.publisherNanos - stored.publisherNanos;
    sums.set(key, sum);
  }
  return [...sums.values()].toSorted((a, b) => b.events - a.events);
}
