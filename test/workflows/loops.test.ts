import { randomBytes } from 'node:crypto';
import { Client, Connection, WorkflowFailedError } from '@temporalio/client';
import { DefaultLogger, Runtime, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { pino } from 'pino';
import { createActivities } from '../../activities/index.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { registerNamespace } from '../../dev/services/temporal-namespace.ts';

import { runPools } from '../../worker/pools.ts';
import {
  CLICK_EXPIRY_WORKFLOW,
  clickExpiryWorkflowId,
  CHAINS_WORKFLOW,
  CHAINS_WORKFLOW_ID,
  CONVERSIONS_WORKFLOW,
  CONVERSIONS_WORKFLOW_ID,
  type LoopInput,
  SETTLEMENT_WORKFLOW,
  settlementWorkflowId,
} from '../../workflows/contracts/loops.ts';
import {
  BOOKS_WORKFLOW,
  DOCUMENTS_WORKFLOW,
  IDENTITIES_WORKFLOW,
  MATURITY_WORKFLOW,
  REPORT_SCHEDULES_WORKFLOW,
  SITE_RECHECK_WORKFLOW,
  UPKEEP_WORKFLOW,
} from '../../workflows/contracts/schedules.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../support/database.ts';
import { captureHistory } from '../support/histories.ts';
import { ownTime } from '../support/own-time.ts';
import { activityDeps, append, eventOf, stored, verifiedClick } from '../support/settlement.ts';
import { eventually } from '../support/until.ts';
import { testWorkflowBundle } from '../support/workflow-bundle.ts';
import { type Line, makeLine } from '../support/make/line.ts';

/** The endless loops on a real Temporal, each on a shard of its own. */
let database: TestDatabase;
let connection: Connection;
let client: Client;
let workers: ReturnType<typeof runPools>;
let workflowBundle: WorkflowBundleOption;
let line: Line;
const namespace = `test-${randomBytes(6).toString('hex')}`;
const address = serviceUrl('TEMPORAL_ADDRESS');

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  database = await createTestDatabase();
  line = await makeLine(database, { pricingModel: 'CPC' });
  await registerNamespace(address, { namespace, retentionDays: 1 });
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
  workflowBundle = await testWorkflowBundle();
  workers = await startWorkers();
}, 90_000);

afterAll(async () => {
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus='Running'" })) {
    // It may have ended by itself meanwhile.
    await client.workflow
      .getHandle(workflowId)
      .terminate('test over')
      .catch(() => undefined);
  }
  await workers.stop();
  await connection.close();
  await database.close();
}, 60_000);

async function startWorkers(): Promise<ReturnType<typeof runPools>> {
  return await new Promise((resolve) => {
    const started = runPools(
      {
        address,
        namespace,
        activities: createActivities(activityDeps(database)),
        workflowBundle,
        flowKeys: [],
        log: pino({ level: 'silent' }),
        onRunning: () => {
          resolve(started);
        },
      },
      [
        { queue: 'loops', activitiesMax: 6, graceMs: 200 },
        { queue: 'upkeep', activitiesMax: 2, graceMs: 200 },
        { queue: 'calls', activitiesMax: 2, graceMs: 200 },
      ],
    );
  });
}

async function start(type: string, workflowId: string, input?: LoopInput) {
  return await client.workflow.start(type, {
    workflowId,
    taskQueue: 'loops',
    args: input === undefined ? [] : [input],
  });
}

const impression = (shard: number) => eventOf(line, { shard, track: { pricingModel: 'CPC' } });

async function expectJudged(id: string, withinMs = 15_000): Promise<void> {
  await eventually({ withinMs }, async () => {
    expect(await stored(database, id)).toMatchObject({ billable: true });
  });
}

test('settlement loop · events are appended · they are judged within about a second', async () => {
  await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(0), { shard: 0 });
  const first = impression(0);
  await append(database, first);
  await expectJudged(first.id);
  const waits: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const event = impression(0);
    const spent = ownTime();
    await append(database, event);
    await expectJudged(event.id);
    waits.push(spent());
  }
  expect(Math.min(...waits)).toBeLessThan(1_000);
});

test('settlement loop · reset in Temporal to its beginning · goes on from its cursor, nothing is judged twice', async () => {
  const event = impression(0);
  await append(database, event);
  await reset(settlementWorkflowId(0));
  await expectJudged(event.id);
  expect((await runBooks(runner(database.db))).filter((check) => !check.ok)).toEqual([]);
});

test('settlement loop · its worker is stopped and another one comes · nothing is lost or judged twice', async () => {
  await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(1), { shard: 1 });
  const before = Array.from({ length: 50 }, () => impression(1));
  await append(database, ...before);
  await workers.stop();
  const meanwhile = Array.from({ length: 50 }, () => impression(1));
  await append(database, ...meanwhile);
  workers = await startWorkers();
  for (const event of [...before, ...meanwhile]) await expectJudged(event.id, 30_000);
  expect((await runBooks(runner(database.db))).filter((check) => !check.ok)).toEqual([]);
}, 90_000);

