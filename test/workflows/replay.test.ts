import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { storedHistories } from '../support/histories.ts';

const histories = storedHistories();
let workflowBundle: { code: string };

beforeAll(async () => {
  // Core prints a replay that fails; the assertion below says it better.
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  workflowBundle = await bundleWorkflowCode({
    workflowsPath: path.resolve('workflows/index.ts'),
    logger: new DefaultLogger('ERROR'),
  });
});

it.each(histories)('$name · replayed against the code of today · same steps', async (stored) => {
  await expect(
    Worker.runReplayHistory({ workflowBundle }, stored.history, stored.workflowId),
  ).resolves.toBeUndefined();
});

it('replay · a history of another order of steps · is found out', async () => {
  const [stored] = histories;
  if (stored === undefined) throw new Error('no history is kept');
  const types = (stored.history.events ?? []).flatMap(
    (event) => event.activityTaskScheduledEventAttributes?.activityType ?? [],
  );
  const [type] = types;
  if (type === undefined) throw new Error('no step in the history');
  const name = type.name ?? '';
  type.name = 'anotherStep';
  await expect(
    Worker.runReplayHistory({ workflowBundle }, stored.history, stored.workflowId),
  ).rejects.toThrow('TMPRL1100');
  type.name = name;
});

it('every flow of the platform · has a kept history', () => {
  const index = readFileSync(path.resolve('workflows/index.ts'), 'utf8');
  const flows = [...index.matchAll(/export \{ (\w+) \}/g)].map((match) => match[1]);
  const kept = new Set(histories.map((stored) => stored.name.split('.')[0]));
  expect(flows.filter((flow) => flow === undefined || !kept.has(flow))).toEqual([]);
});
