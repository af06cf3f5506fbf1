import { Client, Connection } from '@temporalio/client';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import path from 'node:path';
import { type Logger, pino } from 'pino';
import { createDispatcher, type Dispatcher } from '../activities/core/dispatch.ts';
import { createPollerReader } from '../activities/core/flow-queues.ts';
import { type Activities, createActivities } from '../activities/index.ts';
import { createOutbox } from '../activities/core/outbox.ts';
import { flowConverter } from '../activities/core/payload-codec.ts';
import { tracesOfClient } from '../activities/core/traces.ts';
import { composeProviders } from '../activities/providers/compose.ts';
import { loadConfig } from '../config.ts';
import { holdToRole } from '../db/application-role.ts';
import { reconnectingSoon } from '../config-temporal.ts';
import { createPostgresEventLog } from '../db/events/event-log-postgres.ts';
import { openGeo } from '../db/geo.ts';
import { createInventoryFeed } from '../db/serving/inventory-feed.ts';
import { connectPostgres, openPool, runner } from '../db/postgres.ts';
import { spanOfQuery } from '../db/query-spans.ts';
import { confirmToken } from '../db/queries/tokens.ts';
import { createRedis } from '../db/redis.ts';
import { createServedPages } from '../db/serving/served-pages.ts';
import { createServingCounters } from '../db/serving/serving-counters.ts';
import { createFingerprints } from '../domain/tracking/fingerprint.ts';
import { createSessionKeys } from '../domain/tracking/session-key.ts';
import { createTrackSealer } from '../domain/tracking/track-id.ts';
import type { DecideInput } from '../workflows/contracts/decision.ts';
import { createServingInventory } from './ad/snapshot.ts';
import { type AppDeps, createApp, createCdnApp } from './app.ts';
import { openDatacenters } from './datacenters.ts';
import { createPixelConversions } from './conversion/pixels.ts';
import type { ConsoleDeps } from './deps.ts';
import {
  measureAuctions,
  measureDatacenters,
  measureEventLog,
  measureHolds,
  measureRequests,
} from '../metrics/api.ts';
import { noteOpenings } from '../metrics/openings.ts';
import { serveMetrics } from '../metrics/server.ts';
import { reportHealth } from './health.ts';
import { createAuth } from './http/auth.ts';
import { createExpressServer } from './http/express-server.ts';
import { traceRequests } from './http/traces.ts';
import { createPageReader } from './pages.ts';
import { processName } from './processes.ts';
import { hotHandlers, shortcuts } from './shortcuts.ts';
import { createViewerReader } from './viewer.ts';

/**
 * The API process: serves the surfaces named in SURFACES. Stateless, may run many times. PostgreSQL,
 * Redis and Temporal may each be away: serving goes on from memory, tracking spools, the console
 * answers 503, and /health/ready names the part.
 */
const HOT_POOL_MAX = 6;
const DRAIN_MS = 10_000;

const config = loadConfig(process.env);
const log = pino({ level: config.logLevel, base: { process: processName(process.env) } });

// Loaded only where it is wanted: else no span is ever made.
const traces = config.traced
  ? (await import('../metrics/traces.ts')).exportTraces('adplatform-api', log)
  : undefined;
const db = connectPostgres({
  ...config.postgres,
  applicationName: 'api',
  ...(config.traced ? { onQuery: spanOfQuery } : {}),
});
const hotPool = openPool({
  url: config.postgres.url,
  poolMax: HOT_POOL_MAX,
  applicationName: 'api-hot',
});
const redis = createRedis(config.redis.url);
// Reconnects by itself; until then caps are refused by name and notices wait (db/redis.ts).
redis.connect().catch((error: unknown) => {
  log.warn({ err: error }, 'redis is away');
});
const temporal = new Client({
  connection: Connection.lazy(reconnectingSoon(config.temporal.connection)),
  namespace: config.temporal.namespace,
  ...flowConverter(config.keys.flow),
  interceptors: { workflow: [tracesOfClient] },
});

const sealer = createTrackSealer(config.keys.track);
const sessionKeys = createSessionKeys(config.keys.hash);
const fingerprintOf = createFingerprints(config.keys.hash);
const datacenters = await openDatacenters({ ...config.datacenters, log });
const readViewer = createViewerReader({
  hashKey: config.keys.hash,
  geo: openGeo(config.geoMmdb),
  trustedProxies: config.http.trustedProxies,
  datacenters,
});
const inventory = createServingInventory({
  cdnUrl: config.urls.cdn,
  shards: config.shards,
  processes: config.http.servingProcesses,
});
const feed = createInventoryFeed({ sql: hotPool, redis, sink: inventory, log });
const counters = createServingCounters({ sql: hotPool, log });
const pages = createServedPages({ sql: hotPool, log });
const eventLog = createPostgresEventLog({ pool: hotPool, spoolDir: config.spoolDir, log });
const clock = (): Date => new Date();

const metrics =
  config.metricsPort === 0
    ? undefined
    : serveMetrics({ host: config.http.host, port: config.metricsPort, log });
if (metrics !== undefined) {
  measureEventLog(metrics.registry, eventLog);
  measureHolds(metrics.registry, inventory.current().holds);
  measureAuctions(metrics.registry, inventory.current().sidelined);
  measureDatacenters(metrics.registry, datacenters);
}

