import type { Response } from 'express';
import { rateLimitKey } from '../../db/keys.ts';
import type { Realm } from '../http/auth.ts';
import {
  consumed,
  createLimiter,
  hashed,
  rateLimited,
  type RateLimitDeps,
  secondsLeft,
  setHeaders,
} from '../http/rate-limit.ts';

const REGISTRATIONS_PER_HOUR = 10;
const HOUR_SECONDS = 3_600;
const FORGOT_SECONDS = 60;

/**
 * New accounts per address: ten an hour, counted once the body is good, so that typing errors use
 * nothing up. Raises rate_limited with `retry_after`.
 */
export function createRegistrationThrottle({ redis, clock }: RateLimitDeps) {
  const limit = REGISTRATIONS_PER_HOUR;
  const limiter = createLimiter(redis, { points: limit, seconds: HOUR_SECONDS });
  return async (res: Response, ip: string): Promise<void> => {
    const now = Math.floor(clock().getTime() / 1_000);
    const key = rateLimitKey('register', hashed(ip), Math.floor(now / HOUR_SECONDS));
    const { consumedPoints } = await consumed(limiter, key);
    const left = HOUR_SECONDS - (now % HOUR_SECONDS);
    if (consumedPoints > limit) throw rateLimited(res, limit, left);
    setHeaders(res, limit, limit - consumedPoints, left);
  };
}

/**
 * Other addresses that a person asks for: ten an hour, as registration answers whether one is taken. Raises
 * rate_limited with `retry_after`.
 */
export function createAddressThrottle({ redis }: RateLimitDeps, realm: Realm) {
  const limit = REGISTRATIONS_PER_HOUR;
  const limiter = createLimiter(redis, { points: limit, seconds: HOUR_SECONDS });
  return async (res: Response, person: string): Promise<void> => {
    const asked = await consumed(limiter, rateLimitKey(`address-${realm}`, hashed(person), 0));
    if (asked.consumedPoints > limit) throw rateLimited(res, limit, secondsLeft(asked));
    setHeaders(res, limit, limit - asked.consumedPoints, secondsLeft(asked));
  };
}

export interface ForgotThrottle {
  /** Raises rate_limited with `retry_after`. */
  take(res: Response, email: string): Promise<void>;
  /** The request failed on our side: it may be made again at once. */
  giveBack(email: string): Promise<void>;
}

/**
 * interface 8: one request in 60 seconds per e-mail address, whether or not somebody has it. Of each realm
 * by itself: what is asked in the wrong one is not the owner's turn.
 */
export function createForgotThrottle({ redis }: RateLimitDeps, realm: Realm): ForgotThrottle {
  const limiter = createLimiter(redis, { points: 1, seconds: FORGOT_SECONDS });
  const keyOf = (email: string): string =>
    rateLimitKey(`forgot-${realm}`, hashed(email.toLowerCase()), 0);
  return {
    take: async (res, email) => {
      const asked = await consumed(limiter, keyOf(email));
      if (asked.consumedPoints > 1) throw rateLimited(res, 1, secondsLeft(asked));
      setHeaders(res, 1, 0, FORGOT_SECONDS);
    },
    giveBack: async (email) => {
      await limiter.delete(keyOf(email));
    },
  };
}
