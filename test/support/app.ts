import { randomInt, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Express } from 'express';
import jwt from 'jsonwebtoken';
import { type Logger, pino } from 'pino';
import { type Activities, createActivities } from '../../activities/index.ts';
import type { Dispatcher } from '../../activities/core/dispatch.ts';
import { createPollerReader } from '../../activities/core/flow-queues.ts';
import { createOutbox } from '../../activities/core/outbox.ts';
import { composeProviders } from '../../activities/providers/compose.ts';
import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import { createApp } from '../../api/app.ts';
import { createPixelConversions } from '../../api/conversion/pixels.ts';
import type { ActivityDeps } from '../../activities/deps.ts';
import { openDatacenters } from '../../api/datacenters.ts';
import type { ConsoleDeps } from '../../api/deps.ts';
import { createAuth, type Realm } from '../../api/http/auth.ts';
import { createExpressServer } from '../../api/http/express-server.ts';
import { createPageReader } from '../../api/pages.ts';
import { createViewerReader } from '../../api/viewer.ts';
import { type Config, loadConfig } from '../../config.ts';
import { createPostgresEventLog } from '../../db/events/event-log-postgres.ts';
import { openGeo } from '../../db/geo.ts';
import { createInventoryFeed } from '../../db/serving/inventory-feed.ts';
import { runner } from '../../db/postgres.ts';
import { createRedis, noticesOf } from '../../db/redis.ts';
import { confirmToken } from '../../db/queries/tokens.ts';
import { createServedPages } from '../../db/serving/served-pages.ts';
import { createServingCounters } from '../../db/serving/serving-counters.ts';
import type { InventoryChange } from '../../db/serving/snapshot-store.ts';
import { createFingerprints } from '../../domain/tracking/fingerprint.ts';
import { createSessionKeys } from '../../domain/tracking/session-key.ts';
import { createTrackSealer, type TrackSealer } from '../../domain/tracking/track-id.ts';
import { checkAnswers } from './answer-check.ts';
import { ownRedisUrl, serviceUrl, type TestDatabase } from './database.ts';
import type { TestFlows } from './flows.ts';
import { TEST_KEYS } from './providers.ts';

/** The whole API as api/server.ts composes it, in this process. */
export interface TestApp {
  app: Express;
  /** The same surfaces as a process has that serves no console. */
  hotApp: Express;
  port: number;
  /** Where it listens, with no path. */
  url: string;
  hotPort: number;
  config: Config;
  /** What routers are made of, for a test that mounts its own. */
  deps: ConsoleDeps;
  /** For a write that no activity makes by itself. */
  activityDeps: ActivityDeps;
  activities: Activities;
  sealer: TrackSealer;
  /** Messages of what was logged as a fault. */
  faults: string[];
  /** Moves the console's clock on, so that a test outruns the limits per minute. */
  passTime(milliseconds: number): void;
  /** Moves the clock of ads and beacons on, so that a test need not watch a video. */
  passServingTime(milliseconds: number): void;
  issue(realm: Realm, id: number, memberId?: number): string;
  /** A token of our own keys with claims that `issue` would not write. */
  sign(realm: Realm, claims: object, options?: jwt.SignOptions): string;
  /** Reads the inventory as it is now. */
  startServing(): Promise<void>;
  /** What serving has read so far. */
  inventory: ServingInventory;
  /** Tells serving of rows that no request has written. */
  publish(change: InventoryChange): Promise<void>;
  /** Events that neither PostgreSQL nor a test took. */
  spooled(): Promise<string[]>;
  /** Raises when an answer broke its route's contract. */
  close(): Promise<void>;
}

/** Of pino's lines. */
const ERROR_LEVEL = 50;

const NO_FLOWS: Dispatcher = {
  dispatch: () => Promise.resolve({ state: 'deferred', error: 'no flows in this test' }),
  dispatchDue: () => Promise.resolve(0),
};
const BREACHES_SHOWN = 40;
const MINUTE_MS = 60_000;
const MONTH_MINUTES = 43_200;

export interface TestAppOptions {
  /** Without them there is no Temporal behind it: outbox rows stay where they are. */
  flows?: TestFlows | undefined;
  /** Begins at the time of the database, as everything does that flows have a part in. */
  realTime?: boolean;
  /** Goes over the settings: `{ TRACK_URL }`. */
  env?: Record<string, string>;
  /** Gets every line of the log; without it faults alone are written. */
  onLog?: ((line: string) => void) | undefined;
}