const { surfaces } = config.http;
const mayWrite = surfaces.has('console') || surfaces.has('track');
const consoleDeps = mayWrite ? composeConsole() : undefined;
const deps: AppDeps = {
  ad: surfaces.has('ad')
    ? {
        inventory,
        redis,
        sealer,
        sessionKeys,
        readViewer,
        fingerprintOf,
        counters,
        pages,
        urls: config.urls,
        clock,
        log,
      }
    : undefined,
  track: surfaces.has('track')
    ? {
        pool: hotPool,
        eventLog,
        sealer,
        sessionKeys,
        readViewer,
        fingerprintOf,
        readPage: createPageReader(),
        pages,
        shards: config.shards,
        clock,
        log,
      }
    : undefined,
  // Conversions are reports of {track_url}, and rows as a console writes them.
  conversion: consoleDeps && { ...consoleDeps, readViewer },
  console: surfaces.has('console') ? consoleDeps : undefined,
  openTrack: (trackId) => sealer.open(trackId),
  checkSession: (sessionKey, requestId, req) =>
    sessionKeys.checkSession(sessionKey, { requestId, viewer: readViewer(req), now: clock() }),
  servingClock: clock,
  webDir: config.webDir,
  measure: metrics === undefined ? undefined : measureRequests(metrics.registry),
  trace: config.traced ? traceRequests : undefined,
  health: async () =>
    await reportHealth({
      surfaces,
      postgres: async () => await runner(db).query('SELECT 1'),
      // Not by withDeadline, nor by ensureConnected, which uses it: its context makes Node 20 follow every
      // promise of the process from then on, 5 % of a beacon. The report gives up by itself.
      temporal: async () => await temporal.connection.workflowService.getSystemInfo({}),
      redis: async () => await redis.ping(),
      feed,
      eventLog,
      log,
    }),
  log,
};

await holdToRole(hotPool, {
  production: config.env === 'production',
  warn: (message) => log.warn(message),
});
if (surfaces.has('ad')) await feed.start();
const hot = hotHandlers(deps);
const isSealed = config.urls.base.startsWith('https:');
const server = createExpressServer(createApp(deps, hot), { takes: shortcuts(hot), isSealed });
server.listen(config.http.port, config.http.host, () => {
  log.info({ port: config.http.port, surfaces: [...surfaces] }, 'api ready');
});
const cdnServer = openCdn();
await stopSignal();
await Promise.all([drain(server, log), cdnServer && drain(cdnServer, log)]);
metrics?.close();
datacenters.close();
await feed.stop();
await counters.close();
await pages.close();
// Whatever was answered is stored or spooled before the process ends.
await eventLog.close();
await consoleDeps?.pixelConversions.close();
redis.destroy();
await db.sequelize.close();
await traces?.close();
await hotPool.end();
log.info('api stopped');
// A delivery that still waits for Temporal would throw on a closed connection; ending the process
// ends both, and what it carried is in the outbox.
process.exit(0);

/** Creative assets have an origin of their own: what strangers upload meets nobody's session. */
function openCdn(): Server | undefined {
  const { cdnPort, host } = config.http;
  if (cdnPort === undefined || deps.console === undefined) return undefined;
  const listening = createExpressServer(createCdnApp(deps.console), { isSealed });
  return listening.listen(cdnPort, host, () => log.info({ port: cdnPort }, 'assets ready'));
}

function composeConsole(): ConsoleDeps {
  const outbox = createOutbox(db, (outboxId) => {
    made.dispatcher.dispatch(outboxId).catch((error: unknown) => {
      log.warn({ err: error, outbox_id: outboxId }, 'outbox row is left to the poller');
    });
  });
  const activities: Activities = createActivities({
    db,
    outbox,
    log,
    clock,
    providers: composeProviders(config, noteOpenings(log, metrics?.registry)),
  });
  const dispatcher: Dispatcher = createDispatcher({
    db,
    redis,
    temporal,
    log,
    onUpdateRefused: async (input, message) => {
      await activities.refuseDecision(input as DecideInput, message);
    },
  });
  const made = { dispatcher };
  const auth = createAuth({
    keys: config.keys.jwt,
    confirm: (realm, claims) => confirmToken(runner(db), realm, claims),
    newTokenId: randomUUID,
    clock,
    factorIsDuty: (realm) => realm === 'admin' && config.operatorFactor === 'required',
    onSeen: (sessionId) => {
      activities.seeSession(sessionId).catch((error: unknown) => {
        log.warn({ err: error }, 'a session was not marked as seen');
      });
    },
  });
  const pixelConversions = createPixelConversions({
    dir: path.join(config.spoolDir, 'pixels'),
    activities,
    log,
    clock,
  });
  const readPollers = createPollerReader(temporal, log);
  return {
    config,
    db,
    redis,
    activities,
    dispatcher,
    readPollers,
    readDatacenters: () => datacenters.lists(),
    auth,
    readViewer,
    pixelConversions,
    log,
    clock,
  };
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve());
    process.once('SIGINT', () => resolve());
  });
}

/** Stops taking connections and lets the requests in flight finish, for a bounded time. */
async function drain(listening: Server, logger: Logger): Promise<void> {
  logger.info('api draining');
  const closed = new Promise<void>((resolve) => listening.close(() => resolve()));
  listening.closeIdleConnections();
  const cut = setTimeout(() => listening.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(cut);
}
