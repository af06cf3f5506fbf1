import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { rateLimitKey } from '../../db/keys.ts';
import type { Redis } from '../../db/redis.ts';
import { DomainError } from '../../domain/errors.ts';
import { identityOf } from './auth.ts';

/**
 * Counters that expire. Redis shares them between processes; while it is away each process counts
 * by itself, so a limit loosens by the number of processes but never goes away.
 */
export interface Counters {
  /** Adds one; answers the new count and the seconds until it is forgotten. */
  add(key: string, ttlSeconds: number): Promise<{ count: number; ttlSeconds: number }>;
  /** Sets a mark; false when it was there. */
  mark(key: string, ttlSeconds: number): Promise<boolean>;
  /** Seconds until a counter or mark is forgotten; 0 when there is none. */
  ttl(key: string): Promise<number>;
  clear(keys: string[]): Promise<void>;
}

export interface RateLimitDeps {
  redis: Redis;
  log: Logger;
  clock: () => Date;
}

export function createCounters({ redis, log, clock }: RateLimitDeps): Counters {
  const local = createLocalCounters(clock);
  const shared = createSharedCounters(redis);
  const either = async <Result>(run: (counters: Counters) => Promise<Result>): Promise<Result> => {
    if (redis.isReady) {
      try {
        return await run(shared);
      } catch (error) {
        log.warn({ err: error }, 'rate limits: Redis is away, counting in this process');
      }
    }
    return await run(local);
  };
  return {
    add: async (key, ttl) => await either(async (counters) => await counters.add(key, ttl)),
    mark: async (key, ttl) => await either(async (counters) => await counters.mark(key, ttl)),
    ttl: async (key) => await either(async (counters) => await counters.ttl(key)),
    clear: async (keys) => {
      await local.clear(keys);
      await either(async (counters) => {
        await counters.clear(keys);
      });
    },
  };
}

function createSharedCounters(redis: Redis): Counters {
  return {
    add: async (key, ttlSeconds) => {
      const [, count, left] = await redis
        .multi()
        .set(key, '0', { condition: 'NX', expiration: { type: 'EX', value: ttlSeconds } })
        .incr(key)
        .ttl(key)
        .exec();
      return { count: Number(count), ttlSeconds: Math.max(1, Number(left)) };
    },
    mark: async (key, ttlSeconds) =>
      (await redis.set(key, '1', {
        condition: 'NX',
        expiration: { type: 'EX', value: ttlSeconds },
      })) !== null,
    ttl: async (key) => Math.max(0, await redis.ttl(key)),
    clear: async (keys) => {
      await redis.del(keys);
    },
  };
}

/** Oldest keys go first when the table is full, so that a flood of names cannot fill the memory. */
const LOCAL_KEYS_MAX = 50_000;

function createLocalCounters(clock: () => Date): Counters {
  const entries = new Map<string, { count: number; until: number }>();
  const live = (key: string): { count: number; until: number } | undefined => {
    const entry = entries.get(key);
    if (entry !== undefined && entry.until > clock().getTime()) return entry;
    entries.delete(key);
    return undefined;
  };
  const open = (key: string, ttlSeconds: number) => {
    const [oldest] = entries.keys();
    if (entries.size >= LOCAL_KEYS_MAX && oldest !== undefined) entries.delete(oldest);
    const entry = { count: 0, until: clock().getTime() + ttlSeconds * 1_000 };
    entries.set(key, entry);
    return entry;
  };
  const secondsLeft = (until: number) => Math.ceil((until - clock().getTime()) / 1_000);
  return {
    add: (key, ttlSeconds) => {
      const entry = live(key) ?? open(key, ttlSeconds);
      entry.count += 1;
      return Promise.resolve({ count: entry.count, ttlSeconds: secondsLeft(entry.until) });
    },
    mark: (key, ttlSeconds) => {
      if (live(key) !== undefined) return Promise.resolve(false);
      open(key, ttlSeconds);
      return Promise.resolve(true);
    },
    ttl: (key) => {
      const entry = live(key);
      return Promise.resolve(entry === undefined ? 0 : secondsLeft(entry.until));
    },
    clear: (keys) => {
      for (const key of keys) entries.delete(key);
      return Promise.resolve();
    },
  };
}

const LOGIN_ATTEMPTS_PER_WINDOW = 5;
const LOGIN_WINDOW_SECONDS = 60;
const LOGIN_DELAY_FIRST_SECONDS = 60;
const LOGIN_DELAY_MAX_SECONDS = 900;
/** How long earlier lock-outs are remembered. */
const LOGIN_MEMORY_SECONDS = 3_600;

export interface LoginThrottle {
  /** Counts one attempt and sets RateLimit-*; raises rate_limited with `retry_after`. */
  attempt(res: Response, ip: string, account: string): Promise<void>;
  /** The password was right: earlier mistakes are forgotten. */
  forgive(ip: string, account: string): Promise<void>;
}

