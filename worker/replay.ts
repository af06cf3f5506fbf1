import {
  Client,
  Connection,
  type WorkflowExecutionInfo,
  WorkflowNotFoundError,
} from '@temporalio/client';
import proto from '@temporalio/proto';
import {
  DefaultLogger,
  type ReplayResult,
  type ReplayWorkerOptions,
  Runtime,
  Worker,
} from '@temporalio/worker';
import { parseKeys } from '../config-keys.ts';
import { temporalOf } from '../config-temporal.ts';
import type { DataKey } from '../db/sealed-columns.ts';
import { loadWorkflowBundle } from './bundle.ts';
import { buildIdOf } from './deployment.ts';
import { sealing } from './pools.ts';

export interface LiveReplay {
  /** Histories by the type of their flow. */
  replayed: Record<string, number>;
  /** Flows that end with another build, as versions promise them: this one need not know their steps. */
  ofOtherBuilds: number;
  /** Flows that would stop under this code; `why` names steps and no data. */
  failures: { type: string; workflowId: string; runId: string; why: string }[];
}

export interface LiveReplayOptions {
  workflowBundle: NonNullable<ReplayWorkerOptions['workflowBundle']>;
  flowKeys: readonly DataKey[];
  /** Of this build; null: flows go on with whatever build is there. */
  buildId: string | null;
  /** Ended later than this; all that run are replayed as well. */
  since: Date;
  /** Of each type at most so many, the newest. */
  eachMax: number;
}

type History = proto.temporal.api.history.v1.IHistory;
const { VERSIONING_BEHAVIOR_PINNED: PINNED } = proto.temporal.api.enums.v1.VersioningBehavior;

/**
 * Whether the flows of a namespace would go on under this build: their histories are replayed against its code.
 * Reads only. Raises where Temporal is away, or payloads are sealed with a key that is not given.
 */
export async function replayLive(
  client: Client,
  { workflowBundle, flowKeys, buildId, since, eachMax }: LiveReplayOptions,
): Promise<LiveReplay> {
  const told: LiveReplay = { replayed: {}, ofOtherBuilds: 0, failures: [] };
  const types = new Map<string, string>();
  async function* histories() {
    for await (const flow of flowsOf(client, since)) {
      const { type, workflowId, runId } = flow;
      const count = told.replayed[type] ?? 0;
      if (count === eachMax) continue;
      const history = await historyOf(client, flow, buildId);
      if (history === null) told.ofOtherBuilds += 1;
      if (history === null || history === undefined) continue;
      told.replayed[type] = count + 1;
      types.set(workflowId, type);
      yield { workflowId, runId, history };
    }
  }
  const results = Worker.runReplayHistories(
    { workflowBundle, ...sealing(flowKeys) },
    histories(),
  ) as AsyncIterable<ReplayResult>;
  for await (const { workflowId, runId, error } of results) {
    if (error === undefined) continue;
    const type = types.get(workflowId) ?? '';
    told.failures.push({ type, workflowId, runId, why: error.message });
  }
  return told;
}

async function* flowsOf(client: Client, since: Date): AsyncIterable<WorkflowExecutionInfo> {
  yield* client.workflow.list({ query: `ExecutionStatus = 'Running'` });
  // One that runs has no time of its end, which counts as a late one.
  const query = `ExecutionStatus != 'Running' AND CloseTime >= '${since.toISOString()}'`;
  yield* client.workflow.list({ query });
}

/** Undefined when its time of keeping has ended meanwhile; null of one that ends with another build. */
async function historyOf(
  client: Client,
  { workflowId, runId }: WorkflowExecutionInfo,
  buildId: string | null,
): Promise<History | null | undefined> {
  const handle = client.workflow.getHandle(workflowId, runId);
  try {
    if (buildId !== null) {
      const { workflowExecutionInfo: info } = (await handle.describe()).raw;
      const { behavior, deploymentVersion } = info?.versioningInfo ?? {};
      if (behavior === PINNED && deploymentVersion?.buildId !== buildId) return null;
    }
    return await handle.fetchHistory();
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined;
    throw error;
  }
}

const HOURS = 24;
const EACH_MAX = 200;

/**
 * `node dist/worker/replay.js [hours]` with the environment of a worker (`npm run replay` from sources): nightly, and
 * before a build is rolled out. Exits non-zero where a flow would stop, and names it.
 */
async function main([hours = String(HOURS)]: readonly string[]): Promise<void> {
  if (!/^\d{1,4}$/.test(hours)) throw new Error(`${hours}: a number of hours`);
  const { env } = process;
  const faults: string[] = [];
  const { connection: options, namespace } = temporalOf(env, faults);
  const flowKeys = parseKeys('FLOW_KEYS', env['FLOW_KEYS'] ?? '', faults);
  if (faults.length > 0) throw new Error(faults.join('; '));
  // Core prints each replay that fails with its stack; the lines below say it shorter.
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
  const connection = await Connection.connect(options);
  try {
    const told = await replayLive(new Client({ connection, namespace }), {
      workflowBundle: await loadWorkflowBundle({
        production: env['NODE_ENV'] === 'production',
        codePath: env['WORKFLOW_BUNDLE'],
        sealed: flowKeys.length > 0,
      }),
      flowKeys,
      buildId: buildIdOf(env),
      since: new Date(Date.now() - Number(hours) * 3_600_000),
      eachMax: EACH_MAX,
    });
    for (const { type, workflowId, runId, why } of told.failures) {
      process.stdout.write(`${type} ${workflowId} ${runId}: ${why}\n`);
    }
    const counts = Object.entries(told.replayed).map(([type, count]) => `${type} ${count}`);
    process.stdout.write(
      `${namespace}, what runs and what ended in ${hours} h: ${counts.join(', ')}; ` +
        `${told.ofOtherBuilds} end with other builds; ${told.failures.length} would stop\n`,
    );
    if (told.failures.length > 0) process.exitCode = 1;
  } finally {
    await connection.close();
  }
}

if (/\bworker[\\/]replay\.[jt]s$/.test(process.argv[1] ?? '')) {
  main(process.argv.slice(2)).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
}
