import { Connection } from '@temporalio/client';
import express from 'express';
import { pino } from 'pino';
import supertest from 'supertest';
import { healthRoutes, type HealthSources, reportHealth } from '../../api/health.ts';
import { openPool } from '../../db/postgres.ts';
import { createRedis, type Redis } from '../../db/redis.ts';
import { cuttable } from '../support/cuttable.ts';
import { serviceUrl } from '../support/database.ts';
import { ownTime } from '../support/own-time.ts';
import { until } from '../support/until.ts';

const log = pino({ level: 'silent' });
const pools = [
  openPool({ url: serviceUrl('POSTGRES_URL'), poolMax: 1, applicationName: 'health-test' }),
  openPool({ url: 'postgres://nobody@127.0.0.1:1/none', poolMax: 1, applicationName: 'none' }),
] as const;
let up: Redis;
const away = createRedis('redis://127.0.0.1:1');

beforeAll(async () => {
  up = createRedis(serviceUrl('REDIS_URL'));
  await up.connect();
});
afterAll(async () => {
  up.destroy();
  for (const pool of pools) await pool.end();
});

const SURFACES = ['console', 'ad', 'track'];
const fine = (): HealthSources => ({
  surfaces: new Set(SURFACES),
  postgres: async () => await pools[0].query('SELECT 1'),
  temporal: () => Promise.resolve(),
  redis: async () => await up.ping(),
  feed: { stats: () => ({ ageSeconds: 0.5, notices: true, failures: 0 }) },
  eventLog: { stats: () => ({ pending: 0, spooled: 0 }) },
  log,
});

async function ready(changes: Partial<HealthSources> = {}) {
  const app = express();
  app.use(
    '/health',
    healthRoutes(async () => await reportHealth({ ...fine(), ...changes })),
  );
  const { status, body } = await supertest(app).get('/health/ready');
  const { parts } = body as { parts: Record<string, { ok: boolean }> };
  const sick = Object.keys(parts).filter((part) => parts[part]?.ok === false);
  expect(body.ready).toBe(status === 200);
  return { status, sick, parts };
}

const down: Pick<HealthSources, 'postgres'> = {
  postgres: async () => await pools[1].query('SELECT 1'),
};
const silent = (): Promise<never> => new Promise(() => undefined);
const not = (reason: string) => (): Promise<never> => Promise.reject(new Error(reason));

it('everything up · 200 names every part', async () => {
  const { status, sick, parts } = await ready();
  expect([status, sick]).toEqual([200, []]);
  expect(Object.keys(parts)).toEqual(['postgres', 'redis', 'temporal', 'snapshot', 'events']);
});

it.each<[string, Partial<HealthSources>, number, string[]]>([
  ['PostgreSQL away', down, 503, ['postgres']],
  ['Redis away', { redis: async () => await away.ping() }, 200, ['redis']],
  ['Temporal away', { temporal: not('no route') }, 200, ['temporal']],
  [
    'the inventory never read',
    { feed: { stats: () => ({ ageSeconds: null, notices: false, failures: 0 }) } },
    503,
    ['snapshot'],
  ],
  [
    'the inventory read before, but not now',
    { feed: { stats: () => ({ ageSeconds: 90, notices: false, failures: 3 }) } },
    200,
    ['snapshot'],
  ],
  [
    'events on the disk',
    { eventLog: { stats: () => ({ pending: 1, spooled: 9 }) } },
    200,
    ['events'],
  ],
  [
    'all of it away',
    {
      ...down,
      redis: async () => await away.ping(),
      temporal: not('no route'),
      feed: { stats: () => ({ ageSeconds: null, notices: false, failures: 1 }) },
      eventLog: { stats: () => ({ pending: 0, spooled: 1 }) },
    },
    503,
    ['postgres', 'redis', 'temporal', 'snapshot', 'events'],
  ],
])('%s · is told by name', async (_what, changes, status, sick) => {
  expect(await ready(changes)).toMatchObject({ status, sick });
});

it('parts that never answer · are told within two seconds', async () => {
  const spent = ownTime();
  const answer = await ready({ postgres: silent, temporal: silent });
  expect(answer).toMatchObject({ status: 503, sick: ['postgres', 'temporal'] });
  expect(spent()).toBeLessThan(2_000);
});

test.each(['redis', 'temporal'])(
  '%s hangs behind a connection that stands · is told at once',
  async (part) => {
    const wires = {
      redis: await cuttable(serviceUrl('REDIS_URL')),
      temporal: await cuttable(`http://${serviceUrl('TEMPORAL_ADDRESS')}`),
    };
    const redis = createRedis(wires.redis.url);
    // What is asked once is not asked again behind the test's end.
    const options = { address: new URL(wires.temporal.url).host, interceptors: [] };
    const temporal = Connection.lazy(options);
    try {
      await redis.connect();
      const asked = {
        redis: async () => await redis.ping(),
        temporal: async () => await temporal.workflowService.getSystemInfo({}),
      };
      await until(async () => (await ready(asked)).sick.length === 0);
      wires[part as keyof typeof wires].stall();
      expect(await ready(asked)).toMatchObject({ status: 200, sick: [part] });
    } finally {
      redis.destroy();
      await temporal.close();
      for (const wire of Object.values(wires)) await wire.close();
    }
  },
);

it.each([
  ['track', 200],
  ['ad', 200],
  ['console', 503],
])('PostgreSQL away · a process of %s alone · %i', async (surface, status) => {
  expect(await ready({ ...down, surfaces: new Set([surface]) })).toMatchObject({ status });
});

it('live · whatever is away · 200', async () => {
  const app = express();
  app.use('/health', healthRoutes(silent));
  const { status, body } = await supertest(app).get('/health/live');
  expect([status, body]).toEqual([200, { status: 'ok' }]);
});
