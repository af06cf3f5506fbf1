import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Db } from '../db/postgres.ts';
import type { Redis } from '../db/redis.ts';
import type { LoadedList } from '../domain/datacenter-list.ts';
import type { Activities } from '../activities/index.ts';
import type { Dispatcher } from '../activities/core/dispatch.ts';
import type { ReadPollers } from '../activities/core/flow-queues.ts';
import type { PixelConversions } from './conversion/pixels.ts';
import type { Auth } from './http/auth.ts';
import type { ReadViewer } from './viewer.ts';

/** What the console's route files take; made once by api/server.ts. */
export interface ConsoleDeps {
  config: Config;
  db: Db;
  redis: Redis;
  /** The same functions that workflows call; here they run in-process. */
  activities: Activities;
  dispatcher: Dispatcher;
  readPollers: ReadPollers;
  /** The lists of data centres that this process has. */
  readDatacenters: () => LoadedList[];
  auth: Auth;
  readViewer: ReadViewer;
  pixelConversions: PixelConversions;
  log: Logger;
  clock: () => Date;
}

/** What each part says of itself; `ready` is what a load balancer acts on. */
export interface HealthReport {
  ready: boolean;
  parts: Record<string, { ok: boolean; detail?: string | number | undefined }>;
}