export async function createTestApp(
  database: TestDatabase,
  { flows, realTime = flows !== undefined, env = {}, onLog }: TestAppOptions = {},
): Promise<TestApp> {
  const { db, appPool: pool } = database;
  const folder = await mkdtemp(path.join(tmpdir(), 'test-app-'));
  const spoolDir = path.join(folder, 'spool');
  const config = testConfig(database.url, { folder, spoolDir }, env);
  const { log, faults } = faultLog(onLog);
  const redisUrl = flows?.redisUrl ?? (realTime ? ownRedisUrl() : serviceUrl('REDIS_URL'));
  const redis = createRedis(redisUrl);
  await redis.connect();
  // Another test's limits are counted in the same Redis for the same account ids, in other minutes.
  // Who lives by the real time has a Redis of its own instead.
  let aheadMs = realTime ? 0 : randomInt(1, MONTH_MINUTES) * MINUTE_MS;
  const consoleClock = (): Date => new Date(Date.now() + aheadMs);
  let servingAheadMs = 0;
  const clock = (): Date => new Date(Date.now() + servingAheadMs);

  const sealer = createTrackSealer(config.keys.track);
  const sessionKeys = createSessionKeys(config.keys.hash);
  const fingerprintOf = createFingerprints(config.keys.hash);
  const readViewer = createViewerReader({
    hashKey: config.keys.hash,
    geo: openGeo(undefined),
    trustedProxies: config.http.trustedProxies,
  });
  const inventory = createServingInventory({ cdnUrl: config.urls.cdn });
  const feed = createInventoryFeed({ sql: pool, redis, sink: inventory, log });
  const counters = createServingCounters({ sql: pool, log });
  const pages = createServedPages({ sql: pool, log });
  const eventLog = createPostgresEventLog({ pool, spoolDir, log });
  const activityDeps: ActivityDeps = flows?.deps ?? {
    db,
    outbox: createOutbox(db, () => undefined),
    log,
    clock: consoleClock,
    providers: composeProviders(config),
  };
  const activities = flows?.activities ?? createActivities(activityDeps);
  const auth = createAuth({
    keys: config.keys.jwt,
    confirm: async (realm, claims) => await confirmToken(runner(db), realm, claims),
    newTokenId: randomUUID,
    clock: consoleClock,
    factorIsDuty: (realm) => realm === 'admin' && config.operatorFactor === 'required',
    onSeen: (sessionId) => {
      activities.seeSession(sessionId).catch((error: unknown) => {
        log.warn({ err: error }, 'a session was not marked as seen');
      });
    },
  });
  const pixelConversions = createPixelConversions({
    dir: path.join(folder, 'pixels'),
    activities,
    log,
    clock: consoleClock,
  });
  const datacenters = await openDatacenters({ ...config.datacenters, log });
  const consoleDeps: ConsoleDeps = {
    config,
    db,
    redis,
    activities,
    dispatcher: flows?.dispatcher ?? NO_FLOWS,
    readPollers:
      flows === undefined ? () => Promise.resolve(null) : createPollerReader(flows.client, log),
    readDatacenters: () => datacenters.lists(),
    auth,
    readViewer,
    pixelConversions,
    log,
    clock: consoleClock,
  };
  const hot = { sealer, sessionKeys, readViewer, fingerprintOf, clock, log };
  const surfaces = {
    ad: { ...hot, inventory, redis, counters, pages, urls: config.urls },
    track: { ...hot, readPage: createPageReader(), pages, pool, eventLog, shards: config.shards },
    openTrack: (trackId: string) => sealer.open(trackId),
    checkSession: (sessionKey: string, requestId: string, req: IncomingMessage) =>
      sessionKeys.checkSession(sessionKey, { requestId, viewer: readViewer(req), now: clock() }),
    servingClock: clock,
    webDir: await emptyPages(folder),
    health: () => Promise.resolve({ ready: true, parts: {} }),
    log,
  };
  const conversion = { ...consoleDeps, readViewer };
  const app = createApp({ ...surfaces, conversion, console: consoleDeps });
  const hotApp = createApp({ ...surfaces, conversion, console: undefined });
  const isSealed = config.urls.base.startsWith('https:');
  const server = await listen(app, isSealed);
  const breaches = checkAnswers(server, app);
  const hotServer = await listen(hotApp, isSealed);
  const { port } = server.address() as AddressInfo;

  return {
    app,
    hotApp,
    port,
    url: `http://127.0.0.1:${port}`,
    hotPort: (hotServer.address() as AddressInfo).port,
    config,
    deps: consoleDeps,
    activityDeps,
    activities,
    sealer,
    faults,
    passTime: (milliseconds) => {
      aheadMs += milliseconds;
    },
    passServingTime: (milliseconds) => {
      servingAheadMs += milliseconds;
    },
    issue: (realm, id, memberId) => auth.issue(realm, { id, memberId, tokenVersion: 1 }).token,
    sign: (realm, claims, options = {}) =>
      jwt.sign(claims, config.keys.jwt[realm], {
        algorithm: 'HS256',
        audience: `adplatform:${realm}`,
        issuer: 'adplatform',
        jwtid: randomUUID(),
        ...options,
      }),
    startServing: async () => {
      await feed.start();
    },
    inventory,
    publish: async (change) => {
      await redis.publish(noticesOf(redis), JSON.stringify(change));
    },
    spooled: async () => await readdir(spoolDir).catch(() => []),
    close: async () => {
      for (const each of [server, hotServer]) {
        each.closeAllConnections();
        await new Promise((resolve) => each.close(resolve));
      }
      await feed.stop();
      await counters.close();
      await pages.close();
      await eventLog.close();
      await pixelConversions.close();
      redis.destroy();
      await rm(folder, { recursive: true, force: true });
      if (breaches.length > 0) {
        const shown = [...new Set(breaches)].slice(0, BREACHES_SHOWN);
        throw new Error(`answers that break the contract:\n${shown.join('\n')}`);
      }
    },
  };
}

