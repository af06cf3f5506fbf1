import { operationVersions } from '../../db/queries/operations.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';

/** Lets requests wait for an operation to move. */
export interface OperationWatch {
  /**
   * Comes back when the operation's version is no longer `version`, when the time is up, or when
   * `signal` says that nobody waits any more. Raises what the database raises.
   */
  moved(
    operation: { id: number; version: number },
    limits: { waitMs: number; signal: AbortSignal },
  ): Promise<void>;
}

const TICK_MS = 250;
/** One more is answered at once, as if it did not want to wait. */
const WAITERS_MAX = 1_000;

interface Waiter {
  id: number;
  version: number;
  done: (error?: unknown) => void;
}

/**
 * However many requests wait, the database is asked once a tick, by primary key; and not at all
 * while nobody waits.
 */
export function createOperationWatch(sql: SqlRunner): OperationWatch {
  const waiters = new Set<Waiter>();
  let ticking = false;

  const tick = async (): Promise<void> => {
    // Who comes while the database is asked is not in its answer, and waits for the next one.
    const asking = [...waiters];
    try {
      const versions = await operationVersions(sql, [...new Set(asking.map(({ id }) => id))]);
      for (const waiter of asking) {
        if (versions.get(waiter.id) !== waiter.version) waiter.done();
      }
    } catch (error) {
      for (const waiter of asking) waiter.done(error);
    }
    if (waiters.size === 0) ticking = false;
    else setTimeout(() => void tick(), TICK_MS);
  };

  return {
    moved: async ({ id, version }, { waitMs, signal }) => {
      if (waitMs <= 0 || signal.aborted || waiters.size >= WAITERS_MAX) return;
      await new Promise<void>((resolve, reject) => {
        const waiter: Waiter = {
          id,
          version,
          done: (error) => {
            waiters.delete(waiter);
            clearTimeout(timer);
            signal.removeEventListener('abort', stop);
            if (error === undefined) resolve();
            else
              reject(
                error instanceof Error ? error : new Error('watching failed', { cause: error }),
              );
          },
        };
        const stop = (): void => {
          waiter.done();
        };
        const timer = setTimeout(stop, waitMs);
        signal.addEventListener('abort', stop, { once: true });
        waiters.add(waiter);
        if (ticking) return;
        ticking = true;
        setTimeout(() => void tick(), TICK_MS);
      });
    },
  };
}