/**
 * Five attempts a minute per address and account; whoever goes on waits 60, 120, 240 ... 900 s
 * (interface 8). A delay and not a lock: the owner, from another address, is not kept out.
 */
export function createLoginThrottle(deps: RateLimitDeps, bucket: string): LoginThrottle {
  const counters = createCounters(deps);
  const keysOf = (ip: string, account: string) => {
    // Hashed, so that no text of a caller becomes part of a key.
    const subject = createHash('sha256').update(`${ip}\n${account.toLowerCase()}`).digest('hex');
    return {
      attempts: rateLimitKey(bucket, subject, 0),
      wait: rateLimitKey(`${bucket}-wait`, subject, 0),
      delays: rateLimitKey(`${bucket}-delays`, subject, 0),
    };
  };
  return {
    attempt: async (res, ip, account) => {
      const keys = keysOf(ip, account);
      const waiting = await counters.ttl(keys.wait);
      if (waiting > 0) throw rateLimited(res, LOGIN_ATTEMPTS_PER_WINDOW, waiting);
      const { count, ttlSeconds } = await counters.add(keys.attempts, LOGIN_WINDOW_SECONDS);
      if (count <= LOGIN_ATTEMPTS_PER_WINDOW) {
        setHeaders(res, LOGIN_ATTEMPTS_PER_WINDOW, LOGIN_ATTEMPTS_PER_WINDOW - count, ttlSeconds);
        return;
      }
      // Of many refused at once only the first one may lengthen the delay.
      if (!(await counters.mark(keys.wait, LOGIN_DELAY_FIRST_SECONDS))) {
        throw rateLimited(res, LOGIN_ATTEMPTS_PER_WINDOW, await counters.ttl(keys.wait));
      }
      const delays = await counters.add(keys.delays, LOGIN_MEMORY_SECONDS);
      const delay = Math.min(
        LOGIN_DELAY_FIRST_SECONDS * 2 ** (delays.count - 1),
        LOGIN_DELAY_MAX_SECONDS,
      );
      if (delay > LOGIN_DELAY_FIRST_SECONDS) {
        await counters.clear([keys.wait]);
        await counters.mark(keys.wait, delay);
      }
      throw rateLimited(res, LOGIN_ATTEMPTS_PER_WINDOW, delay);
    },
    forgive: async (ip, account) => {
      await counters.clear(Object.values(keysOf(ip, account)));
    },
  };
}

const READS_PER_MINUTE = 300;
const WRITES_PER_MINUTE = 60;
const EXPORTS_PER_MINUTE = 10;

/** Per account: 300 reads and 60 writes a minute (interface 8). Behind auth.require. */
export function accountRateLimit(deps: RateLimitDeps): RequestHandler {
  const counters = createCounters(deps);
  return async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    const bucket = isRead ? 'reads' : 'writes';
    const limit = isRead ? READS_PER_MINUTE : WRITES_PER_MINUTE;
    await countInMinute({ ...deps, counters }, { req, res, bucket, limit });
    next();
  };
}

/**
 * Per account: 10 exports a minute (interface 8), beside the reads that they count as. Mount it
 * before the route of an export; RateLimit-* then count exports, which run out first.
 */
export function exportRateLimit(deps: RateLimitDeps): RequestHandler {
  const counters = createCounters(deps);
  return async (req, res, next) => {
    const counting = { req, res, bucket: 'exports', limit: EXPORTS_PER_MINUTE };
    await countInMinute({ ...deps, counters }, counting);
    next();
  };
}

/** Minutes of the clock, so that a limit is whole again at each of them. Raises rate_limited. */
async function countInMinute(
  { clock, counters }: { clock: () => Date; counters: Counters },
  { req, res, bucket, limit }: { req: Request; res: Response; bucket: string; limit: number },
): Promise<void> {
  const { realm, id } = identityOf(req);
  const minute = Math.floor(clock().getTime() / 60_000);
  const { count } = await counters.add(rateLimitKey(bucket, `${realm}:${id}`, minute), 60);
  const left = 60 - (Math.floor(clock().getTime() / 1_000) % 60);
  if (count > limit) throw rateLimited(res, limit, left);
  setHeaders(res, limit, limit - count, left);
}

export function setHeaders(
  res: Response,
  limit: number,
  remaining: number,
  resetSeconds: number,
): void {
  res.setHeader('RateLimit-Limit', String(limit));
  res.setHeader('RateLimit-Remaining', String(remaining));
  res.setHeader('RateLimit-Reset', String(resetSeconds));
}

/** The error handler makes `Retry-After` of the hint. */
export function rateLimited(res: Response, limit: number, retryAfterSeconds: number): DomainError {
  setHeaders(res, limit, 0, retryAfterSeconds);
  return new DomainError('rate_limited', { hints: { retry_after: retryAfterSeconds } });
}