/** Addresses come from X-Forwarded-For, so that a test can be many callers. */
function testConfig(
  url: string,
  dirs: { folder: string; spoolDir: string },
  env: Record<string, string>,
): Config {
  return loadConfig({
    NODE_ENV: 'test',
    ...TEST_KEYS,
    POSTGRES_URL: url,
    TEMPORAL_UI_URL: 'http://127.0.0.1:8233/',
    TRUSTED_PROXIES: '127.0.0.1',
    MEDIA_DIR: path.join(dirs.folder, 'media'),
    PRIVATE_DIR: path.join(dirs.folder, 'private'),
    EXPORT_DIR: path.join(dirs.folder, 'exports'),
    MAIL_DIR: path.join(dirs.folder, 'mail'),
    SPOOL_DIR: dirs.spoolDir,
    ...env,
  });
}

/** What the build of web/ leaves, with nothing in it. */
async function emptyPages(folder: string): Promise<string> {
  const webDir = path.join(folder, 'web');
  await mkdir(path.join(webDir, 'console'), { recursive: true });
  await writeFile(path.join(webDir, 'sdk.js'), '/* page SDK */');
  await writeFile(path.join(webDir, 'prebid-adapter.js'), '/* bidder */');
  await writeFile(path.join(webDir, 'openapi.json'), '{}');
  await writeFile(path.join(webDir, 'console', 'index.html'), '<!doctype html><title>x</title>');
  return webDir;
}

function faultLog(onLog?: (line: string) => void): { log: Logger; faults: string[] } {
  const faults: string[] = [];
  const log = pino(
    { level: onLog === undefined ? 'error' : 'info' },
    {
      write: (line: string) => {
        onLog?.(line);
        const {
          level,
          msg,
          path: at,
          method,
          err,
        } = JSON.parse(line) as {
          level: number;
          msg?: string;
          path?: string;
          method?: string;
          err?: { message?: string; stack?: string };
        };
        if (level < ERROR_LEVEL) return;
        const where = err?.stack?.split('\n').slice(1, 4).join(' <- ') ?? '';
        faults.push(`${method ?? ''} ${at ?? ''} ${msg ?? ''}: ${err?.message ?? ''} ${where}`);
      },
    },
  );
  return { log, faults };
}

async function listen(app: Express, isSealed: boolean): Promise<Server> {
  const server = createExpressServer(app, { isSealed });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
