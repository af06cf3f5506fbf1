import type { Logger } from 'pino';
import type { Dispatcher } from '../activities/core/dispatch.ts';
import { pause } from '../activities/core/pause.ts';

const TICK_MS = 1_000;
const BATCH_MAX = 100;

/**
 * Delivers what no process delivered in-process: rows of a process that died after its commit, and
 * rows whose receiver was away. Several pollers share the work (FOR UPDATE SKIP LOCKED).
 */
export function startOutboxPoller(deps: { dispatcher: Dispatcher; log: Logger }): {
  stop(): Promise<void>;
} {
  const stopping = new AbortController();
  const poll = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      let taken = 0;
      try {
        taken = await deps.dispatcher.dispatchDue(BATCH_MAX);
      } catch (error) {
        deps.log.warn({ err: error }, 'outbox poll failed; it goes on');
      }
      // A full batch means that more is waiting.
      if (taken < BATCH_MAX) await pause(TICK_MS, stopping.signal);
    }
  };
  const done = poll();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}
