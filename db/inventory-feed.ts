import type { Logger } from 'pino';
import { INVENTORY_CHANNEL } from './keys.ts';
import type { Redis } from './redis.ts';
import { loadSettings } from './queries/settings.ts';
import {
  type InventoryChange,
  type InventorySink,
  loadAdvertisers,
  loadZones,
} from './snapshot-store.ts';
import type { SqlRunner } from './sql-runner.ts';

/**
 * Keeps a serving process's inventory fresh. Changes arrive by Redis and reload the tenants they
 * name; everything is reloaded after a reconnect and at intervals, so a lost notice costs seconds.
 * While PostgreSQL is away the last inventory serves on and `stats` tells its age.
 */
export interface InventoryFeed {
  /** Tries the first load once; a failure is retried in the background. */
  start(): Promise<void>;
  stop(): Promise<void>;
  stats(): InventoryFeedStats;
}

export interface InventoryFeedStats {
  /** Seconds since PostgreSQL was last read in full or in part; null before the first load. */
  ageSeconds: number | null;
  /** Whether change notices arrive. */
  notices: boolean;
  /** Loads that failed since the last success. */
  failures: number;
}

export interface InventoryFeedDeps {
  sql: SqlRunner;
  redis: Redis;
  sink: InventorySink;
  log: Logger;
}

/** Changes of this long are loaded together. */
const GATHER_MS = 100;
const RETRY_MS = 1_000;
const CHECK_MS = 500;
const FULL_EVERY_MS = 30_000;
const FULL_EVERY_MS_WITHOUT_REDIS = 5_000;
/** More tenants than this at once are cheaper to load as a whole. */
const TENANTS_MAX = 500;

interface Pending {
  full: boolean;
  settings: boolean;
  advertisers: Set<number>;
  publishers: Set<number>;
}

const nothing = (): Pending => ({
  full: false,
  settings: false,
  advertisers: new Set(),
  publishers: new Set(),
});

export function createInventoryFeed(deps: InventoryFeedDeps): InventoryFeed {
  const { redis, sink, log } = deps;
  const subscriber = redis.duplicate();
  let pending = nothing();
  let timer: NodeJS.Timeout | undefined;
  let checks: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStopped = false;
  let isSubscribed = false;
  let loadedAt: number | null = null;
  let fullAt = -Infinity;
  let failures = 0;

  const schedule = (delayMs: number): void => {
    if (isStopped || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, delayMs);
  };

  const flush = async (): Promise<void> => {
    if (running !== undefined || isStopped) return;
    const work = pending;
    pending = nothing();
    running = attempt(work);
    await running;
    running = undefined;
    if (hasWork(pending)) schedule(failures > 0 ? RETRY_MS : GATHER_MS);
  };

  const attempt = async (work: Pending): Promise<void> => {
    const startedAt = performance.now();
    try {
      await load(deps, work, startedAt);
      loadedAt = startedAt;
      if (work.full) fullAt = startedAt;
      if (failures > 0) log.info({ failures }, 'inventory is fresh again');
      failures = 0;
    } catch (error) {
      failures += 1;
      if (failures === 1)
        log.warn({ err: error }, 'inventory could not be loaded; the last one serves on');
      pending = merge(pending, work);
    }
  };

  const onMessage = (message: string): void => {
    const change = parseChange(message);
    if (change === undefined) {
      log.warn({ message: message.slice(0, 200) }, 'unreadable inventory notice');
      return;
    }
    // Money needs no reload: it works on the next auction.
    if (change.topic === 'budgets') {
      sink.applyBudgets(change.budgets);
      return;
    }
    if (change.topic === 'settings') pending.settings = true;
    else if (change.topic === 'advertiser') pending.advertisers.add(change.id);
    else pending.publishers.add(change.id);
    schedule(GATHER_MS);
  };

  const onReady = async (): Promise<void> => {
    try {
      // The client renews its subscriptions on a reconnect by itself.
      if (!isSubscribed) await subscriber.subscribe(INVENTORY_CHANNEL, onMessage);
      isSubscribed = true;
    } catch (error) {
      log.warn({ err: error }, 'inventory notices are not subscribed');
    }
    // What was published while we were away is gone.
    pending.full = true;
    schedule(GATHER_MS);
  };

  const check = (): void => {
    const every = subscriber.isReady && isSubscribed ? FULL_EVERY_MS : FULL_EVERY_MS_WITHOUT_REDIS;
    if (performance.now() - fullAt < every || running !== undefined) return;
    pending.full = true;
    schedule(failures > 0 ? RETRY_MS : 0);
  };

  return {
    async start() {
      subscriber.on('error', () => undefined);
      subscriber.on('ready', () => void onReady());
      // Stays pending while Redis is away; its client keeps trying.
      subscriber.connect().catch((error: unknown) => {
        if (!isStopped) log.warn({ err: error }, 'inventory notices are not connected');
      });
      pending.full = true;
      await flush();
      checks = setInterval(check, CHECK_MS);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      clearInterval(checks);
      subscriber.destroy();
      await running;
    },
    stats: () => ({
      ageSeconds: loadedAt === null ? null : (performance.now() - loadedAt) / 1_000,
      notices: subscriber.isReady && isSubscribed,
      failures,
    }),
  };
}

async function load(deps: InventoryFeedDeps, work: Pending, startedAt: number): Promise<void> {
  const { sql, sink } = deps;
  const tenants = work.advertisers.size + work.publishers.size;
  if (work.full || tenants > TENANTS_MAX) {
    sink.applySettings(await loadSettings(sql));
    sink.replacePublishers(null, await loadZones(sql, null));
    await sink.replaceAdvertisers(null, await loadAdvertisers(sql, null), startedAt);
    return;
  }
  if (work.settings) sink.applySettings(await loadSettings(sql));
  if (work.publishers.size > 0) {
    const ids = [...work.publishers];
    sink.replacePublishers(ids, await loadZones(sql, ids));
  }
  if (work.advertisers.size > 0) {
    const ids = [...work.advertisers];
    await sink.replaceAdvertisers(ids, await loadAdvertisers(sql, ids), startedAt);
  }
}

const hasWork = (work: Pending): boolean =>
  work.full || work.settings || work.advertisers.size > 0 || work.publishers.size > 0;

const merge = (left: Pending, right: Pending): Pending => ({
  full: left.full || right.full,
  settings: left.settings || right.settings,
  advertisers: new Set([...left.advertisers, ...right.advertisers]),
  publishers: new Set([...left.publishers, ...right.publishers]),
});

function parseChange(message: string): InventoryChange | undefined {
  let value: unknown;
  try {
    value = JSON.parse(message);
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return undefined;
    throw error;
  }
  if (typeof value !== 'object' || value === null || !('topic' in value)) return undefined;
  const { topic } = value;
  if (topic === 'settings') return { topic };
  if (topic === 'budgets' && 'budgets' in value) return value as InventoryChange;
  const isTenant = topic === 'advertiser' || topic === 'publisher';
  if (!isTenant || !('id' in value) || !Number.isSafeInteger(value.id)) return undefined;
  return { topic, id: Number(value.id) };
}
