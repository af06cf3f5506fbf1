import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { createForgotThrottle } from '../../../api/accounts/account-throttles.ts';
import {
  consumed,
  createLimiter,
  createTryThrottle,
  secondsLeft,
} from '../../../api/http/rate-limit.ts';
import { createRedis, type Redis } from '../../../db/redis.ts';
import { cuttable } from '../../support/cuttable.ts';
import { serviceUrl } from '../../support/database.ts';
import { ownTime } from '../../support/own-time.ts';
import { until } from '../../support/until.ts';

let redis: Redis;
let away: Redis;

beforeAll(async () => {
  redis = createRedis(serviceUrl('REDIS_URL'));
  await redis.connect();
  away = createRedis('redis://127.0.0.1:1');
});
afterAll(() => {
  redis.destroy();
});

function response() {
  const headers = new Map<string, string>();
  const res = { setHeader: (name: string, value: string) => headers.set(name, value) };
  return { headers, res: res as unknown as Response };
}

describe.each([
  ['Redis', true],
  ['Redis away', false],
])('limiter · with %s', (_name, isUp) => {
  const limiterOf = (points: number, seconds: number) =>
    createLimiter(isUp ? redis : away, { points, seconds });

  test('consumed · many at once · counts each once and keeps the first deadline', async () => {
    const limiter = limiterOf(5, 30);
    const key = `adp:test:${randomUUID()}`;
    const seen = await Promise.all(
      Array.from({ length: 20 }, async () => await consumed(limiter, key)),
    );
    expect(seen.map(({ consumedPoints }) => consumedPoints).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const each of seen) expect(secondsLeft(each)).toBeLessThanOrEqual(30);
    await limiter.delete(key);
    expect((await consumed(limiter, key)).consumedPoints).toBe(1);
  });

  test('forgot · twice · only the first passes, the second hears how long, given back is free', async () => {
    const throttle = createForgotThrottle(
      { redis: isUp ? redis : away, clock: () => new Date() },
      'advertiser',
    );
    const email = `${randomUUID()}@example.com`;
    const { res, headers } = response();
    await throttle.take(res, email);
    expect(headers.get('RateLimit-Remaining')).toBe('0');
    const refused = await throttle.take(res, email.toUpperCase()).catch((error: unknown) => error);
    const { retry_after: seconds } = (refused as { hints: { retry_after: number } }).hints;
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(60);
    await throttle.giveBack(email);
    await throttle.take(res, email);
  });

  test('throttle · thirty attempts at once · five pass, the rest wait the first delay', async () => {
    const throttle = createTryThrottle(
      { redis: isUp ? redis : away, clock: () => new Date() },
      'login-test',
    );
    const account = randomUUID();
    const { res } = response();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, async () => await throttle.attempt(res, `192.0.2.1\n${account}`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ token: 'rate_limited' });
        expect(result.reason.hints.retry_after).toBeLessThanOrEqual(60);
      }
    }
    await expect(
      throttle.attempt(res, `192.0.2.1\n${account.toUpperCase()}`),
    ).rejects.toMatchObject({
      token: 'rate_limited',
    });
    await throttle.attempt(res, `192.0.2.2\n${account}`);
  });
});

test('limiter · Redis hangs, then is cut off, then is back · counts in this process and soon, then with all', async () => {
  const wire = await cuttable(serviceUrl('REDIS_URL'));
  const client = createRedis(wire.url);
  await client.connect();
  const limiter = createLimiter(client, { points: 2, seconds: 60 });
  const key = `adp:test:${randomUUID()}`;
  const count = async () => (await consumed(limiter, key)).consumedPoints;
  expect([await count(), await count(), await count()]).toEqual([1, 2, 3]);
  wire.stall();
  const spent = ownTime();
  expect(await count()).toBe(1);
  expect(spent()).toBeLessThan(2_000);
  wire.cut();
  await until(() => !client.isReady);
  const local = await count();
  expect(await count()).toBe(local + 1);
  wire.mend();
  await until(() => client.isReady);
  expect(await count()).toBe(4);
  client.destroy();
  await wire.close();
});

test('limiter · this process stalls for longer than Redis may take · counts with all', async () => {
  const limiter = createLimiter(redis, { points: 2, seconds: 60 });
  const key = `adp:test:${randomUUID()}`;
  await consumed(limiter, key);
  const asked = consumed(limiter, key);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  expect((await asked).consumedPoints).toBe(2);
});

describe('login throttle', () => {
  const throttleAt = (moment: number) => {
    jest.useFakeTimers({ now: moment });
    return createTryThrottle({ redis: away, clock: () => new Date() }, 'login-test');
  };
  afterEach(() => {
    jest.useRealTimers();
  });

  test('delay · for who goes on and on · doubles from 60 s up to 900 s', async () => {
    const throttle = throttleAt(Date.parse('2026-01-01T00:00:00Z'));
    const { res, headers } = response();
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      for (let i = 0; i < 5; i += 1) await throttle.attempt(res, 'anna');
      const error = await throttle.attempt(res, 'anna').catch((reason: unknown) => reason);
      const delay = (error as { hints: { retry_after: number } }).hints.retry_after;
      delays.push(delay);
      expect(headers.get('RateLimit-Remaining')).toBe('0');
      jest.advanceTimersByTime((delay - 1) * 1_000);
      await expect(throttle.attempt(res, 'anna')).rejects.toMatchObject({
        token: 'rate_limited',
      });
      jest.advanceTimersByTime(1_000);
    }
    expect(delays).toEqual([60, 120, 240, 480, 900, 900]);
    await throttle.forgive('anna');
    for (let i = 0; i < 5; i += 1) await throttle.attempt(res, 'anna');
    await expect(throttle.attempt(res, 'anna')).rejects.toMatchObject({
      hints: { retry_after: 60 },
    });
  });

  test('a slow person · four mistakes a minute · never waits', async () => {
    const throttle = throttleAt(0);
    for (let i = 0; i < 40; i += 1) {
      await throttle.attempt(response().res, 'anna');
      jest.advanceTimersByTime(15_000);
    }
  });
});
