import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { createDispatcher, type Dispatcher } from '../activities/core/dispatch.ts';
import { type Activities, createActivities } from '../activities/index.ts';
import { createOutbox } from '../activities/core/outbox.ts';
import {
  createReconcileActivities,
  type ReconcileActivities,
} from '../activities/flows/reconcile.ts';
import { flowConverter } from '../activities/core/payload-codec.ts';
import { tracesOfClient } from '../activities/core/traces.ts';
import { composeProviders } from '../activities/providers/compose.ts';
import { type Config, loadConfig } from '../config.ts';
import { holdToRole } from '../db/application-role.ts';
import { reconnectingSoon } from '../config-temporal.ts';
import { connectPostgres, type Db, runner } from '../db/postgres.ts';
import { spanOfQuery } from '../db/query-spans.ts';
import { createRedis, type Redis } from '../db/redis.ts';
import { measureBacklogs } from '../metrics/backlogs.ts';
import { noteOpenings } from '../metrics/openings.ts';
import { type Metrics, serveMetrics } from '../metrics/server.ts';
import type { DecideInput } from '../workflows/contracts/decision.ts';
import { loadWorkflowBundle } from './bundle.ts';
import { crashPoints, exportsThatDie, payoutsThatDie, railsThatDie } from './crash-points.ts';
import { buildIdOf } from './deployment.ts';
import { keepLoops } from './loops.ts';
import { startOutboxPoller } from './outbox-poller.ts';
import { poolsFor, poolSizeFor, runPools } from './pools.ts';
import { pause } from '../activities/core/pause.ts';

/**
 * The worker process: runs the steps of every flow, delivers the outbox, keeps the loops alive.
 * It may run many times. PostgreSQL, Redis and Temporal may each be away at any time: it waits,
 * says so, and goes on.
 */
const config = loadConfig(process.env);
const log = pino({ level: config.logLevel, base: { process: 'worker' } });
const stopping = onSignal();
const sdkMetrics = config.metricsPort === 0 ? undefined : `127.0.0.1:${config.metricsPort + 1}`;
logTemporal(log, sdkMetrics);

const pools = poolsFor(config.shards);
const points = crashPoints(config.crashAt);
// Loaded only where it is wanted: else no span is ever made.
const traces = config.traced
  ? (await import('../metrics/traces.ts')).exportTraces('adplatform-worker', log)
  : undefined;
const db = connectPostgres({
  url: config.postgres.url,
  poolMax: Math.max(config.postgres.poolMax, poolSizeFor(pools, config.shards)),
  applicationName: 'worker',
  ...(config.traced ? { onQuery: spanOfQuery } : {}),
});
const redis = createRedis(config.redis.url);
// Resolves when Redis first answers; until then publishes are skipped (db/redis.ts).
redis.connect().catch((error: unknown) => {
  log.warn({ err: error }, 'redis is away');
});
const temporal = new Client({
  connection: Connection.lazy(reconnectingSoon(config.temporal.connection)),
  namespace: config.temporal.namespace,
  ...flowConverter(config.keys.flow),
  interceptors: { workflow: [tracesOfClient] },
});
const metrics = config.metricsPort === 0 ? undefined : measure(config.metricsPort);
const { activities, dispatcher } = compose({ config, db, redis, temporal, log });
await waitForPostgres(db, stopping.signal);
await holdToRole(runner(db), {
  production: config.env === 'production',
  warn: (message) => log.warn(message),
});
const workflowBundle = await loadWorkflowBundle({
  production: config.env === 'production',
  codePath: config.workflowBundle,
  sealed: config.keys.flow.length > 0,
});
const poller = startOutboxPoller({ dispatcher, log });
const loops = keepLoops({ temporal, log, shards: config.shards });
const workers = runPools(
  {
    ...config.temporal,
    buildId: buildIdOf(process.env),
    activities,
    workflowBundle,
    flowKeys: config.keys.flow,
    log,
    crashPoints: points,
    onRunning: () => {
      log.info({ queues: pools.map((pool) => pool.queue) }, 'worker ready');
    },
  },
  pools,
);

await stopping.promise;
log.info('worker stopping');
loops.stop();
await Promise.all([workers.stop(), poller.stop()]);
metrics?.close();
await traces?.close();
redis.destroy();
await db.sequelize.close();
log.info('worker stopped');
// A call that still waits for Temporal retries on a timer and would throw there on a closed
// connection; ending the process ends both. What it carried is in the outbox.
process.exit(0);

interface Parts {
  config: Config;
  db: Db;
  redis: Redis;
  temporal: Client;
  log: Logger;
}

/** Activities write outbox rows, the dispatcher delivers them, and a refused Update is an activity. */
function compose(parts: Parts): {
  activities: Activities & ReconcileActivities;
  dispatcher: Dispatcher;
} {
  const outbox = createOutbox(parts.db, (outboxId) => {
    made.dispatcher.dispatch(outboxId).catch((error: unknown) => {
      parts.log.warn({ err: error, outbox_id: outboxId }, 'outbox row is left to the poller');
    });
  });
  const providers = composeProviders(parts.config, noteOpenings(parts.log, metrics?.registry));
  const deps = {
    db: parts.db,
    outbox,
    log: parts.log,
    clock: () => new Date(),
    providers: {
      ...providers,
      payouts: payoutsThatDie(providers.payouts, points),
      rails: railsThatDie(providers.rails, points),
      exportStore: exportsThatDie(providers.exportStore, points),
    },
  };
  const activities = {
    ...createActivities(deps),
    ...createReconcileActivities({ ...deps, temporal: parts.temporal }),
  };
  const made = {
    activities,
    dispatcher: createDispatcher({
      ...parts,
      onUpdateRefused: async (input, message) => {
        await activities.refuseDecision(input as DecideInput, message);
      },
    }),
  };
  return made;
}

async function waitForPostgres(db: Db, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    try {
      await runner(db).query('SELECT 1 FROM outbox LIMIT 1');
      return;
    } catch (error) {
      log.warn({ err: error }, 'postgres is away or not migrated; waiting');
      await pause(1_000, stop);
    }
  }
}

/** The first SIGTERM or SIGINT asks for an orderly end; a second one ends at once. */
function onSignal(): { promise: Promise<void>; signal: AbortSignal } {
  const controller = new AbortController();
  const promise = new Promise<void>((resolve) => {
    const stop = (): void => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
  return { promise, signal: controller.signal };
}

/** What waits in the rows, and Temporal's own figures, at one address. */
function measure(port: number): Metrics {
  const sdk = `http://${sdkMetrics ?? ''}/metrics`;
  const more = async (): Promise<string> => await (await fetch(sdk)).text();
  const served = serveMetrics({ host: config.http.host, port, log, more });
  const { shards } = config;
  measureBacklogs(served.registry, { sql: runner(db), shards, clock: () => new Date() });
  return served;
}

/** Temporal's own log lines in our format, and its figures; signals are ours to handle. */
function logTemporal(logger: Logger, bindAddress: string | undefined): void {
  Runtime.install({
    shutdownSignals: [],
    ...(bindAddress === undefined
      ? {}
      : { telemetryOptions: { metrics: { prometheus: { bindAddress } } } }),
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => {
      const details = { temporal: meta };
      if (level === 'ERROR') logger.error(details, message);
      else if (level === 'WARN') logger.warn(details, message);
      else logger.debug(details, message);
    }),
  });
}