test('settlement loop · its laps are used up · continues as new and goes on settling; the history replays', async () => {
  const handle = await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(2), {
    shard: 2,
    lapMs: 300,
    lapsPerRun: 2,
  });
  const firstRun = handle.firstExecutionRunId;
  await eventually(async () => {
    const { runId } = await client.workflow.getHandle(settlementWorkflowId(2)).describe();
    expect(runId).not.toBe(firstRun);
  });
  const event = impression(2);
  await append(database, event);
  await expectJudged(event.id);
  const history = await client.workflow.getHandle(settlementWorkflowId(2), firstRun).fetchHistory();
  await Worker.runReplayHistory({ workflowBundle }, history, settlementWorkflowId(2));
  const flow = { workflowId: settlementWorkflowId(2), runId: firstRun };
  await captureHistory(client, flow, 'settlementWorkflow.continued-as-new');
});

test('settlement loop · cancelled · ends within a tick', async () => {
  const handle = await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(3), { shard: 3 });
  await append(database, impression(3));
  await eventually(async () => {
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM settlement_cursors WHERE shard = 3',
    );
    expect(rowCount).toBe(1);
  });
  await handle.cancel();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
}, 60_000);

test('click expiry loop · a click is overdue, another falls due soon · both expire and are judged so', async () => {
  await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(4), { shard: 4 });
  const pending = async (agoMs: number) =>
    await verifiedClick(database, line, impression(4), {
      status: 'verify_pending',
      clickedAfterMs: -agoMs,
    });
  const overdue = await pending(400_000);
  const soon = await pending(298_000);
  await start(CLICK_EXPIRY_WORKFLOW, clickExpiryWorkflowId(4), { shard: 4 });
  await eventually(async () => {
    const { rows } = await database.pool.query<{ click_id: string }>(
      "SELECT click_id FROM events WHERE kind = 'click_expired' AND status = 'expired'",
    );
    expect(new Set(rows.map((row) => row.click_id))).toEqual(
      new Set([overdue.facts.clickId, soon.facts.clickId]),
    );
  });
});

test('chains loop · without a chain · looks lap after lap, and finds nothing', async () => {
  const handle = await client.workflow.start(CHAINS_WORKFLOW, {
    workflowId: CHAINS_WORKFLOW_ID,
    taskQueue: 'loops',
    args: [{ lapMs: 100, lapsPerRun: 1_000 }],
  });
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    const isLapped = events?.some((each) => Boolean(each.activityTaskCompletedEventAttributes));
    expect(isLapped).toBe(true);
  });
});

test('conversions loop · a report waits for its click · is decided after it, and the loop goes on', async () => {
  const event = impression(5);
  const click = await verifiedClick(database, line, event);
  const { clickId = '' } = click.facts;
  const report = { code: undefined, clickId, valueNanos: undefined, currency: undefined };
  const { conversionId } = await createActivities(activityDeps(database)).recordConversion({
    ...report,
    transactionId: undefined,
    eventType: undefined,
    source: 'api',
  });
  const handle = await client.workflow.start(CONVERSIONS_WORKFLOW, {
    workflowId: CONVERSIONS_WORKFLOW_ID,
    taskQueue: 'loops',
    args: [{ lapMs: 1_000, lapsPerRun: 1_000 }],
  });
  const statusOf = async (): Promise<string | undefined> =>
    (
      await database.pool.query<{ status: string }>(
        'SELECT status FROM conversions WHERE public_id = $1',
        [conversionId],
      )
    ).rows[0]?.status;
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    const isLapped = events?.some((each) => Boolean(each.activityTaskCompletedEventAttributes));
    expect(isLapped).toBe(true);
  });
  expect(await statusOf()).toBe('RECEIVED');
  await append(database, event, click);
  await start(SETTLEMENT_WORKFLOW, settlementWorkflowId(5), { shard: 5 });
  await eventually(async () => expect(await statusOf()).toBe('UNBILLED'));
});

test('upkeep · started by its schedule · does its round and ends', async () => {
  const handle = await round(UPKEEP_WORKFLOW, 'upkeep');
  await handle.result();
  const { rows } = await database.pool.query<{ there: boolean }>(
    `SELECT to_regclass('event_inbox_' || to_char(current_date + 7, 'YYYYMMDD')) IS NOT NULL AS there`,
  );
  expect(rows).toEqual([{ there: true }]);
});

test.each([
  [MATURITY_WORKFLOW, 'maturity'],
  [SITE_RECHECK_WORKFLOW, 'site-recheck'],
  [BOOKS_WORKFLOW, 'books'],
  [DOCUMENTS_WORKFLOW, 'documents'],
  [IDENTITIES_WORKFLOW, 'identities'],
  [REPORT_SCHEDULES_WORKFLOW, 'report-schedules'],
])('%s · started by its schedule · does its round and ends', async (type, workflowId) => {
  await expect((await round(type, workflowId)).result()).resolves.toBeUndefined();
  // Its rows say what is due: done once more, it finds nothing.
  await reset(workflowId);
  await expect(client.workflow.getHandle(workflowId).result()).resolves.toBeUndefined();
});

/** To its beginning, as the button of Temporal's page does. */
async function reset(workflowId: string): Promise<void> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  await client.workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: 4 as never,
    reason: 'test',
    requestId: `reset-${runId}`,
  });
}

async function round(type: string, workflowId: string) {
  return await client.workflow.start(type, { workflowId, taskQueue: 'upkeep', args: [] });
}

test('histories · when asked for · are kept', async () => {
  for await (const { workflowId, runId, type } of client.workflow.list()) {
    if (type === SETTLEMENT_WORKFLOW) continue;
    const name = type === CLICK_EXPIRY_WORKFLOW ? 'running' : 'round';
    await captureHistory(client, { workflowId, runId }, `${type}.${name}`);
  }
});
