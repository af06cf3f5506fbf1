import { msToNumber } from '@temporalio/common/lib/time.js';
import type { RetryPolicy, WorkflowInterceptors } from '@temporalio/workflow';

const TIMES_FASTER = 10;
/** Temporal's own, where a policy says nothing. */
const INITIAL_MS = 1_000;

/**
 * Runs inside the flows of a test: steps are tried as often as their policies say, with a tenth of
 * the pauses that spare somebody's server.
 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: async (input, next) =>
        await next({ ...input, options: { ...input.options, retry: faster(input.options.retry) } }),
    },
  ],
});

function faster(retry: RetryPolicy = {}): RetryPolicy {
  const initialMs = msToNumber(retry.initialInterval ?? INITIAL_MS) / TIMES_FASTER;
  return { ...retry, initialInterval: initialMs, maximumInterval: 2 * initialMs };
}
