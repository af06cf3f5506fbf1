import { createClickExpiryActivities } from '../../../activities/tracking/click-expiry.ts';
import { createSettlementActivities } from '../../../activities/tracking/settlement.ts';
import { runner } from '../../../db/postgres.ts';
import { runBooks } from '../../../db/queries/books.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps, eventOf, verifiedClick, whenReadable } from '../../support/settlement.ts';
import { type Line, makeLine } from '../../support/make/line.ts';

let database: TestDatabase;
let line: Line;
let activities: ReturnType<typeof createClickExpiryActivities>;
let settleBatch: ReturnType<typeof createSettlementActivities>['settleBatch'];

beforeEach(async () => {
  database = await createTestDatabase();
  line = await makeLine(database);
  activities = createClickExpiryActivities(activityDeps(database));
  ({ settleBatch } = createSettlementActivities(activityDeps(database)));
});
afterEach(async () => {
  await database.close();
});

const pendingClick = async (agoSeconds: number) =>
  await verifiedClick(database, line, eventOf(line), {
    status: 'verify_pending',
    clickedAfterMs: -agoSeconds * 1_000,
  });

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await database.pool.query<{ status: string; n: number }>(
    'SELECT status, count(*)::int AS n FROM clicks GROUP BY status',
  );
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}

test('sweepClicks · one overdue, one not · the overdue one expires with an event, the next deadline is told', async () => {
  const overdue = await pendingClick(400);
  await pendingClick(100);
  const sweep = await activities.sweepClicks({ shard: 0 });
  expect(sweep.expired).toBe(1);
  expect(sweep.nextDueMs).toBeGreaterThan(190_000);
  expect(sweep.nextDueMs).toBeLessThan(201_000);
  expect(await statuses()).toEqual({ expired: 1, verify_pending: 1 });
  await whenReadable(database);
  await settleBatch({ shard: 0 });
  const { rows } = await database.pool.query(
    'SELECT kind, status, billable, reason, click_id, advertiser_id::int FROM events',
  );
  expect(rows).toEqual([
    {
      kind: 'click_expired',
      status: 'expired',
      billable: false,
      reason: null,
      click_id: overdue.facts.clickId,
      advertiser_id: line.advertiserId,
    },
  ]);
  expect((await runBooks(runner(database.db))).filter((check) => !check.ok)).toEqual([]);
});

test('sweepClicks · twice, and four at once · each click expires once', async () => {
  for (let made = 0; made < 20; made += 1) await pendingClick(400);
  const sweeps = await Promise.all(
    [0, 0, 0, 0].map(async (shard) => await activities.sweepClicks({ shard })),
  );
  expect(sweeps.reduce((sum, { expired }) => sum + expired, 0)).toBe(20);
  expect(await activities.sweepClicks({ shard: 0 })).toEqual({ expired: 0, nextDueMs: null });
  const { rows } = await database.pool.query(
    "SELECT count(*)::int AS n FROM event_inbox WHERE kind = 'click_expired'",
  );
  expect(rows).toEqual([{ n: 20 }]);
});

test('sweepClicks · verified clicks and other shards · are left alone', async () => {
  await verifiedClick(database, line, eventOf(line), { clickedAfterMs: -400_000 });
  await pendingClick(400);
  expect(await activities.sweepClicks({ shard: 1 })).toEqual({ expired: 0, nextDueMs: null });
  await activities.sweepClicks({ shard: 0 });
  expect(await statuses()).toEqual({ verified: 1, expired: 1 });
});
