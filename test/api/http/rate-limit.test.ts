import { randomUUID } from 'node:crypto';
import type { Response } from 'express';
import { pino } from 'pino';
import { createCounters, createLoginThrottle } from '../../../api/http/rate-limit.ts';
import { createRedis, type Redis } from '../../../db/redis.ts';
import { serviceUrl } from '../../support/database.ts';

const log = pino({ level: 'silent' });
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
])('counters · with %s', (_name, isUp) => {
  const store = (now = () => new Date()) =>
    createCounters({ redis: isUp ? redis : away, log, clock: now });

  test('add · many at once · counts each once and keeps the first deadline', async () => {
    const counters = store();
    const key = `adp:test:${randomUUID()}`;
    const seen = await Promise.all(
      Array.from({ length: 20 }, async () => await counters.add(key, 30)),
    );
    expect(seen.map(({ count }) => count).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const { ttlSeconds } of seen) expect(ttlSeconds).toBeLessThanOrEqual(30);
    await counters.clear([key]);
    expect((await counters.add(key, 30)).count).toBe(1);
  });

  test('mark · twice · only the first holds, and it tells how long', async () => {
    const counters = store();
    const key = `adp:test:${randomUUID()}`;
    expect(await counters.ttl(key)).toBe(0);
    expect(await counters.mark(key, 40)).toBe(true);
    expect(await counters.mark(key, 99)).toBe(false);
    expect(await counters.ttl(key)).toBeGreaterThan(35);
    expect(await counters.ttl(key)).toBeLessThanOrEqual(40);
  });

  test('throttle · thirty attempts at once · five pass, the rest wait the first delay', async () => {
    const throttle = createLoginThrottle(
      { redis: isUp ? redis : away, log, clock: () => new Date() },
      'login-test',
    );
    const account = randomUUID();
    const { res } = response();
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, async () => await throttle.attempt(res, '192.0.2.1', account)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toMatchObject({ token: 'rate_limited' });
        expect(result.reason.hints.retry_after).toBeLessThanOrEqual(60);
      }
    }
    await expect(throttle.attempt(res, '192.0.2.1', account.toUpperCase())).rejects.toMatchObject({
      token: 'rate_limited',
    });
    await throttle.attempt(res, '192.0.2.2', account);
  });
});

describe('login throttle', () => {
  test('delay · for who goes on and on · doubles from 60 s up to 900 s', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z');
    const throttle = createLoginThrottle(
      { redis: away, log, clock: () => new Date(now) },
      'login-test',
    );
    const { res, headers } = response();
    const delays: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      for (let i = 0; i < 5; i += 1) await throttle.attempt(res, 'ip', 'anna');
      const error = await throttle.attempt(res, 'ip', 'anna').catch((reason: unknown) => reason);
      const delay = (error as { hints: { retry_after: number } }).hints.retry_after;
      delays.push(delay);
      expect(headers.get('RateLimit-Remaining')).toBe('0');
      now += (delay - 1) * 1_000;
      await expect(throttle.attempt(res, 'ip', 'anna')).rejects.toMatchObject({
        token: 'rate_limited',
      });
      now += 1_000;
    }
    expect(delays).toEqual([60, 120, 240, 480, 900, 900]);
    await throttle.forgive('ip', 'anna');
    for (let i = 0; i < 5; i += 1) await throttle.attempt(res, 'ip', 'anna');
    await expect(throttle.attempt(res, 'ip', 'anna')).rejects.toMatchObject({
      hints: { retry_after: 60 },
    });
  });

  test('a slow person · four mistakes a minute · never waits', async () => {
    let now = 0;
    const throttle = createLoginThrottle(
      { redis: away, log, clock: () => new Date(now) },
      'login-test',
    );
    for (let i = 0; i < 40; i += 1) {
      await throttle.attempt(response().res, 'ip', 'anna');
      now += 15_000;
    }
  });
});
