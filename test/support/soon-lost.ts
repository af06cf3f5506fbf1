import { msToNumber } from '@temporalio/common/lib/time.js';
import type { Duration } from '@temporalio/common';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** Above what a step of one transaction takes on the slowest machine, below what a test waits. */
const LOST_AFTER_MS = 10_000;

const soonest = (timeout: Duration): number => Math.min(msToNumber(timeout), LOST_AFTER_MS);

/**
 * Runs inside the flows of tests that kill workers: a step whose worker died is given up sooner. Not one
 * with a single try, where giving up is an outcome.
 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: async (input, next) => {
        const { startToCloseTimeout = LOST_AFTER_MS, heartbeatTimeout, retry } = input.options;
        if (retry?.maximumAttempts === 1) return await next(input);
        // What heartbeats may take its time, and is missed by its beats.
        const soon =
          heartbeatTimeout === undefined
            ? { startToCloseTimeout: soonest(startToCloseTimeout) }
            : { heartbeatTimeout: soonest(heartbeatTimeout) };
        return await next({ ...input, options: { ...input.options, ...soon } });
      },
    },
  ],
});
