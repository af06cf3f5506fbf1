import supertest from 'supertest';
import type { TestDatabase } from '../../support/database.ts';
import { activityDeps, append, eventOf } from '../../support/settlement.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { makeOperator } from '../../support/make/account.ts';
import { makeLine } from '../../support/make/line.ts';
import { createStand, type Stand } from '../../support/stand.ts';

let stand: Stand;
let database: TestDatabase;

beforeAll(async () => {
  stand = await createStand();
  ({ database } = stand);
});
afterAll(async () => {
  await stand?.close();
});

async function booksAs(role: 'FINANCE' | 'ADMIN' | 'REVIEWER' | 'SUPPORT') {
  const { id } = await makeOperator(database.db, role);
  return await stand.as('admin', id).get('/books');
}

test.each(['FINANCE', 'ADMIN'] as const)(
  'GET /books · as %s · every invariant with its figure',
  async (role) => {
    await append(database, eventOf(await makeLine(database)));
    await createSettlementActivities(activityDeps(database)).settleBatch({ shard: 0 });
    const { status, body } = await booksAs(role);
    expect(status).toBe(200);
    expect(body.data.ok).toBe(true);
    expect(body.data.checks.length).toBeGreaterThan(15);
    expect(body.data.checks[0]).toEqual({
      name: 'balances_sum_to_zero',
      ok: true,
      figure: '0',
      amount: '0',
      detail: expect.any(String),
    });
  },
);

test.each(['REVIEWER', 'SUPPORT'] as const)('GET /books · as %s · 403', async (role) => {
  const { status } = await booksAs(role);
  expect(status).toBe(403);
});

test('GET /books · without a token · 401', async () => {
  expect((await supertest(stand.app).get('/api/admin/books')).status).toBe(401);
});

test('GET /books · an invariant is broken · says so, and which', async () => {
  await database.pool.query('UPDATE rollup_ad_hours SET impressions = impressions + 1');
  const { body } = await booksAs('FINANCE');
  expect(body.data.ok).toBe(false);
  const broken = body.data.checks.filter((check: { ok: boolean }) => !check.ok);
  expect(broken.map((check: { name: string }) => check.name)).toEqual([
    'rollup_ad_hours_equals_events',
  ]);
  expect(broken[0]).toMatchObject({ figure: expect.stringMatching(/^\d+$/), amount: null });
});
