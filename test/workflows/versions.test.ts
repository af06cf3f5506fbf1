import { pino } from 'pino';
import { submitReview } from '../../activities/review/reviews.ts';
import { inTransaction } from '../../db/postgres.ts';
import { makeCurrent, whyKept } from '../../worker/deployment.ts';
import { runPools } from '../../worker/pools.ts';
import { replayLive } from '../../worker/replay.ts';
import { SETTLEMENT_WORKFLOW, settlementWorkflowId } from '../../workflows/contracts/loops.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../support/database.ts';
import { makeOperator } from '../support/make/account.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { eventually, until } from '../support/until.ts';
import {
  FIRST_STEP,
  OTHER_STEP,
  otherWorkflowBundle,
  testWorkflowBundle,
} from '../support/workflow-bundle.ts';

/**
 * Two builds side by side, as while a new one is rolled out and taken back (worker/README.md). Their reviews begin
 * with steps of different names: one that met the other's code would stand still.
 */
let database: TestDatabase;
let flows: TestFlows;
const builds: ReturnType<typeof runPools>[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(
    database,
    {},
    [],
    [{ queue: 'mail', activitiesMax: 1, graceMs: 200 }],
  );
}, 60_000);
afterAll(async () => {
  await flows.close();
  await Promise.all(builds.map(async (build) => await build.stop()));
  await database.close();
}, 60_000);

async function startBuild(buildId: 'one' | 'two'): Promise<void> {
  const workflowBundle = await bundleOf(buildId);
  const { [FIRST_STEP]: step, ...others }: Record<string, unknown> = { ...flows.activities };
  const named = { [buildId === 'one' ? FIRST_STEP : OTHER_STEP]: step };
  await new Promise<void>((resolve) => {
    builds.push(
      runPools(
        {
          address: serviceUrl('TEMPORAL_ADDRESS'),
          namespace: flows.namespace,
          buildId,
          flowKeys: [],
          activities: { ...others, ...named },
          workflowBundle,
          log: pino({ level: 'silent' }),
          onRunning: resolve,
        },
        [
          { queue: 'review', activitiesMax: 2, graceMs: 200 },
          { queue: 'loops', activitiesMax: 2, graceMs: 200 },
        ],
      ),
    );
  });
}

const bundleOf = async (buildId: 'one' | 'two') =>
  await (buildId === 'one' ? testWorkflowBundle() : otherWorkflowBundle());

/** Of every flow that ran: code that met the steps of the other fails a task of its flow, and tries again. */
async function failedTasks(): Promise<string[]> {
  const failed: string[] = [];
  for await (const { workflowId, runId } of flows.client.workflow.list()) {
    const { events } = await flows.client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: task } of events ?? []) {
      if (task) failed.push(`${workflowId}: ${task.failure?.message}`);
    }
  }
  return failed;
}

/** The server hears of a build from its workers' first polls. */
const promote = async (buildId: string): Promise<void> => {
  await eventually(async () => {
    await makeCurrent(flows.client, { namespace: flows.namespace, buildId });
  });
};

const whyOf = async (buildId: string): Promise<string | null> =>
  await whyKept(flows.client, { namespace: flows.namespace, buildId });

const buildOf = async (workflowId: string): Promise<string | null | undefined> => {
  const { raw } = await flows.client.workflow.getHandle(workflowId).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
};

async function submit(): Promise<{ workflowId: string; taskId: number }> {
  const { creativeId: id, advertiserId: accountId } = await makeReviewRows(database);
  const { workflowId } = await inTransaction(
    database.db,
    async (tx) =>
      await submitReview(flows.deps, tx, { type: 'creative', id, accountId, revision: 1 }),
  );
  const taskId = await until(`a task of ${workflowId}`, async () => {
    const task = await database.db.models.tasks.findOne({ where: { workflowId } });
    return task?.id;
  });
  return { workflowId, taskId };
}

async function approve({ workflowId, taskId }: { workflowId: string; taskId: number }) {
  const { id } = await makeOperator(database.db, 'REVIEWER');
  const { outboxId } = await flows.activities.decideTask({
    taskId,
    operator: { id, role: 'REVIEWER' },
    decision: 'approve',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'test',
  });
  await flows.dispatcher.dispatch(outboxId);
  return await flows.resultOf(workflowId);
}

test('a build is rolled out, and taken back · flows end with their own, loops take the newest, none fails', async () => {
  await startBuild('one');
  await promote('one');
  const old = await submit();
  const loop = settlementWorkflowId(0);
  await flows.client.workflow.start(SETTLEMENT_WORKFLOW, {
    workflowId: loop,
    taskQueue: 'loops',
    args: [{ shard: 0, lapMs: 300 }],
  });
  await eventually(async () => {
    expect([await buildOf(old.workflowId), await buildOf(loop)]).toEqual(['one', 'one']);
  });

  await startBuild('two');
  await promote('two');
  const young = await submit();
  await eventually({ withinMs: 30_000 }, async () => {
    expect([await buildOf(young.workflowId), await buildOf(loop)]).toEqual(['two', 'two']);
  });
  // What a replay before the roll-out has to say: the old one waits for its own build, the young one goes on.
  const workflowBundle = await bundleOf('two');
  const asked = { workflowBundle, flowKeys: [], buildId: 'two', since: new Date(0), eachMax: 100 };
  await eventually({ withinMs: 60_000 }, async () => {
    expect(await replayLive(flows.client, asked)).toMatchObject({
      ofOtherBuilds: 1,
      failures: [],
      replayed: { reviewWorkflow: 1 },
    });
  });
  expect(await approve(old)).toBe('APPROVED');
  expect(await buildOf(old.workflowId)).toBe('one');

  await promote('one');
  const third = await submit();
  await eventually({ withinMs: 30_000 }, async () => {
    expect([await buildOf(third.workflowId), await buildOf(loop)]).toEqual(['one', 'one']);
  });
  expect(await approve(young)).toBe('APPROVED');
  expect(await buildOf(young.workflowId)).toBe('two');
  expect(await whyOf('one')).toMatch(/is the current build/);
  expect(await approve(third)).toBe('APPROVED');

  // The last worker of a build stays until nothing waits for it.
  const last = await submit();
  await promote('two');
  await eventually({ withinMs: 30_000 }, async () => {
    expect(await buildOf(loop)).toBe('two');
    expect(await whyOf('one')).toMatch(/^1 flows end with one/);
  });
  expect(await approve(last)).toBe('APPROVED');
  await eventually({ withinMs: 30_000 }, async () => {
    expect(await whyOf('one')).toBeNull();
  });
  expect(await whyOf('two')).toMatch(/is the current build/);
  await expect(whyOf('three')).rejects.toThrow('no build of that name');
  expect(await failedTasks()).toEqual([]);
}, 180_000);
