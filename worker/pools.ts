import {
  NativeConnection,
  type NativeConnectionOptions,
  Worker,
  type WorkerOptions,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { createPayloadCodec } from '../activities/core/payload-codec.ts';
import type { DataKey } from '../db/sealed-columns.ts';
import { failureConverterPath } from './bundle.ts';
import type { TaskQueue } from '../workflows/contracts/queues.ts';
import { type CrashPoints, diesAt } from './crash-points.ts';
import { DEPLOYMENT } from './deployment.ts';
import { refusalsAreFinal, roundsBeat } from './interceptors.ts';
import { registerSearchAttributes } from './search-attributes.ts';
import { stepsAreTraced } from './traces.ts';
import { pause } from '../activities/core/pause.ts';

export interface Pool {
  queue: TaskQueue;
  /** Steps at once; all pools together stay below the database pool. */
  activitiesMax: number;
  /** What a running step has left after SIGTERM before it is stopped. */
  graceMs: number;
}

/** The queues that have work, sized for the database pool that `poolSizeFor` asks for. */
export function poolsFor(shards: number): Pool[] {
  return [
    { queue: 'review', activitiesMax: 4, graceMs: 20_000 },
    { queue: 'money', activitiesMax: 4, graceMs: 20_000 },
    // Of its own: a mail server that hangs keeps nobody else waiting.
    { queue: 'mail', activitiesMax: 2, graceMs: 20_000 },
    // Each holds a connection for minutes while its file is written.
    { queue: 'exports', activitiesMax: 2, graceMs: 20_000 },
    // A part of a job keeps a processor or a provider busy for long.
    { queue: 'media', activitiesMax: 2, graceMs: 20_000 },
    // Of its own: servers of other people may take seconds, and many of them at once.
    { queue: 'calls', activitiesMax: 6, graceMs: 20_000 },
    // Of its own: a provider that hangs keeps no decision waiting, and a decision no payment.
    { queue: 'providers', activitiesMax: 4, graceMs: 25_000 },
    // Rounds of periodic work, a few minutes each.
    { queue: 'upkeep', activitiesMax: 4, graceMs: 5_000 },
    // Laps run for minutes and stop at any tick, so they are stopped at once.
    { queue: 'loops', activitiesMax: 2 * shards + 2, graceMs: 1_000 },
  ];
}

/** Database connections for every step at once, a second one for each settlement, and some for the outbox. */
export const poolSizeFor = (pools: readonly Pool[], shards: number): number =>
  pools.reduce((sum, pool) => sum + pool.activitiesMax, shards + 4);

export interface PoolDeps {
  address: string;
  /** With what a cluster asks for, TLS or a key; else the address alone. */
  connection?: NativeConnectionOptions;
  namespace: string;
  /** Of this build; null: its flows are not kept apart from other builds'. */
  buildId?: string | null;
  activities: object;
  workflowBundle: WorkflowBundleOption;
  /** Seal what Temporal keeps; none: it keeps all in clear. */
  flowKeys: readonly DataKey[];
  log: Logger;
  /** Tests only: the steps at which this process dies (crash-points.ts). */
  crashPoints?: CrashPoints;
  /** Called each time all pools poll. */
  onRunning: () => void;
}

const RETRY_MS = 2_000;
const FORCE_AFTER_MS = 25_000;
const WORKFLOWS_CACHED_MAX = 200;

/**
 * Runs a worker per pool until stopped. When Temporal is away, or a worker fails, it says so and
 * begins again; nothing is lost meanwhile, because nothing is kept here.
 */
export function runPools(deps: PoolDeps, pools: readonly Pool[]): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const done = keepRunning(deps, pools, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

async function keepRunning(
  deps: PoolDeps,
  pools: readonly Pool[],
  stopping: AbortSignal,
): Promise<void> {
  while (!stopping.aborted) {
    try {
      await runOnce(deps, pools, stopping);
    } catch (error) {
      deps.log.warn({ err: error, address: deps.address }, 'workers stopped; they begin again');
      await pause(RETRY_MS, stopping);
    }
  }
}

async function runOnce(
  deps: PoolDeps,
  pools: readonly Pool[],
  stopping: AbortSignal,
): Promise<void> {
  const connection = await NativeConnection.connect(deps.connection ?? { address: deps.address });
  try {
    await makeAttributesKnown(deps, connection);
    const workers = await Promise.all(
      pools.map(async (pool) => await createWorker(deps, connection, pool)),
    );
    const stopAll = (): void => {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    };
    stopping.addEventListener('abort', stopAll, { once: true });
    const runs = workers.map(async (worker) => {
      try {
        await worker.run();
      } finally {
        // One that fails takes the others along, so that all begin again together.
        stopAll();
      }
    });
    if (stopping.aborted) stopAll();
    deps.onRunning();
    try {
      const results = await Promise.allSettled(runs);
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    } finally {
      stopping.removeEventListener('abort', stopAll);
    }
  } finally {
    await connection.close();
  }
}

/** A build with new attributes may meet a namespace that was made for an older one. */
async function makeAttributesKnown(deps: PoolDeps, connection: NativeConnection): Promise<void> {
  try {
    await registerSearchAttributes(connection, deps.namespace);
  } catch (error) {
    deps.log.warn({ err: error }, 'search attributes could not be registered; an operator must');
  }
}

/**
 * Money and reviews end with the code that they began with; loops are endless and go on with the newest
 * build, so a change of their steps needs `patched`.
 */
const versionOf = (
  buildId: string | null,
  queue: Pool['queue'],
): Pick<WorkerOptions, 'workerDeploymentOptions'> =>
  buildId === null
    ? {}
    : {
        workerDeploymentOptions: {
          useWorkerVersioning: true,
          version: { deploymentName: DEPLOYMENT, buildId },
          defaultVersioningBehavior: queue === 'loops' ? 'AUTO_UPGRADE' : 'PINNED',
        },
      };

/** Opens and seals payloads as workers do; a replay needs it as well. */
export const sealing = (keys: readonly DataKey[]): Pick<WorkerOptions, 'dataConverter'> =>
  keys.length === 0
    ? {}
    : {
        dataConverter: {
          payloadCodecs: [createPayloadCodec(keys)],
          failureConverterPath: failureConverterPath(),
        },
      };

async function createWorker(
  deps: PoolDeps,
  connection: NativeConnection,
  pool: Pool,
): Promise<Worker> {
  return await Worker.create({
    connection,
    namespace: deps.namespace,
    taskQueue: pool.queue,
    workflowBundle: deps.workflowBundle,
    activities: deps.activities,
    ...sealing(deps.flowKeys),
    interceptors: {
      activity: [stepsAreTraced, refusalsAreFinal, roundsBeat, ...diesAt(deps.crashPoints)],
    },
    maxConcurrentActivityTaskExecutions: pool.activitiesMax + (deps.crashPoints?.count ?? 0),
    maxCachedWorkflows: WORKFLOWS_CACHED_MAX,
    shutdownGraceTime: pool.graceMs,
    shutdownForceTime: FORCE_AFTER_MS,
    ...versionOf(deps.buildId ?? null, pool.queue),
  });
}
