import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { registerNamespace } from '../../dev/services/temporal-namespace.ts';
import { endRetiredLoops, ensureLoops, loopsOf } from '../../worker/loops.ts';
import {
  CHAINS_WORKFLOW_ID,
  CONVERSIONS_WORKFLOW_ID,
  RETIRED_LOOPS,
  settlementWorkflowId,
} from '../../workflows/contracts/loops.ts';
import { SCHEDULED_FLOWS, UPKEEP_WORKFLOW } from '../../workflows/contracts/schedules.ts';
import { ensureSchedules } from '../../worker/schedules.ts';
import { eventually } from '../support/until.ts';
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

it('loops · two shards · settlement and click expiry of each, conversions and chains', () => {
  expect(loops.map((loop) => loop.workflowId)).toEqual([
    'settlement:0',
    'click-expiry:0',
    'settlement:1',
    'click-expiry:1',
    CONVERSIONS_WORKFLOW_ID,
    CHAINS_WORKFLOW_ID,
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

it('loops of a build before · still running · are ended; again, nothing happens', async () => {
  for (const workflowId of RETIRED_LOOPS) {
    await client.workflow.start(UPKEEP_WORKFLOW, { workflowId, taskQueue: 'loops' });
  }
  await endRetiredLoops(client);
  await endRetiredLoops(client);
  for (const workflowId of RETIRED_LOOPS) expect(await runOf(workflowId)).toMatch(/^TERMINATED/);
});

describe('schedules', () => {
  const ids = async (): Promise<string[]> => {
    const found: string[] = [];
    for await (const { scheduleId } of client.schedule.list()) found.push(scheduleId);
    return found.sort((a, b) => a.localeCompare(b));
  };
  const declared = SCHEDULED_FLOWS.map(({ scheduleId }) => scheduleId).sort((a, b) =>
    a.localeCompare(b),
  );
  const upkeep = () => client.schedule.getHandle('upkeep');

  it('none are there · ensured twice at once · each once, with its rhythm and policies', async () => {
    await Promise.all([
      ensureSchedules(client, { rewrite: true }),
      ensureSchedules(client, { rewrite: true }),
    ]);
    await eventually(async () => {
      expect(await ids()).toEqual(declared);
    });
    const { spec, policies, action } = await upkeep().describe();
    expect(spec.intervals?.map(({ every }) => every)).toEqual([3_600_000]);
    expect(policies).toMatchObject({ overlap: 'SKIP', catchupWindow: 3_600_000 });
    expect(action).toMatchObject({ workflowType: UPKEEP_WORKFLOW, taskQueue: 'upkeep' });
  });

  it('changed by hand and paused · rewritten · has its rhythm again, and stays paused', async () => {
    await upkeep().update((found) => ({ ...found, spec: { intervals: [{ every: '5m' }] } }));
    // One that has a pause and a change before it at once takes the change last, with its old state.
    await eventually(async () => {
      expect((await upkeep().describe()).spec.intervals?.[0]?.every).toBe(300_000);
    });
    await upkeep().pause('an operator looks into it');
    // A schedule that is just starting a round answers as it was before.
    await eventually(async () => {
      const { spec, state } = await upkeep().describe();
      expect([spec.intervals?.[0]?.every, state.paused]).toEqual([300_000, true]);
    });
    await ensureSchedules(client, { rewrite: false });
    expect((await upkeep().describe()).spec.intervals?.[0]?.every).toBe(300_000);
    await ensureSchedules(client, { rewrite: true });
    await eventually(async () => {
      const { spec, state } = await upkeep().describe();
      expect(spec.intervals?.[0]?.every).toBe(3_600_000);
      expect(state).toMatchObject({ paused: true, note: 'an operator looks into it' });
    });
  });

  it('as declared · rewritten again · nothing is written, so that a pause of this moment stays', async () => {
    const before = (await upkeep().describe()).info.lastUpdatedAt;
    await ensureSchedules(client, { rewrite: true });
    expect((await upkeep().describe()).info.lastUpdatedAt).toEqual(before);
  });

  it('one was deleted, one is of a build before · ensured · made anew, and deleted', async () => {
    await client.schedule.create({
      scheduleId: 'of-a-build-before',
      spec: { intervals: [{ every: '1h' }] },
      action: { type: 'startWorkflow', workflowType: UPKEEP_WORKFLOW, taskQueue: 'upkeep' },
    });
    await upkeep().delete();
    await eventually(async () => {
      expect(await ids()).toEqual(
        [...declared.filter((id) => id !== 'upkeep'), 'of-a-build-before'].sort((a, b) =>
          a.localeCompare(b),
        ),
      );
    });
    await ensureSchedules(client, { rewrite: false });
    await eventually(async () => {
      expect(await ids()).toEqual(declared);
    });
  });
});
