import type { Logger } from 'pino';
import { ErrorReply } from 'redis';
import { frequencyKey } from '../../db/keys.ts';
import type { Redis } from '../../db/redis.ts';
import {
  type Contender,
  type FrequencyCap,
  type FrequencyCounts,
  frequencySlot,
} from '../../domain/auction/types.ts';
import type { Soon } from './soon.ts';

/**
 * Answers per viewer, capped thing and window, in Redis. Approximate by nature: there is no cookie. Answers, not
 * impressions (interface 4.13): the next request of a page has to know what the one before gave away.
 */
export interface Frequency {
  /** One round trip; undefined when the counters cannot be read in time. */
  read(viewer: string, contenders: readonly Contender[]): Soon<FrequencyCounts>;
  /** After the answer; a failure is an uncounted ad, nothing else. */
  count(viewer: string, caps: readonly FrequencyCap[]): void;
}

/** An answer waits no longer than this for the counters. */
const READ_MS_MAX = 50;
/** Waited in so many steps: one in which this process stood still is no longer than another. */
const READ_STEPS = 5;
/** Of one command: so many are read, or counted, while Redis does nothing else. */
const KEYS_AT_ONCE = 1_000;
/** Commands that Redis has not answered; beyond that it counts as away. */
const UNANSWERED_MAX = 64;
/** What Redis would not count is sent again so often. */
const RECOUNT_MS = 1_000;

/** The window begins with its first impression. */
const COUNT = `for at, key in ipairs(KEYS) do
  redis.call('INCRBY', key, ARGV[2 * at - 1])
  redis.call('EXPIRE', key, ARGV[2 * at], 'NX')
end`;

/** `readMsMax` is longer in tests alone, whose machine may be busy with others. */
export const createFrequency = (
  redis: Redis,
  log: Logger,
  readMsMax: number = READ_MS_MAX,
): Frequency => new TurnsOfFrequency(redis, log, readMsMax);

interface Count {
  times: number;
  windowSeconds: number;
}
/** Impressions by key. */
type Counts = Map<string, Count>;

interface Reading {
  /** Slots of the caps, and where among the turn's keys each stands. */
  slots: Map<string, number>;
  resolve: (counts: FrequencyCounts) => void;
}

function add(counts: Counts, key: string, { times, windowSeconds }: Count): void {
  const before = counts.get(key);
  if (before === undefined) counts.set(key, { times, windowSeconds });
  else before.times += times;
}

/**
 * What the requests of one turn of the event loop read goes to Redis as one command, and what they
 * count as another before it: a command of its own for each costs more than the auction.
 */
class TurnsOfFrequency implements Frequency {
  readonly #redis: Redis;
  readonly #log: Logger;
  readonly #readMsMax: number;
  #keys = new Map<string, number>();
  #readings: Reading[] = [];
  #counts: Counts = new Map();
  #isDue = false;
  #unanswered = 0;
  /**
   * What Redis would not count though it answers, as when it is full, or a copy that may only be read. Until it
   * does, its counters do not know what was shown, and it counts as away.
   */
  #uncounted: Counts | undefined;

  constructor(redis: Redis, log: Logger, readMsMax: number) {
    this.#redis = redis;
    this.#log = log;
    this.#readMsMax = readMsMax;
  }

