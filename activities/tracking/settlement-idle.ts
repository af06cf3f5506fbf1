import { eventReader } from '../../db/events/event-reader.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { dayOf } from '../../domain/tracking/utc-day.ts';
import { publishInventory } from '../core/outbox.ts';
import type { ActivityDeps } from '../deps.ts';

/** Longer than serving waits for the report of what it shows (api/ad/holds.ts), and a report for its commit. */
export const IDLE_MS = 4_500;
/** From the receipt of an event to its row in the log. */
const COMMITTED_WITHIN_MS = 1_000;

/**
 * Serving holds back what it was not told of, and is told with each batch. Of what a shard showed last it would
 * hear nothing until the shard's next event, and the end of a budget would wait for that: a shard that has fallen
 * idle says once more how far it is. A word that is lost costs the wait.
 */
export class IdleWord {
  readonly #deps: Pick<ActivityDeps, 'db' | 'outbox'>;
  readonly #idleMs: number;
  /** Unix ms of the last batch that had events, until its word is given. */
  readonly #owedSince = new Map<number, number>();

  constructor(deps: Pick<ActivityDeps, 'db' | 'outbox'>, idleMs: number) {
    this.#deps = deps;
    this.#idleMs = idleMs;
  }

  owe(shard: number): void {
    this.#owedSince.set(shard, Date.now());
  }

  /** Nothing of the shard waits. */
  async give(shard: number): Promise<void> {
    const now = Date.now();
    if (now - (this.#owedSince.get(shard) ?? Infinity) < this.#idleMs) return;
    if (!this.#owedSince.delete(shard)) return;
    // Of what is there and cannot be read yet it must not be said that it is settled.
    const settledAt = await eventReader.settledUntil(runner(this.#deps.db), new Date(now));
    if (settledAt === null) return;
    const untilMs = Math.min(settledAt.getTime(), now - COMMITTED_WITHIN_MS);
    const nothing = { available: {}, campaigns: {}, adgroups: {} };
    const budgets = { day: dayOf(untilMs), ...nothing, settled: { shard, untilMs } };
    await inTransaction(this.#deps.db, async (tx) => {
      await publishInventory(this.#deps.outbox, tx, { topic: 'budgets', budgets });
    });
  }
}
