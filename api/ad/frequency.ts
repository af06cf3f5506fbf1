import type { Logger } from 'pino';
import { frequencyKey } from '../../db/keys.ts';
import type { Redis } from '../../db/redis.ts';
import {
  type Contender,
  type FrequencyCap,
  type FrequencyCounts,
  frequencySlot,
} from '../../domain/auction/types.ts';

/** Impressions per viewer and capped thing, in Redis. Approximate by nature: there is no cookie. */
export interface Frequency {
  /** One round trip; undefined when the counters cannot be read in time. */
  read(viewer: string, contenders: readonly Contender[]): Promise<FrequencyCounts>;
  /** After the answer; a failure is an uncounted impression, nothing else. */
  count(viewer: string, caps: readonly FrequencyCap[]): Promise<void>;
}

/** An answer waits no longer than this for the counters. */
const READ_MS_MAX = 50;

export function createFrequency(redis: Redis, log: Logger): Frequency {
  return {
    async read(viewer, contenders) {
      if (!redis.isReady) return undefined;
      const caps = distinct(contenders.flatMap(({ candidate }) => candidate.caps));
      const keys = caps.map((cap) => frequencyKey(cap.scope, cap.id, viewer));
      const values = await withinTime(redis.mGet(keys), log);
      if (values === undefined) return undefined;
      return new Map(caps.map((cap, index) => [frequencySlot(cap), Number(values[index] ?? 0)]));
    },
    async count(viewer, caps) {
      if (caps.length === 0 || !redis.isReady) return;
      const multi = redis.multi();
      for (const cap of distinct(caps)) {
        const key = frequencyKey(cap.scope, cap.id, viewer);
        // The window begins with its first impression.
        multi.incr(key).expire(key, cap.windowSeconds, 'NX');
      }
      await multi.exec();
    },
  };
}

function distinct(caps: readonly FrequencyCap[]): FrequencyCap[] {
  return [...new Map(caps.map((cap) => [frequencySlot(cap), cap])).values()];
}

async function withinTime<Value>(reading: Promise<Value>, log: Logger): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, READ_MS_MAX, undefined);
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    // A connection that broke mid-read: capped ads stay out, by name, and the operator can see why.
    log.warn({ err: error }, 'frequency counters cannot be read');
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
