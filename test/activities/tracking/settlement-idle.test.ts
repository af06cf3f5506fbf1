import { MockActivityEnvironment } from '@temporalio/testing';
import {
  createSettlementActivities,
  type ShardLap,
} from '../../../activities/tracking/settlement.ts';
import { createServingInventory } from '../../../api/ad/snapshot.ts';
import type { BudgetNotice } from '../../../db/serving/snapshot-store.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Line, makeLine } from '../../support/make/line.ts';
import { activityDeps, append, eventOf, store } from '../../support/settlement.ts';
import { until } from '../../support/until.ts';

/** What a shard says when it has fallen idle, so that serving lets go of what it holds of it. */
let database: TestDatabase;
let line: Line;

beforeAll(async () => {
  database = await createTestDatabase();
  line = await makeLine(database);
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE outbox');
});
afterAll(async () => {
  await database.close();
});

const IDLE_MS = 200;
const settlement = (): ReturnType<typeof createSettlementActivities> =>
  createSettlementActivities(activityDeps(database), { idleMs: IDLE_MS });

const lapOf = async (activities: ReturnType<typeof settlement>, runForMs = 1): Promise<ShardLap> =>
  await new MockActivityEnvironment().run(
    async () => await activities.settleShard({ shard: 0, runForMs, tickMs: 20 }),
  );

async function told(): Promise<BudgetNotice[]> {
  const { rows } = await database.pool.query<{ payload: { budgets: BudgetNotice } }>(
    `SELECT payload FROM outbox WHERE kind = 'publish' ORDER BY id`,
  );
  return rows.map(({ payload }) => payload.budgets);
}

/** Laps of one look each, until the shard has said that it is idle. */
const idleWordOf = async (activities: ReturnType<typeof settlement>): Promise<void> => {
  await until('the shard says that it is idle', async () => {
    expect(await lapOf(activities)).toMatchObject({ events: 0 });
    return (await told()).length === 2;
  });
};

test('a shard has settled and nothing more comes · it says once how far it is, and nothing of money', async () => {
  const activities = settlement();
  await append(database, eventOf(line));
  const begunMs = Date.now();
  expect(await lapOf(activities)).toMatchObject({ events: 1, billable: 1 });
  await idleWordOf(activities);
  const [batch, idle, ...more] = await told();
  expect(more).toEqual([]);
  expect(Object.keys(batch?.campaigns ?? {})).toEqual([String(line.campaignId)]);
  expect(idle).toMatchObject({ available: {}, campaigns: {}, adgroups: {}, settled: { shard: 0 } });
  // A second back, for what was received and is not stored yet.
  expect(idle?.settled?.untilMs).toBeGreaterThan(begunMs + IDLE_MS - 1_000 - 1);
  expect(idle?.settled?.untilMs).toBeLessThanOrEqual(Date.now() - 1_000);
  await lapOf(activities, IDLE_MS * 3);
  expect(await told()).toHaveLength(2);
});

test('a shard that has had no event · says nothing', async () => {
  expect(await lapOf(settlement(), IDLE_MS * 3)).toMatchObject({ events: 0 });
  expect(await told()).toEqual([]);
});

test('an event that is stored and cannot be read yet · is not said to be settled', async () => {
  const activities = settlement();
  await append(database, eventOf(line));
  expect(await lapOf(activities)).toMatchObject({ events: 1 });
  // A transaction that has written and goes on holds everything back that comes after it.
  const writer = await database.pool.connect();
  try {
    await writer.query('BEGIN');
    await writer.query('CREATE TABLE held_back (id int)');
    const at = new Date(Date.now() - 60_000);
    await store(database, eventOf(line, { at }));
    await idleWordOf(activities);
    expect((await told()).at(-1)?.settled?.untilMs).toBeLessThanOrEqual(at.getTime());
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
});

test('serving is told of a shard that is idle · what it held is free, and no money has changed', () => {
  const inventory = createServingInventory({ cdnUrl: 'http://cdn.example' });
  const { holds } = inventory.current();
  const spend = { day: 0, todayNanos: 0n, totalNanos: 0n, heldNanos: 0n, keptIn: 0 };
  const payers = {
    advertiser: { id: 1, active: true, availableNanos: 9n, heldNanos: 0n, noticedAt: 0, keptIn: 0 },
    campaign: { spend: { ...spend } },
    adGroup: { spend: { ...spend } },
  };
  const shownAt = Date.parse('2026-11-25T10:00:00Z');
  holds.add(payers, 5n, new Date(shownAt));
  const day = '2026-11-25';
  const word = (untilMs: number): BudgetNotice => {
    const nothing = { available: {}, campaigns: {}, adgroups: {} };
    return { day, ...nothing, settled: { shard: 0, untilMs } };
  };
  inventory.applyBudgets(word(shownAt + 2_000));
  expect(holds.heldNanos()).toBe(5n);
  inventory.applyBudgets(word(shownAt + 3_500));
  expect(holds.heldNanos()).toBe(0n);
  expect(payers.advertiser).toMatchObject({ availableNanos: 9n, heldNanos: 0n });
});
