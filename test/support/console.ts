import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import express, { type Express, type Router } from 'express';
import { pino } from 'pino';
import type { Dispatcher } from '../../activities/core/dispatch.ts';
import { createActivities } from '../../activities/index.ts';
import { createOutbox } from '../../activities/core/outbox.ts';
import { composeProviders } from '../../activities/providers/compose.ts';
import { createPixelConversions } from '../../api/conversion/pixels.ts';
import type { ConsoleDeps } from '../../api/deps.ts';
import { createAuth } from '../../api/http/auth.ts';
import { jsonBody } from '../../api/http/body.ts';
import { errorHandler, unknownRoute } from '../../api/http/errors.ts';
import { requestId } from '../../api/http/request-id.ts';
import { loadConfig } from '../../config.ts';
import { runner } from '../../db/postgres.ts';
import { confirmToken } from '../../db/queries/accounts.ts';
import { createRedis } from '../../db/redis.ts';
import { serviceUrl, type TestDatabase } from './database.ts';
import { TEST_KEYS } from './providers.ts';

/** The console's dependencies on a test database; no Temporal: outbox rows stay where they are. */
export interface TestConsole {
  deps: ConsoleDeps;
  close(): Promise<void>;
}

export async function createTestConsole(database: TestDatabase): Promise<TestConsole> {
  const { db } = database;
  const log = pino({ level: 'silent' });
  const clock = () => new Date();
  const redis = createRedis(serviceUrl('REDIS_URL'));
  await redis.connect();
  const folder = mkdtempSync(path.join(tmpdir(), 'adplatform-console-'));
  const mediaDir = path.join(folder, 'media');
  mkdirSync(mediaDir);
  const config = loadConfig({
    NODE_ENV: 'test',
    ...TEST_KEYS,
    POSTGRES_URL: database.url,
    MEDIA_DIR: mediaDir,
    PRIVATE_DIR: path.join(folder, 'private'),
    EXPORT_DIR: path.join(folder, 'exports'),
    MAIL_DIR: path.join(folder, 'mail'),
  });
  const outbox = createOutbox(db, () => undefined);
  const dispatcher: Dispatcher = {
    dispatch: () => Promise.resolve({ state: 'deferred', error: 'no flows in this test' }),
    dispatchDue: () => Promise.resolve(0),
  };
  const auth = createAuth({
    keys: { advertiser: randomBytes(32), publisher: randomBytes(32), admin: randomBytes(32) },
    confirm: async (realm, claims) => await confirmToken(runner(db), realm, claims),
    newTokenId: randomUUID,
  });
  const activities = createActivities({
    db,
    outbox,
    log,
    clock,
    providers: composeProviders(config),
  });
  const spoolDir = path.join(folder, 'spool');
  const pixelConversions = createPixelConversions({ dir: spoolDir, activities, log, clock });
  return {
    deps: { config, db, redis, activities, dispatcher, auth, pixelConversions, log, clock },
    close: async () => {
      redis.destroy();
      await pixelConversions.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An application of some routers, with the console's own parser and error handler around them. */
export function testApp(mounts: Record<string, Router>): Express {
  const app = express();
  app.use(requestId, jsonBody());
  for (const [path, router] of Object.entries(mounts)) app.use(path, router);
  app.use(unknownRoute);
  app.use(errorHandler(pino({ level: 'silent' })));
  return app;
}
