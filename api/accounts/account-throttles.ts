import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { rateLimitKey } from '../../db/keys.ts';
import { createCounters, rateLimited, type RateLimitDeps, setHeaders } from '../http/rate-limit.ts';

const REGISTRATIONS_PER_HOUR = 10;
const HOUR_SECONDS = 3_600;
const FORGOT_SECONDS = 60;

/** Hashed, so that no text of a caller becomes part of a key. */
const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * New accounts per address: ten an hour, counted once the body is good, so that typing errors use
 * nothing up. Raises rate_limited with `retry_after`.
 */
export function createRegistrationThrottle(deps: RateLimitDeps) {
  const counters = createCounters(deps);
  return async (res: Response, ip: string): Promise<void> => {
    const now = Math.floor(deps.clock().getTime() / 1_000);
    const hour = Math.floor(now / HOUR_SECONDS);
    const { count } = await counters.add(rateLimitKey('register', hashed(ip), hour), HOUR_SECONDS);
    const left = HOUR_SECONDS - (now % HOUR_SECONDS);
    if (count > REGISTRATIONS_PER_HOUR) throw rateLimited(res, REGISTRATIONS_PER_HOUR, left);
    setHeaders(res, REGISTRATIONS_PER_HOUR, REGISTRATIONS_PER_HOUR - count, left);
  };
}

export interface ForgotThrottle {
  /** Raises rate_limited with `retry_after`. */
  take(res: Response, email: string): Promise<void>;
  /** The request failed on our side: it may be made again at once. */
  giveBack(email: string): Promise<void>;
}

/**
 * interface 8: one request in 60 seconds per e-mail address, whether or not somebody has it, and of
 * all realms together, as an address is of one account only.
 */
export function createForgotThrottle(deps: RateLimitDeps): ForgotThrottle {
  const counters = createCounters(deps);
  const keyOf = (email: string): string => rateLimitKey('forgot', hashed(email.toLowerCase()), 0);
  return {
    take: async (res, email) => {
      const key = keyOf(email);
      if (await counters.mark(key, FORGOT_SECONDS)) {
        setHeaders(res, 1, 0, FORGOT_SECONDS);
        return;
      }
      throw rateLimited(res, 1, Math.max(1, await counters.ttl(key)));
    },
    giveBack: async (email) => {
      await counters.clear([keyOf(email)]);
    },
  };
}
