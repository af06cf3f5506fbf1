import type { Logger } from 'pino';
import { noticesOf, type Redis } from '../redis.ts';
import { loadSettings } from '../settings.ts';
import type { AdvertiserInventory } from './snapshot-rows.ts';
import {
  type BudgetNotice,
  type InventoryChange,
  type InventorySink,
  loadAdvertisers,
  loadMoney,
  loadZones,
  type Portion,
  type SnapshotSource,
} from './snapshot-store.ts';
import {
  changedTenants,
  type InventoryVersions,
  inGroups,
  loadVersions,
} from './snapshot-versions.ts';

/**
 * Keeps a serving process's inventory fresh. Changes arrive by Redis and reload the tenants they
 * name; after a reconnect and at intervals everybody's versions are compared, so a lost notice costs
 * seconds.
 * While PostgreSQL is away the last inventory serves on and `stats` says its age.
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
  sql: SnapshotSource;
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
/** More tenants than this at once are found by a look at everything. */
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

export const createInventoryFeed = (deps: InventoryFeedDeps): InventoryFeed => new Feed(deps);

class Feed implements InventoryFeed {
  readonly #deps: InventoryFeedDeps;
  readonly #subscriber: Redis;
  #pending = nothing();
  #timer: NodeJS.Timeout | undefined;
  #checks: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;
  #isSubscribed = false;
  /** As of the last look at everything; who changed since is loaded once more by the next. */
  #held: InventoryVersions | undefined;
  #loadedAt: number | null = null;
  #fullAt = -Infinity;
  #failures = 0;

  constructor(deps: InventoryFeedDeps) {
    this.#deps = deps;
    this.#subscriber = deps.redis.duplicate();
  }

  async start(): Promise<void> {
    this.#subscriber.on('error', () => undefined);
    this.#subscriber.on('ready', () => void this.#onReady());
    // Stays pending while Redis is away; its client keeps trying.
    this.#subscriber.connect().catch((error: unknown) => {
      if (!this.#isStopped)
        this.#deps.log.warn({ err: error }, 'inventory notices are not connected');
    });
    this.#pending.full = true;
    await this.#flush();
    this.#checks = setInterval(() => this.#check(), CHECK_MS);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#checks);
    this.#subscriber.destroy();
    await this.#running;
  }

  stats(): InventoryFeedStats {
    return {
      ageSeconds: this.#loadedAt === null ? null : (performance.now() - this.#loadedAt) / 1_000,
      notices: this.#hasNotices(),
      failures: this.#failures,
    };
  }

  #hasNotices(): boolean {
    return this.#subscriber.isReady && this.#isSubscribed;
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, delayMs);
  }

  /** One load at a time; what arrives meanwhile is loaded next. */
  async #flush(): Promise<void> {
    if (this.#running !== undefined || this.#isStopped) return;
    const work = this.#pending;
    this.#pending = nothing();
    this.#running = this.#attempt(work);
    await this.#running;
    this.#running = undefined;
    if (hasWork(this.#pending)) this.#schedule(this.#failures > 0 ? RETRY_MS : GATHER_MS);
  }

  async #attempt(work: Pending): Promise<void> {
    const { log } = this.#deps;
    const startedAt = performance.now();
    try {
      const isFull = work.full || work.advertisers.size + work.publishers.size > TENANTS_MAX;
      if (isFull) this.#held = await loadAll(this.#deps, this.#held, startedAt);
      else await loadNamed(this.#deps, work, startedAt);
      this.#loadedAt = startedAt;
      if (isFull) this.#fullAt = startedAt;
      if (this.#failures > 0) log.info({ failures: this.#failures }, 'inventory is fresh again');
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      if (this.#failures === 1) {
        log.warn({ err: error }, 'inventory could not be loaded; the last one serves on');
      }
      this.#pending = merge(this.#pending, work);
    }
  }

  #onMessage(message: string): void {
    const change = parseChange(message);
    if (change === undefined) {
      this.#deps.log.warn({ message: message.slice(0, 200) }, 'unreadable inventory notice');
      return;
    }
    // Money needs no reload: it works on the next auction.
    if (change.topic === 'budgets') {
      this.#applyBudgets(change.budgets);
      return;
    }
    if (change.topic === 'settings') this.#pending.settings = true;
    else if (change.topic === 'advertiser') this.#pending.advertisers.add(change.id);
    else this.#pending.publishers.add(change.id);
    this.#schedule(GATHER_MS);
  }

  #applyBudgets(notice: BudgetNotice): void {
    try {
      this.#deps.sink.applyBudgets(notice);
    } catch (error) {
      // A notice of another build: the next full load brings the same figures.
      this.#deps.log.warn({ err: error }, 'unreadable budget notice');
    }
  }

  async #onReady(): Promise<void> {
    try {
      // The client renews its subscriptions on a reconnect by itself.
      if (!this.#isSubscribed) {
        await this.#subscriber.subscribe(noticesOf(this.#subscriber), (message) =>
          this.#onMessage(message),
        );
      }
      this.#isSubscribed = true;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'inventory notices are not subscribed');
    }
    // What was published while we were away is gone.
    this.#pending.full = true;
    this.#schedule(GATHER_MS);
  }

  #check(): void {
    const every = this.#hasNotices() ? FULL_EVERY_MS : FULL_EVERY_MS_WITHOUT_REDIS;
    if (performance.now() - this.#fullAt < every || this.#running !== undefined) return;
    this.#pending.full = true;
    this.#schedule(this.#failures > 0 ? RETRY_MS : 0);
  }
}

/** The first load brings everything; later ones ask who has changed, and bring those. */
async function loadAll(
  { sql, sink }: InventoryFeedDeps,
  held: InventoryVersions | undefined,
  startedAt: number,
): Promise<InventoryVersions> {
  sink.applySettings(await loadSettings(sql));
  const versions = await loadVersions(sql);
  const isFirst = held === undefined;
  if (isFirst) await sink.replacePublishers(null, await loadZones(sql, null));
  else {
    for (const ids of inGroups(changedTenants(held.publishers, versions.publishers))) {
      await sink.replacePublishers(ids, await loadZones(sql, ids));
    }
  }
  const ids = isFirst
    ? [...versions.advertisers.keys()]
    : changedTenants(held.advertisers, versions.advertisers);
  const parts = readingParts(
    sql,
    inGroups(ids, versions.advertisers),
    isFirst ? 'FIRST_LOAD' : 'BESIDE_REQUESTS',
  );
  if (ids.length > 0 || isFirst) {
    await sink.replaceAdvertisers(isFirst ? null : ids, parts, startedAt);
  }
  await sink.applyMoney(await loadMoney(sql), startedAt);
  return versions;
}

/** Everything at once would one day take longer than a statement may, and no process would come up again. */
async function* readingParts(
  sql: SnapshotSource,
  groups: Iterable<readonly number[]>,
  portion: Portion,
): AsyncGenerator<AdvertiserInventory> {
  for (const ids of groups) yield await loadAdvertisers(sql, ids, portion);
}

async function loadNamed(deps: InventoryFeedDeps, work: Pending, startedAt: number): Promise<void> {
  const { sql, sink } = deps;
  if (work.settings) sink.applySettings(await loadSettings(sql));
  if (work.publishers.size > 0) {
    const ids = [...work.publishers];
    await sink.replacePublishers(ids, await loadZones(sql, ids));
  }
  if (work.advertisers.size > 0) {
    const ids = [...work.advertisers];
    await sink.replaceAdvertisers(
      ids,
      readingParts(sql, inGroups(ids), 'BESIDE_REQUESTS'),
      startedAt,
    );
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