  read(viewer: string, contenders: readonly Contender[]): Soon<FrequencyCounts> {
    if (!this.#isThere()) return undefined;
    const slots = new Map<string, number>();
    for (const { candidate } of contenders) {
      for (const cap of candidate.caps) {
        const slot = frequencySlot(cap);
        if (!slots.has(slot)) slots.set(slot, this.#placeOf(frequencyKey(viewer, slot)));
      }
    }
    const reading = new Promise<FrequencyCounts>((resolve) => {
      this.#readings.push({ slots, resolve });
    });
    this.#leaveSoon();
    return reading;
  }

  count(viewer: string, caps: readonly FrequencyCap[]): void {
    if (!this.#isThere()) return;
    const counted = new Set<string>();
    for (const cap of caps) {
      const key = frequencyKey(viewer, frequencySlot(cap));
      // Two ads of one answer under the same cap are one impression of it.
      if (counted.has(key)) continue;
      counted.add(key);
      add(this.#counts, key, { times: 1, windowSeconds: cap.windowSeconds });
    }
    this.#leaveSoon();
  }

  #isThere(): boolean {
    return (
      this.#redis.isReady && this.#unanswered < UNANSWERED_MAX && this.#uncounted === undefined
    );
  }

  #placeOf(key: string): number {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    const place = this.#keys.size;
    this.#keys.set(key, place);
    return place;
  }

  #leaveSoon(): void {
    if (this.#keys.size >= KEYS_AT_ONCE || this.#counts.size >= KEYS_AT_ONCE) {
      this.#leave();
    } else if (!this.#isDue) {
      this.#isDue = true;
      setImmediate(() => {
        this.#isDue = false;
        this.#leave();
      });
    }
  }

  /** Counted first: who asks in this turn reads what was answered in it. */
  #leave(): void {
    const counts = this.#counts;
    const readings = this.#readings;
    const keys = [...this.#keys.keys()];
    this.#counts = new Map();
    this.#readings = [];
    this.#keys = new Map();
    if (counts.size > 0) void this.#sendCounts(counts);
    if (readings.length > 0) void this.#answer(readings, keys);
  }

  async #sendCounts(counts: Counts): Promise<void> {
    try {
      await this.#send(counts);
    } catch (error) {
      this.#log.debug({ err: error }, 'impressions were not counted towards their caps');
      // Of a connection that broke it is not known whether it counted.
      if (error instanceof ErrorReply) this.#keep(counts);
    }
  }

  async #send(counts: Counts): Promise<void> {
    const figures = [...counts.values()].flatMap(({ times, windowSeconds }) => [
      String(times),
      String(windowSeconds),
    ]);
    this.#unanswered += 1;
    try {
      await this.#redis.eval(COUNT, { keys: [...counts.keys()], arguments: figures });
    } finally {
      this.#unanswered -= 1;
    }
  }

  /** Few: nothing that would have to be counted is shown from now on. */
  #keep(counts: Counts): void {
    if (this.#uncounted === undefined) {
      this.#uncounted = new Map();
      this.#log.warn('Redis does not count impressions: ads with a frequency cap stay out');
      this.#recountSoon();
    }
    for (const [key, count] of counts) add(this.#uncounted, key, count);
  }

  #recountSoon(): void {
    setTimeout(() => void this.#recount(), RECOUNT_MS).unref();
  }

  async #recount(): Promise<void> {
    const counts = this.#uncounted ?? new Map();
    this.#uncounted = new Map();
    try {
      await this.#send(counts);
    } catch (error) {
      this.#log.debug({ err: error }, 'impressions are still not counted');
      this.#keep(counts);
    }
    // Others may have failed meanwhile.
    if (this.#uncounted.size === 0) this.#uncounted = undefined;
    else this.#recountSoon();
  }

  async #answer(readings: readonly Reading[], keys: string[]): Promise<void> {
    const values = await this.#values(keys);
    for (const { slots, resolve } of readings) {
      if (values === undefined) {
        resolve(undefined);
        continue;
      }
      for (const [slot, place] of slots) slots.set(slot, Number(values[place] ?? 0));
      resolve(slots);
    }
  }

  async #values(keys: string[]): Promise<readonly (string | null)[] | undefined> {
    let timer: NodeJS.Timeout | undefined;
    let left = READ_STEPS;
    const late = new Promise<undefined>((resolve) => {
      const wait = (): void => {
        timer = setTimeout(() => {
          left -= 1;
          if (left === 0) resolve(undefined);
          else wait();
        }, this.#readMsMax / READ_STEPS);
      };
      wait();
    });
    this.#unanswered += 1;
    const reading = this.#redis.mGet(keys).finally(() => {
      this.#unanswered -= 1;
    });
    try {
      return await Promise.race([reading, late]);
    } catch (error) {
      // A connection that broke mid-read: capped ads stay out, by name, and the operator can see why.
      this.#log.warn({ err: error }, 'frequency counters cannot be read');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
