import type { EventKind } from './facts.ts';

/**
 * Events per kind, viewer and minute, refused ones included, of one shard. Where there are several, each
 * knows of the others what they have told of viewers near a limit.
 */
export interface RateCounts {
  /** Counts one and answers the count; a minute that is not known begins at none. */
  count(kind: EventKind, viewerKey: string, receivedAtMs: number): number;
  /** The count so far, without counting. */
  counted(kind: EventKind, viewerKey: string, receivedAtMs: number): number;
  /** Whether everything judged of the minute is counted. */
  knows(minute: number): boolean;
  /** From now on what is counted of the minute is all of it. */
  learn(minute: number): void;
  /** Forgets minutes, least recently counted in first, until there is room again. */
  trim(): void;
}

const MINUTE_MS = 60_000;
/** Some 100 bytes each. */
const COUNTS_MAX = 1_000_000;

export const minuteOf = (atMs: number): number => Math.floor(atMs / MINUTE_MS);
export const minuteStart = (minute: number): number => minute * MINUTE_MS;
export const ratedViewer = (kind: EventKind, viewerKey: string): string => `${kind}:${viewerKey}`;

export function createRateCounts(countsMax = COUNTS_MAX): RateCounts {
  /** Least recently used first. */
  const minutes = new Map<number, Map<string, number>>();
  let latest: { minute: number; counts: Map<string, number> } | undefined;

  const use = (minute: number): Map<string, number> => {
    if (latest?.minute === minute) return latest.counts;
    const counts = minutes.get(minute) ?? new Map<string, number>();
    minutes.delete(minute);
    minutes.set(minute, counts);
    latest = { minute, counts };
    return counts;
  };

  return {
    count: (kind, viewerKey, receivedAtMs) => {
      const counts = use(minuteOf(receivedAtMs));
      const viewer = ratedViewer(kind, viewerKey);
      const count = (counts.get(viewer) ?? 0) + 1;
      counts.set(viewer, count);
      return count;
    },
    counted: (kind, viewerKey, receivedAtMs) =>
      minutes.get(minuteOf(receivedAtMs))?.get(ratedViewer(kind, viewerKey)) ?? 0,
    knows: (minute) => minutes.has(minute),
    learn: (minute) => void use(minute),
    trim: () => {
      let held = 0;
      for (const counts of minutes.values()) held += counts.size;
      for (const [minute, counts] of minutes) {
        if (held <= countsMax) return;
        minutes.delete(minute);
        if (latest?.minute === minute) latest = undefined;
        held -= counts.size;
      }
    },
  };
}

/**
 * From how many on a shard tells the others: what none of them has told is less than half a limit in all, and
 * most viewers are never told of. `limit` 0 is none.
 */
export const toldFrom = (limit: number, shards: number): number =>
  limit === 0 ? Infinity : Math.max(1, Math.ceil(limit / (2 * shards)));
