import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { registerNamespace } from '../../dev/services/temporal-namespace.ts';
import { ensureLoops, loopsOf } from '../../worker/loops.ts';
import {
  MATURITY_WORKFLOW_ID,
  settlementWorkflowId,
  UPKEEP_WORKFLOW_ID,
} from '../../workflows/contracts/loops.ts';
import { serviceUrl } from '../support/database.ts';

let connection: Connection;
let client: Client;
const loops = loopsOf(2);

beforeAll(async () => {
  const address = serviceUrl('TEMPORAL_ADDRESS');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  await registerNamespace(address, { namespace, retentionDays: 1 });
  connection = await Connection.connect({ address });
  client = new Client({ connection, namespace });
}, 60_000);

afterAll(async () => {
  for (const { workflowId } of loops) {
    await client.workflow.getHandle(workflowId).terminate('test over');
  }
  await connection.close();
});

const runOf = async (workflowId: string): Promise<string> => {
  const { runId, status } = await client.workflow.getHandle(workflowId).describe();
  return `${status.name}:${runId}`;
};

it('loops · two shards · settlement and click expiry of each, upkeep and maturity', () => {
  expect(loops.map((loop) => loop.workflowId)).toEqual([
    'settlement:0',
    'click-expiry:0',
    'settlement:1',
    'click-expiry:1',
    UPKEEP_WORKFLOW_ID,
    MATURITY_WORKFLOW_ID,
  ]);
});

it('ensureLoops · while all run · starts nothing anew', async () => {
  await ensureLoops(client, loops);
  const before = await Promise.all(loops.map(async (loop) => await runOf(loop.workflowId)));
  await Promise.all([ensureLoops(client, loops), ensureLoops(client, loops)]);
  const after = await Promise.all(loops.map(async (loop) => await runOf(loop.workflowId)));
  expect(after).toEqual(before);
  expect(before.every((run) => run.startsWith('RUNNING'))).toBe(true);
});

it('ensureLoops · after somebody terminated a loop · it runs again', async () => {
  await ensureLoops(client, loops);
  const before = await runOf(settlementWorkflowId(1));
  await client.workflow.getHandle(settlementWorkflowId(1)).terminate('by mistake');
  await ensureLoops(client, loops);
  const after = await runOf(settlementWorkflowId(1));
  expect(after).toMatch(/^RUNNING/);
  expect(after).not.toBe(before);
});
