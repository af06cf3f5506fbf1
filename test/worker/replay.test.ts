import { randomBytes } from 'node:crypto';
import { submitReview } from '../../activities/review/reviews.ts';
import { inTransaction } from '../../db/postgres.ts';
import { runCommand } from '../../dev/services/processes.ts';
import { replayLive } from '../../worker/replay.ts';
import { createTestDatabase, serviceUrl, type TestDatabase } from '../support/database.ts';
import { createTestFlows, type TestFlows } from '../support/flows.ts';
import { makeOperator } from '../support/make/account.ts';
import { makeReviewRows } from '../support/make/review-rows.ts';
import { until } from '../support/until.ts';
import { otherWorkflowBundle, testWorkflowBundle } from '../support/workflow-bundle.ts';

/** A namespace with two reviews, one of which waits for a person; what Temporal keeps of them is sealed. */
const secret = randomBytes(32);
const flowKeys = [{ id: 1, secret }];
let database: TestDatabase;
let flows: TestFlows;
let waiting: string;
let ended: string;

beforeAll(async () => {
  database = await createTestDatabase();
  flows = await createTestFlows(database, {}, flowKeys);
  [waiting, ended] = [await submit(), await submit()];
  await taskOf(waiting);
  const { id } = await makeOperator(database.db, 'REVIEWER');
  const { outboxId } = await flows.activities.decideTask({
    taskId: await taskOf(ended),
    operator: { id, role: 'REVIEWER' },
    decision: 'approve',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'test',
  });
  await flows.dispatcher.dispatch(outboxId);
  await flows.resultOf(ended);
  await until('the list knows of both', async () => {
    const { count } = await flows.client.workflow.count("ExecutionStatus = 'Completed'");
    return (
      count > 0 && (await flows.client.workflow.count("ExecutionStatus = 'Running'")).count > 0
    );
  });
}, 120_000);
afterAll(async () => {
  await flows?.close();
  await database?.close();
}, 60_000);

async function submit(): Promise<string> {
  const { creativeId: id, advertiserId: accountId } = await makeReviewRows(database);
  const about = { type: 'creative', id, accountId, revision: 1 } as const;
  const { workflowId } = await inTransaction(
    database.db,
    async (tx) => await submitReview(flows.deps, tx, about),
  );
  return workflowId;
}

const taskOf = async (workflowId: string): Promise<number> =>
  await until(`a task of ${workflowId}`, async () => {
    const task = await database.db.models.tasks.findOne({ where: { workflowId } });
    return task?.id;
  });

const asked = { flowKeys, buildId: null, since: new Date(0), eachMax: 10 };

it('live histories · one that waits and one that has ended, sealed · go on under the code of today', async () => {
  const workflowBundle = await testWorkflowBundle(true);
  expect(await replayLive(flows.client, { ...asked, workflowBundle })).toMatchObject({
    replayed: { reviewWorkflow: 2 },
    ofOtherBuilds: 0,
    failures: [],
  });
}, 60_000);

it('live histories · a build with another step · names each flow that would stop, and the step', async () => {
  const workflowBundle = await otherWorkflowBundle(true);
  const { failures } = await replayLive(flows.client, { ...asked, workflowBundle });
  const named = new Map(failures.map(({ workflowId, ...rest }) => [workflowId, rest]));
  const stopped = { type: 'reviewWorkflow', why: expect.stringContaining('TMPRL1100') };
  expect([named.get(waiting), named.get(ended)]).toMatchObject([stopped, stopped]);
  expect(failures).toHaveLength(2);
}, 60_000);

it('live histories · more of a type than are asked for · so many are replayed', async () => {
  const workflowBundle = await testWorkflowBundle(true);
  const told = await replayLive(flows.client, { ...asked, workflowBundle, eachMax: 1 });
  expect(told.replayed).toMatchObject({ reviewWorkflow: 1 });
}, 60_000);

it('npm run replay · as an operator types it · counts by type; another key is an error', async () => {
  const { codePath } = await testWorkflowBundle(true);
  const env = {
    ...process.env,
    TEMPORAL_ADDRESS: serviceUrl('TEMPORAL_ADDRESS'),
    TEMPORAL_NAMESPACE: flows.namespace,
    WORKFLOW_BUNDLE: codePath,
  };
  const run = async (key: Buffer) =>
    await runCommand(process.execPath, ['--import', 'tsx', 'worker/replay.ts', '1'], {
      cwd: process.cwd(),
      env: { ...env, FLOW_KEYS: `1:${key.toString('hex')}` },
    });
  const right = await run(secret);
  expect([right.stderr, right.code, right.stdout.trim()]).toEqual([
    '',
    0,
    expect.stringMatching(
      /^test-\w+, what runs and what ended in 1 h: .*reviewWorkflow 2\b.*; 0 end with other builds; 0 would stop$/,
    ),
  ]);
  expect((await run(randomBytes(32))).code).not.toBe(0);
}, 120_000);
