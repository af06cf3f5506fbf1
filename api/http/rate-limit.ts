import { createHash } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { rateLimitKey } from '../../db/keys.ts';
import type { Redis } from '../../db/redis.ts';
import { DomainError } from '../../domain/errors.ts';
import { identityOf } from './auth.ts';

export interface RateLimitDeps {
  redis: Redis;
  clock: () => Date;
}

/** A Redis that is connected and does not answer keeps no request longer than that. */
const REDIS_MS_MAX = 500;
/**
 * Looked for so often meanwhile. After a stall of this process its timers come before the answers that are there by
 * then, so one timer would take the stall for Redis's: it is one look of many.
 */
const LOOKS = 10;

export type Limiter = Pick<RateLimiterAbstract, 'consume' | 'reward' | 'block' | 'delete'>;

/**
 * So many times in so many seconds, from the first one on. Redis shares the counters between
 * processes; while it is away each process counts by itself, so a limit loosens by the number of
 * processes but never goes away.
 */
export function createLimiter(
  redis: Redis,
  { points, seconds }: { points: number; seconds: number },
): Limiter {
  // Keys are whole as db/keys.ts makes them.
  const window = { points, duration: seconds, keyPrefix: '' };
  const shared = new RateLimiterRedis({
    ...window,
    storeClient: redis,
    useRedisPackage: true,
    rejectIfRedisNotReady: true,
  });
  const own = new RateLimiterMemory(window);
  const inEither = async <Answer>(run: (limiter: Limiter) => Promise<Answer>): Promise<Answer> => {
    try {
      return await soon(run(shared));
    } catch (error) {
      if (error instanceof RateLimiterRes) throw error;
      return await run(own);
    }
  };
  return {
    consume: async (...of) => await inEither(async (limiter) => await limiter.consume(...of)),
    reward: async (...of) => await inEither(async (limiter) => await limiter.reward(...of)),
    block: async (...of) => await inEither(async (limiter) => await limiter.block(...of)),
    delete: async (...of) => await inEither(async (limiter) => await limiter.delete(...of)),
  };
}

async function soon<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return await new Promise((resolve, reject) => {
    let looks = 0;
    const timer = setInterval(() => {
      looks += 1;
      if (looks < LOOKS) return;
      clearInterval(timer);
      reject(new Error('Redis does not answer'));
    }, REDIS_MS_MAX / LOOKS);
    answer.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

/** How often it was by now, this time included. The library rejects with the same when it is too often. */
export async function consumed(limiter: Limiter, key: string): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  }
}

export const secondsLeft = ({ msBeforeNext }: RateLimiterRes): number =>
  Math.max(1, Math.ceil(msBeforeNext / 1_000));

/** Hashed, so that no text of a caller becomes part of a key. */
export const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

const LOGIN_ATTEMPTS_PER_WINDOW = 5;
const LOGIN_WINDOW_SECONDS = 60;
const LOGIN_DELAY_FIRST_SECONDS = 60;
const LOGIN_DELAY_MAX_SECONDS = 900;
/** How long earlier lock-outs are remembered. */
const LOGIN_MEMORY_SECONDS = 3_600;

/** Counts tries, and forgets them. */
export interface PairThrottle {
  /** Counts one try and sets RateLimit-*; raises rate_limited with `retry_after`. */
  attempt(res: Response, subject: string): Promise<void>;
  /** It was right: earlier mistakes are forgotten. */
  forgive(subject: string): Promise<void>;
}

/**
 * Five tries a minute per subject (an address and an account; a person and a factor); whoever goes on
 * waits 60, 120, 240 ... 900 s (interface 8). A delay and not a lock.
 */
export function createTryThrottle({ redis }: RateLimitDeps, bucket: string): PairThrottle {
  const limit = LOGIN_ATTEMPTS_PER_WINDOW;
  const attempts = createLimiter(redis, { points: limit, seconds: LOGIN_WINDOW_SECONDS });
  // Counts how often, and limits nothing by itself.
  const delays = createLimiter(redis, { points: 1, seconds: LOGIN_MEMORY_SECONDS });
  const keysOf = (words: string) => {
    const subject = hashed(words.toLowerCase());
    return {
      attempts: rateLimitKey(bucket, subject, 0),
      delays: rateLimitKey(`${bucket}-delays`, subject, 0),
    };
  };
  return {
    attempt: async (res, subject) => {
      const keys = keysOf(subject);
      const made = await consumed(attempts, keys.attempts);
      if (made.consumedPoints <= limit) {
        setHeaders(res, limit, limit - made.consumedPoints, secondsLeft(made));
        return;
      }
      // Of all that are refused until the delay is over only the first one may lengthen it.
      if (made.consumedPoints > limit + 1) throw rateLimited(res, limit, secondsLeft(made));
      const { consumedPoints: times } = await consumed(delays, keys.delays);
      const delay = Math.min(LOGIN_DELAY_FIRST_SECONDS * 2 ** (times - 1), LOGIN_DELAY_MAX_SECONDS);
      await attempts.block(keys.attempts, delay);
      throw rateLimited(res, limit, delay);
    },
    forgive: async (subject) => {
      const keys = keysOf(subject);
      await Promise.all([attempts.delete(keys.attempts), delays.delete(keys.delays)]);
    },
  };
}

const READS_PER_MINUTE = 300;
const WRITES_PER_MINUTE = 60;
const EXPORTS_PER_MINUTE = 10;
const MINUTE_SECONDS = 60;

/** Per account: 300 reads and 60 writes a minute (interface 8). Behind auth.require. */
export function accountRateLimit(deps: RateLimitDeps): RequestHandler {
  const read = minuteLimit(deps, 'reads', READS_PER_MINUTE);
  const write = minuteLimit(deps, 'writes', WRITES_PER_MINUTE);
  return async (req, res, next) => {
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    await (isRead ? read : write)(req, res);
    next();
  };
}

/**
 * Per account: 10 exports a minute (interface 8), beside the reads that they count as. Mount it
 * before the route of an export; RateLimit-* then count exports, which run out first.
 */
export function exportRateLimit(deps: RateLimitDeps): RequestHandler {
  const exported = minuteLimit(deps, 'exports', EXPORTS_PER_MINUTE);
  return async (req, res, next) => {
    await exported(req, res);
    next();
  };
}

/** Minutes of the clock, so that a limit is whole again at each of them. Raises rate_limited. */
function minuteLimit({ redis, clock }: RateLimitDeps, bucket: string, limit: number) {
  const limiter = createLimiter(redis, { points: limit, seconds: MINUTE_SECONDS });
  return async (req: Request, res: Response): Promise<void> => {
    const { realm, id } = identityOf(req);
    const seconds = Math.floor(clock().getTime() / 1_000);
    const key = rateLimitKey(bucket, `${realm}:${id}`, Math.floor(seconds / MINUTE_SECONDS));
    const { consumedPoints } = await consumed(limiter, key);
    const left = MINUTE_SECONDS - (seconds % MINUTE_SECONDS);
    if (consumedPoints > limit) throw rateLimited(res, limit, left);
    setHeaders(res, limit, limit - consumedPoints, left);
  };
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
