import { msToNumber } from '@temporalio/common/lib/time.js';
import type { WorkflowInterceptors } from '@temporalio/workflow';

/** Above what a step of one transaction takes on the slowest machine, below what a test waits. */
const LOST_AFTER_MS = 10_000;

/**
 * Runs inside the flows of tests that kill workers: a step whose worker died is given up sooner. Not one
 * with a single try, where giving up is an outcome.
 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: async (input, next) => {
        const { startToCloseTimeout = LOST_AFTER_MS, retry } = input.options;
        const isOnce = retry?.maximumAttempts === 1;
        const timeoutMs = msToNumber(startToCloseTimeout);
        return await next({
          ...input,
          options: {
            ...input.options,
            startToCloseTimeout: isOnce ? timeoutMs : Math.min(timeoutMs, LOST_AFTER_MS),
          },
        });
      },
    },
  ],
});
