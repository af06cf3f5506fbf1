import { Router } from 'express';
import supertest from 'supertest';
import { bookRoutes } from '../../../api/admin/books.ts';
import { createTestConsole, testApp, type TestConsole } from '../../support/console.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps, append, eventOf } from '../../support/settlement.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { makeOperator } from '../../support/make/account.ts';
import { makeLine } from '../../support/make/line.ts';

let database: TestDatabase;
let testConsole: TestConsole;
let app: ReturnType<typeof testApp>;

beforeAll(async () => {
  database = await createTestDatabase();
  testConsole = await createTestConsole(database);
  const { deps } = testConsole;
  const guarded = Router().use(deps.auth.require('admin'), bookRoutes(deps));
  app = testApp({ '/books': guarded });
});
afterAll(async () => {
  await testConsole?.close();
  await database?.close();
});

async function tokenOf(role: 'FINANCE' | 'ADMIN' | 'REVIEWER' | 'SUPPORT'): Promise<string> {
  const id = (await makeOperator(database.db, role)).id;
  return testConsole.deps.auth.issue('admin', { id, tokenVersion: 1 }).token;
}

test.each(['FINANCE', 'ADMIN'] as const)(
  'GET /books · as %s · every invariant with its figure',
  async (role) => {
    await append(database, eventOf(await makeLine(database)));
    await createSettlementActivities(activityDeps(database)).settleBatch({ shard: 0 });
    const { status, body } = await supertest(app)
      .get('/books')
      .auth(await tokenOf(role), { type: 'bearer' });
    expect(status).toBe(200);
    expect(body.data.ok).toBe(true);
    expect(body.data.checks.length).toBeGreaterThan(15);
    expect(body.data.checks[0]).toEqual({
      name: 'balances_sum_to_zero',
      ok: true,
      figure: '0',
      detail: expect.any(String),
    });
  },
);

test.each(['REVIEWER', 'SUPPORT'] as const)('GET /books · as %s · 403', async (role) => {
  const { status } = await supertest(app)
    .get('/books')
    .auth(await tokenOf(role), { type: 'bearer' });
  expect(status).toBe(403);
});

test('GET /books · without a token · 401', async () => {
  expect((await supertest(app).get('/books')).status).toBe(401);
});

test('GET /books · an invariant is broken · says so, and which', async () => {
  await database.pool.query('UPDATE rollup_ad_hours SET impressions = impressions + 1');
  const { body } = await supertest(app)
    .get('/books')
    .auth(await tokenOf('FINANCE'), { type: 'bearer' });
  expect(body.data.ok).toBe(false);
  const broken = body.data.checks.filter((check: { ok: boolean }) => !check.ok);
  expect(broken.map((check: { name: string }) => check.name)).toEqual([
    'rollup_ad_hours_equals_events',
  ]);
});
