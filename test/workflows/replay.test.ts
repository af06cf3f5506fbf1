import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { type StoredHistory, storedHistories } from '../support/histories.ts';
import { testWorkflowBundle } from '../support/workflow-bundle.ts';

const histories = storedHistories();
let workflowBundle: { codePath: string };
/** What was wrong with each, by the id of its run. */
const replayed = new Map<string, Error | undefined>();

const runIdOf = ({ history }: StoredHistory): string =>
  history.events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId ?? '';

beforeAll(async () => {
  // Core prints a replay that fails; the assertion below says it better.
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  // As the flows of tests ran, whose waits are shorter and fewer: with other waits they go other ways.
  workflowBundle = await testWorkflowBundle();
  // One worker for all: each would load the bundle anew.
  for await (const { runId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    replayed.set(runId, error);
  }
}, 120_000);

it.each(histories)('$name · replayed against the code of today · same steps', (stored) => {
  expect(replayed.has(runIdOf(stored))).toBe(true);
  expect(replayed.get(runIdOf(stored))).toBeUndefined();
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
  const errors: string[] = [];
  for await (const { error } of Worker.runReplayHistories({ workflowBundle }, [stored])) {
    errors.push(error?.message ?? '');
  }
  expect(errors).toEqual([expect.stringContaining('TMPRL1100')]);
  type.name = name;
});

it.each(histories)('$name · is of the flow that it is called by', ({ name, type }) => {
  expect(name.split('.')[0]).toBe(type);
});

/** Ways that a flow may have gone when it was stopped by a deploy; each must go on. */
const WAYS: Record<string, string[]> = {
  withdrawalWorkflow: [
    'answer-lost',
    'bank-paid',
    'cancelled-while-cooling',
    'cannot-be-sent',
    'kept-waiting-hidden',
    'kept-waiting-lost',
    'looked-first',
    'refused-then-ended',
    'refused-then-mended',
    'rejected',
    'risk-hold',
    'second-approval',
    'sender-died',
    'sent-again',
    'unsent-then-mended',
  ],
  depositWorkflow: [
    'cancelled',
    'expired',
    'paid',
    'partial-approved',
    'refused-then-mended',
    // Of builds before: told as refunded when it was decided.
    'refunded',
    'second-approval',
    'sent-back',
    'waiting',
    'wallet-paid',
  ],
  suspenseWorkflow: [
    'credited',
    'refunded',
    'sent-back-by-alipay',
    'sent-back-by-hand',
    'sent-back-by-wechat',
  ],
  reviewWorkflow: ['auto', 'human-approve', 'refused-then-human', 'waiting', 'withdrawn'],
  siteVerificationWorkflow: ['completed-round-1', 'withdrawn'],
  domainTransferWorkflow: ['disputed', 'moved', 'withdrawn'],
  // Endless in builds before; a round of a schedule now. Both go on (`patched`).
  upkeepWorkflow: ['round', 'running'],
  maturityWorkflow: ['round', 'running'],
};

it.each(Object.entries(WAYS))('%s · %j · is kept for each way', (type, ways) => {
  const kept = histories.filter((stored) => stored.type === type);
  const scenarios = kept.map(({ name }) => name.split('.')[1]);
  expect(ways.filter((way) => !scenarios.includes(way))).toEqual([]);
});

it('every flow of the platform · has a kept history', () => {
  const index = readFileSync(path.resolve('workflows/index.ts'), 'utf8');
  const flows = [...index.matchAll(/export \{ (\w+) \}/g)].map((match) => match[1]);
  const kept = new Set(histories.map((stored) => stored.type));
  expect(flows.filter((flow) => flow === undefined || !kept.has(flow))).toEqual([]);
});
