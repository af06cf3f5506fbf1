import { createSettlementActivities } from '../../activities/tracking/settlement.ts';
import { restoreBatch } from '../../activities/reversals/appeal-restores.ts';
import { runBooks } from '../../db/queries/books.ts';
import { chart } from '../../domain/ledger/chart.ts';
import { removalAppealWorkflowId } from '../../workflows/contracts/removal-appeal.ts';
import { type Caller, dataOf, idOf } from '../support/call.ts';
import { captureHistory } from '../support/histories.ts';
import { makeOperator } from '../support/make/account.ts';
import { type Line, makeLine } from '../support/make/line.ts';
import { balanceOf } from '../support/make/money.ts';
import { activityDeps, append, eventOf } from '../support/settlement.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { until } from '../support/until.ts';

/** interface 4.11: what was removed wrongly is billed and paid, by whoever should. */
let stand: FlowStand;
let first: Caller;
let second: Caller;
const DAY_MS = 86_400_000;
const at = new Date(Date.now() - DAY_MS);
const PRICE = 1_000_000n;

beforeAll(async () => {
  stand = await createStand({ flows: {}, realTime: true });
  const { database } = stand;
  first = stand.as('admin', (await makeOperator(database.db, 'FINANCE')).id);
  second = stand.as('admin', (await makeOperator(database.db, 'FINANCE')).id);
}, 120_000);
afterAll(async () => await stand?.close(), 60_000);

/** So many removed impressions of yesterday, on a zone of their own. */
async function removed(line: Line, count: number): Promise<void> {
  const events = Array.from({ length: count }, () =>
    eventOf(line, { at, priceNanos: PRICE, facts: { userAgent: 'bot' } }),
  );
  await append(stand.database, ...events);
  await createSettlementActivities(activityDeps(stand.database)).settleBatch({ shard: 0 });
}

async function appeal(line: Line): Promise<{ appealId: number; workflowId: string }> {
  const publisher = stand.as('publisher', line.publisherId);
  const date = at.toISOString().slice(0, 10);
  const body = { zone_id: line.zoneId, date, reason: 'BOT_UA', text: 'A screen reader.' };
  const appealId = idOf(await publisher.post('/removal-appeals', body));
  return { appealId, workflowId: removalAppealWorkflowId({ appealId }) };
}

async function taskOf(workflowId: string, kind: string): Promise<number> {
  return await until(`a task ${kind}`, async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND kind = $2 AND status = 'open'`,
      [workflowId, kind],
    );
    return rows[0] === undefined ? undefined : Number(rows[0].id);
  });
}

const uphold = async (who: Caller, taskId: number): Promise<number> =>
  (await who.post(`/tasks/${taskId}/decision`, { decision: 'uphold' })).status;

const broken = async (): Promise<string[]> =>
  (await runBooks(stand.database.pool)).filter(({ ok }) => !ok).map(({ name }) => name);

const earned = async (line: Line): Promise<bigint> =>
  await balanceOf(stand.database, chart.publisherEarned(line.publisherId, 0));

test('an appeal upheld · the advertiser has room · is billed and paid to the nano, and shown', async () => {
  const line = await makeLine(stand.database);
  await removed(line, 3);
  const before = await balanceOf(stand.database, chart.advertiserAvailable(line.advertiserId));
  const { appealId, workflowId } = await appeal(line);
  expect(await uphold(first, await taskOf(workflowId, 'removal_appeal'))).toBe(200);
  await expect(stand.flows.resultOf(workflowId)).resolves.toBe('UPHELD');
  expect(await earned(line)).toBe(3n * 700_000n);
  const after = await balanceOf(stand.database, chart.advertiserAvailable(line.advertiserId));
  expect(before - after).toBe(3n * PRICE);
  const publisher = stand.as('publisher', line.publisherId);
  const day = at.toISOString().slice(0, 10);
  const report = dataOf(await publisher.get(`/statistics/report?start_date=${day}`));
  expect(report['totals']).toMatchObject({ impressions: 3, removed: 0, revenue: 0.0021 });
  // A step that is begun again has nothing left to do.
  await restoreBatch(activityDeps(stand.database), appealId);
  expect(await earned(line)).toBe(3n * 700_000n);
  expect(await broken()).toEqual([]);
  await captureHistory(stand.flows.client, { workflowId }, 'removalAppealWorkflow.restored');
});

test('an appeal upheld · budget for one, or no balance · the platform pays the publisher’s share of the rest', async () => {
  const line = await makeLine(stand.database, { dailyNanos: PRICE });
  await removed(line, 3);
  const cost = await balanceOf(stand.database, chart.appealCost());
  const { workflowId } = await appeal(line);
  expect(await uphold(first, await taskOf(workflowId, 'removal_appeal'))).toBe(200);
  await stand.flows.resultOf(workflowId);
  expect(await earned(line)).toBe(3n * 700_000n);
  expect(cost - (await balanceOf(stand.database, chart.appealCost()))).toBe(2n * 700_000n);
  expect(await broken()).toEqual([]);
});

test('an appeal above the limit · upheld by one operator · moves nothing until another agrees', async () => {
  const { pool } = stand.database;
  await pool.query(
    `INSERT INTO settings (key, value) VALUES ('payout.second_approval_above', '0')`,
  );
  const line = await makeLine(stand.database);
  await removed(line, 2);
  const { workflowId } = await appeal(line);
  expect(await uphold(first, await taskOf(workflowId, 'removal_appeal'))).toBe(200);
  const asked = await taskOf(workflowId, 'removal_appeal_second_approval');
  expect(await earned(line)).toBe(0n);
  expect(await uphold(first, asked)).toBe(403);
  expect(await earned(line)).toBe(0n);
  expect(await uphold(second, asked)).toBe(200);
  await expect(stand.flows.resultOf(workflowId)).resolves.toBe('UPHELD');
  expect(await earned(line)).toBe(2n * 700_000n);
  expect(await broken()).toEqual([]);
  await captureHistory(stand.flows.client, { workflowId }, 'removalAppealWorkflow.second');
});
