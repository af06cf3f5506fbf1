import { randomInt } from 'node:crypto';
import { Router } from 'express';
import supertest from 'supertest';
import { accountRateLimit, exportRateLimit } from '../../../api/http/rate-limit.ts';
import { testApp } from '../../support/mounts.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** interface 8: how much one account may ask within one minute of the clock. */
let stand: Stand;
let app: ReturnType<typeof testApp>;
let now: number;

beforeAll(async () => {
  stand = await createStand({ realTime: true });
  const deps = { ...stand.deps, clock: () => new Date(now) };
  const router = Router();
  router.use(deps.auth.require('advertiser'), accountRateLimit(deps));
  router.get('/export', exportRateLimit(deps), (_req, res) => {
    res.json({});
  });
  router.all('/thing', (_req, res) => {
    res.json({});
  });
  app = testApp({ '/': router });
});

afterAll(async () => {
  await stand.close();
});

beforeEach(() => {
  // Others count the same account ids in the same Redis; a far minute is this test's own.
  now = Date.UTC(2100, 0, 1) + randomInt(1, 10_000_000) * 60_000 + 20_000;
});

async function someone() {
  const { token } = await stand.newAdvertiser();
  return async (method: 'get' | 'post' | 'delete', path: string) =>
    await supertest(app)[method](path).set('Authorization', `Bearer ${token}`);
}

it.each([
  ['reads', 'get', '/thing', 300],
  ['writes', 'post', '/thing', 60],
  ['exports', 'get', '/export', 10],
] as const)('%s · one more than the limit · 429 until the minute is over', async (...row) => {
  const [, method, path, limit] = row;
  const ask = await someone();
  for (let left = limit - 1; left >= 0; left -= 1) {
    const { status, headers } = await ask(method, path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(left),
      'ratelimit-reset': '40',
    });
  }
  const refused = await ask(method, path);
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('40');
  expect(refused.headers['ratelimit-remaining']).toBe('0');
  expect(refused.body.data).toMatchObject({ error: 'rate_limited', retry_after: 40 });
  now += 40_000;
  expect((await ask(method, path)).status).toBe(200);
});

it('exports · all used · the same account still reads and writes, another exports', async () => {
  const ask = await someone();
  for (let i = 0; i < 10; i += 1) await ask('get', '/export');
  expect((await ask('get', '/export')).status).toBe(429);
  expect((await ask('get', '/thing')).status).toBe(200);
  expect((await ask('delete', '/thing')).status).toBe(200);
  expect((await (await someone())('get', '/export')).status).toBe(200);
});
