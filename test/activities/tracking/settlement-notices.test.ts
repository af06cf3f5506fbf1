import { forgetLowBalance } from '../../../activities/accounts/notifications.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { activityDeps, append, eventOf } from '../../support/settlement.ts';

/** Settlement tells of a low balance and a spent budget in the batch that brings them about. */
let database: TestDatabase;
let settleBatch: ReturnType<typeof createSettlementActivities>['settleBatch'];

beforeAll(async () => {
  database = await createTestDatabase();
  ({ settleBatch } = createSettlementActivities(activityDeps(database)));
});
afterAll(async () => await database.close());

async function show(line: Line, priceNanos: bigint): Promise<void> {
  await append(database, eventOf(line, { priceNanos }));
  while ((await settleBatch({ shard: 0 })).events > 0);
}

const toldTo = async ({ advertiserId }: Line): Promise<unknown[]> => {
  const { rows } = await database.pool.query<{ kind: string; params: object }>(
    'SELECT kind, params FROM notifications WHERE account_id = $1 ORDER BY id',
    [advertiserId],
  );
  return rows.map(({ kind, params }) => [kind, params]);
};

const balanceLow = async ({ advertiserId }: Line, units: number): Promise<void> => {
  await database.pool.query(
    'INSERT INTO notification_settings (account_id, balance_low_nanos) VALUES ($1, $2)',
    [advertiserId, (BigInt(units) * 1_000_000_000n).toString()],
  );
};

const balanceOf = async ({ advertiserId }: Line): Promise<bigint> => {
  const { rows } = await database.pool.query<{ nanos: string }>(
    `SELECT balance_nanos AS nanos FROM ledger_accounts WHERE code = 'adv:' || $1 || ':available'`,
    [advertiserId],
  );
  return BigInt(rows[0]?.nanos ?? 0);
};

test('a balance · that falls below what its owner calls low · is told once until it is topped up', async () => {
  const line = await makeLine(database);
  const units = Number((await balanceOf(line)) / 1_000_000_000n);
  await balanceLow(line, units);
  await show(line, 1_000_000n);
  await show(line, 1_000_000n);
  expect(await toldTo(line)).toEqual([
    ['balance_low', { amount: expect.any(Number), currency: 'USD' }],
  ]);
  await inTransaction(database.db, async (tx) => {
    await forgetLowBalance(activityDeps(database), tx, line.advertiserId);
  });
  await show(line, 1_000_000n);
  expect(await toldTo(line)).toHaveLength(2);
});

test('a balance · above it · is not told', async () => {
  const line = await makeLine(database);
  await balanceLow(line, 0);
  await show(line, 1_000_000n);
  expect(await toldTo(line)).toEqual([]);
});

test('a budget · under which no event at the bid fits any more · is told once a day', async () => {
  const line = await makeLine(database);
  await balanceLow(line, 0);
  await database.pool.query(
    `UPDATE campaigns SET bid_nanos = 2000000000, daily_budget_nanos = 5000000 WHERE id = $1`,
    [line.campaignId],
  );
  await show(line, 2_000_000n);
  expect(await toldTo(line)).toEqual([]);
  await show(line, 2_000_000n);
  await show(line, 2_000_000n);
  expect(await toldTo(line)).toEqual([
    ['budget_spent', { name: expect.any(String), budget: 'daily' }],
  ]);
  await database.pool.query(`UPDATE campaigns SET total_budget_nanos = 4000000 WHERE id = $1`, [
    line.campaignId,
  ]);
  await show(line, 2_000_000n);
  expect((await toldTo(line)).at(1)).toEqual([
    'budget_spent',
    { name: expect.any(String), budget: 'total' },
  ]);
});
