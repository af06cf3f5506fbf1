import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import { type AdDeps, createAdSurface } from '../../api/ad/surface.ts';
import { createViewerReader } from '../../api/viewer.ts';
import { createInventoryFeed, type InventoryFeed } from '../../db/serving/inventory-feed.ts';
import { createRedis, noticesOf, type Redis } from '../../db/redis.ts';
import { createServedPages, type ServedPages } from '../../db/serving/served-pages.ts';
import { createServingCounters, type ServingCounters } from '../../db/serving/serving-counters.ts';
import type { InventoryChange, SnapshotSource } from '../../db/serving/snapshot-store.ts';
import { createFingerprints } from '../../domain/tracking/fingerprint.ts';
import { createSessionKeys, type SessionKeys } from '../../domain/tracking/session-key.ts';
import { createTrackSealer, type TrackSealer } from '../../domain/tracking/track-id.ts';
import { CHROME } from './agents.ts';
import { until } from './until.ts';

/** The ad surface over real stores, listening on a port of its own. */
export interface ServingStand {
  url: string;
  deps: AdDeps;
  inventory: ServingInventory;
  feed: InventoryFeed;
  counters: ServingCounters;
  pages: ServedPages;
  redis: Redis;
  sealer: TrackSealer;
  sessionKeys: SessionKeys;
  publish(change: InventoryChange): Promise<void>;
  close(): Promise<void>;
}

export const TRACK_URL = 'http://track.example';
export const CDN_URL = 'http://cdn.example';

export async function startServing(options: {
  sql: SnapshotSource;
  redisUrl: string;
}): Promise<ServingStand> {
  const log = pino({ level: 'silent' });
  const redis = createRedis(options.redisUrl);
  await redis.connect();
  const inventory = createServingInventory({ cdnUrl: CDN_URL });
  const feed = createInventoryFeed({ sql: options.sql, redis, sink: inventory, log });
  const counters = createServingCounters({ sql: options.sql, log });
  const pages = createServedPages({ sql: options.sql, log });
  const sealer = createTrackSealer([{ id: 1, secret: randomBytes(32) }]);
  const hashKey = randomBytes(32);
  const sessionKeys = createSessionKeys(hashKey);
  const readViewer = createViewerReader({
    hashKey,
    // A test says where it comes from by the address it is forwarded for.
    geo: (address) => (address.startsWith('20.0.113.') ? 'US' : 'DE'),
    trustedProxies: ['127.0.0.0/8'],
  });
  const deps: AdDeps = {
    inventory,
    redis,
    counters,
    sealer,
    sessionKeys,
    readViewer,
    fingerprintOf: createFingerprints(hashKey),
    pages,
    urls: { track: TRACK_URL, cdn: CDN_URL },
    log,
    clock: () => new Date(),
    countersWaitMs: 5_000,
  };
  const app = express();
  app.use('/ad', createAdSurface(deps));
  const server = createServer(app);
  const url = await listen(server);
  await feed.start();
  await until(() => feed.stats().notices);
  return {
    url,
    deps,
    inventory,
    feed,
    counters,
    pages,
    redis,
    sealer,
    sessionKeys,
    publish: async (change) => {
      await redis.publish(noticesOf(redis), JSON.stringify(change));
    },
    close: async () => {
      await feed.stop();
      await counters.close();
      await pages.close();
      redis.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface AdAnswer {
  status: number;
  headers: Headers;
  body: {
    code: number;
    message: string;
    timestamp: number;
    data: {
      error?: string;
      errors?: { field: string; code: string }[];
      request_id: string;
      zone: Record<string, unknown>;
      ads: Record<string, string & number & null>[];
      qa_k: string;
      labels: Record<string, string>;
      _rand: string;
      _ts: number;
      _v: number;
    };
  };
}

/** A GET (or what `init` says) with a desktop's agent in the US unless told otherwise. */
export async function ask(
  url: string,
  init: Omit<RequestInit, 'headers'> & {
    agent?: string;
    address?: string;
    headers?: Record<string, string>;
  } = {},
): Promise<AdAnswer> {
  const { agent = CHROME, address = '20.0.113.7', headers, ...rest } = init;
  const response = await fetch(url, {
    ...rest,
    headers: { 'user-agent': agent, 'x-forwarded-for': address, ...headers },
  });
  const body = (await response.json()) as AdAnswer['body'];
  return { status: response.status, headers: response.headers, body };
}
