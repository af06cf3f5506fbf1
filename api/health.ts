import { setTimeout as sleep } from 'node:timers/promises';
import { Router } from 'express';
import type { Logger } from 'pino';
import type { InventoryFeedStats } from '../db/serving/inventory-feed.ts';
import type { HealthReport } from './deps.ts';

/**
 * /health/live: this process answers. /health/ready: it can do its work; 503 names the part that is
 * away.
 */
export function healthRoutes(report: () => Promise<HealthReport>): Router {
  const router = Router();
  router.get('/live', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/ready', async (_req, res) => {
    const health = await report();
    res.status(health.ready ? 200 : 503).json(health);
  });
  return router;
}

/**
 * How each part is asked; those that are far away may fail, or never answer. One whose connection stands
 * may hang all the same, so each is asked something anew.
 */
export interface HealthSources {
  surfaces: ReadonlySet<string>;
  postgres(): Promise<unknown>;
  temporal(): Promise<unknown>;
  redis(): Promise<unknown>;
  feed: { stats(): InventoryFeedStats };
  eventLog: { stats(): { pending: number; spooled: number } };
  log: Logger;
}

/** A probe gives up after a second or two; it had better read an answer that names the silent part. */
const ANSWER_MS = 1_000;

/**
 * Ready means: this process can do what its surfaces promise. The console needs PostgreSQL. Ads are
 * chosen in memory, once the inventory was read. Tracking keeps events in its spool while PostgreSQL
 * is away. Redis and Temporal are reported, but stop nobody: caps are refused by name, the outbox waits.
 */
export async function reportHealth(sources: HealthSources): Promise<HealthReport> {
  const { surfaces, log } = sources;
  const [postgres, redis, temporal] = await Promise.all([
    answers({ part: 'postgres', log, ask: () => sources.postgres() }),
    answers({ part: 'redis', log, ask: () => sources.redis() }),
    answers({ part: 'temporal', log, ask: () => sources.temporal() }),
  ]);
  const snapshot = sources.feed.stats();
  const events = sources.eventLog.stats();
  return {
    ready:
      (postgres || !surfaces.has('console')) &&
      (snapshot.ageSeconds !== null || !surfaces.has('ad')),
    parts: {
      postgres: { ok: postgres },
      redis: { ok: redis },
      temporal: { ok: temporal },
      ...(surfaces.has('ad')
        ? {
            snapshot: {
              ok: snapshot.ageSeconds !== null && snapshot.failures === 0,
              detail: snapshot.ageSeconds ?? 'not loaded',
            },
          }
        : {}),
      events: {
        ok: events.spooled === 0,
        detail: `${events.pending} pending, ${events.spooled} spooled`,
      },
    },
  };
}

/** Whether a part answers soon; one that is stopped and still connected does not. */
export async function answers({
  part,
  log,
  ask,
}: {
  part: string;
  log: Logger;
  ask: () => Promise<unknown>;
}): Promise<boolean> {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      ask().then(() => true),
      sleep(ANSWER_MS, false, { signal: waiting.signal, ref: false }),
    ]);
  } catch (error) {
    log.debug({ err: error, part }, 'health check failed');
    return false;
  } finally {
    waiting.abort();
  }
}
