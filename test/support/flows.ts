import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { pino } from 'pino';
import type { ActivityDeps } from '../../activities/deps.ts';
import { createDispatcher, type Dispatcher } from '../../activities/core/dispatch.ts';
import {
  createReconcileActivities,
  type ReconcileActivities,
} from '../../activities/flows/reconcile.ts';
import { type Activities, createActivities } from '../../activities/index.ts';
import { createOutbox } from '../../activities/core/outbox.ts';
import { flowConverter } from '../../activities/core/payload-codec.ts';
import { createRedis } from '../../db/redis.ts';
import type { DataKey } from '../../db/sealed-columns.ts';
import { registerNamespace } from '../../dev/services/temporal-namespace.ts';
import { type Pool, runPools } from '../../worker/pools.ts';
import type { DecideInput } from '../../workflows/contracts/decision.ts';
import { ownRedisUrl, serviceUrl, type TestDatabase } from './database.ts';
import { timeOfClient } from './moved-time.ts';
import { testProviders } from './providers.ts';
import { eventually, pause } from './until.ts';
import { testWorkflowBundle } from './workflow-bundle.ts';

/** Real flows on a real Temporal, in a namespace of their own: workflow ids are made of row ids. */
export interface TestFlows {
  deps: ActivityDeps;
  activities: Activities & ReconcileActivities;
  dispatcher: Dispatcher;
  client: Client;
  namespace: string;
  /** Where its notices are published: serving that heeds them has the same. */
  redisUrl: string;
  /** Steps that fail so as long as they are named here: a rule's "no" is final, anything else is tried again. */
  faults: Map<keyof Activities, Error>;
  /** Delivers outbox rows as they come while on; switched off, they wait (a dispatcher that died). */
  delivery: { on: boolean };
  /** What a flow answers in the end; waits for its start as well. */
  resultOf(workflowId: string): Promise<unknown>;
  close(): Promise<void>;
}

const POOLS: Pool[] = [
  { queue: 'review', activitiesMax: 4, graceMs: 1_000 },
  { queue: 'money', activitiesMax: 4, graceMs: 1_000 },
  { queue: 'calls', activitiesMax: 2, graceMs: 1_000 },
  { queue: 'media', activitiesMax: 2, graceMs: 1_000 },
  { queue: 'mail', activitiesMax: 2, graceMs: 1_000 },
  { queue: 'exports', activitiesMax: 2, graceMs: 1_000 },
  { queue: 'providers', activitiesMax: 2, graceMs: 1_000 },
  { queue: 'upkeep', activitiesMax: 2, graceMs: 1_000 },
];

const DELIVERIES_MAX = 10;
const REDELIVERY_MS = 500;

/** One of a process: a second Temporal in the same test shares it. */
let hasRuntime = false;
function installRuntime(): void {
  if (hasRuntime) return;
  hasRuntime = true;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
}

/** `env` goes over the providers' settings; with keys, what Temporal keeps is sealed. */
export async function createTestFlows(
  database: TestDatabase,
  env: Record<string, string> = {},
  flowKeys: readonly DataKey[] = [],
  pools: Pool[] = POOLS,
): Promise<TestFlows> {
  installRuntime();
  const address = serviceUrl('TEMPORAL_ADDRESS');
  const namespace = `test-${randomBytes(6).toString('hex')}`;
  await registerNamespace(address, { namespace, retentionDays: 1 });
  const connection = await Connection.connect({ address });
  const client = new Client({
    connection,
    namespace,
    ...flowConverter(flowKeys),
    interceptors: { workflow: [timeOfClient] },
  });
  const redisUrl = ownRedisUrl();
  const redis = createRedis(redisUrl);
  await redis.connect();
  const log = pino({ level: 'silent' });
  const delivery = { on: true };
  let isClosed = false;
  const outbox = createOutbox(database.db, (outboxId) => {
    deliver(outboxId).catch((error: unknown) => {
      if (!isClosed) sayUndelivered(outboxId, error);
    });
  });
  // No poller looks after these rows, and on a busy machine Temporal may take longer than a delivery
  // waits: what it did not take is offered again, or a flow of the test would never begin.
  const deliver = async (outboxId: number): Promise<void> => {
    for (let tries = 0; delivery.on && !isClosed && tries < DELIVERIES_MAX; tries += 1) {
      const { state } = await dispatcher.dispatch(outboxId);
      if (state !== 'deferred') return;
      await pause(REDELIVERY_MS, 'Temporal was too busy to take it');
    }
    if (delivery.on && !isClosed) sayUndelivered(outboxId, `not taken in ${DELIVERIES_MAX} tries`);
  };
  const deps: ActivityDeps = {
    db: database.db,
    outbox,
    log,
    clock: () => new Date(),
    providers: testProviders(env),
  };
  const activities = {
    ...createActivities(deps),
    ...createReconcileActivities({ ...deps, temporal: client }),
  };
  const dispatcher = createDispatcher({
    db: database.db,
    redis,
    temporal: client,
    log,
    onUpdateRefused: async (input, message) => {
      await activities.refuseDecision(input as DecideInput, message);
    },
  });
  const faults: TestFlows['faults'] = new Map();
  const workflowBundle = await testWorkflowBundle(flowKeys.length > 0);
  const workers = await new Promise<ReturnType<typeof runPools>>((resolve) => {
    const started = runPools(
      {
        address,
        namespace,
        activities: failing(activities, faults),
        workflowBundle,
        flowKeys,
        log,
        onRunning: () => {
          resolve(started);
        },
      },
      pools,
    );
  });
  return {
    deps,
    activities,
    dispatcher,
    client,
    namespace,
    redisUrl,
    faults,
    delivery,
    resultOf: async (workflowId) =>
      await eventually(
        async () => (await client.workflow.getHandle(workflowId).result()) as unknown,
      ),
    close: async () => {
      isClosed = true;
      await terminateAll(client);
      await workers.stop();
      redis.destroy();
      await connection.close();
    },
  };
}

/** The steps as a worker has them; whoever calls one without a flow meets no fault. */
function failing(activities: object, faults: ReadonlyMap<string, Error>): object {
  const steps = Object.entries(activities) as [string, (...input: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    steps.map(([name, step]) => [
      name,
      async (...input: unknown[]) => {
        const fault = faults.get(name);
        if (fault !== undefined) throw fault;
        return await step(...input);
      },
    ]),
  );
}

/** Whoever waits for it fails by that wait, and reads here why. */
function sayUndelivered(outboxId: number, why: unknown): void {
  process.stderr.write(
    `message ${outboxId} of a test's outbox was not delivered: ${String(why)}\n`,
  );
}

async function terminateAll(client: Client): Promise<void> {
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus='Running'" })) {
    // It may have ended by itself meanwhile.
    await client.workflow
      .getHandle(workflowId)
      .terminate('test over')
      .catch(() => undefined);
  }
}
