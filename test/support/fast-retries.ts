import { msToNumber } from '@temporalio/common/lib/time.js';
import type { RetryPolicy, WorkflowInterceptors } from '@temporalio/workflow';

const TIMES_FASTER = 10;
/** Of a day's waits before an order is sent or looked at again, the first, as milliseconds. */
const WAITS_MAX = 2;
const WAITS_TIMES_SHORTER = 100_000;
/** Temporal's own, where a policy says nothing. */
const INITIAL_MS = 1_000;

/**
 * Runs inside the flows of a test: steps are tried as often as their policies say, with a tenth of
 * the pauses that spare somebody's server; and a flow waits less often and shorter than its input says.
 */
export const interceptors = (): WorkflowInterceptors => ({
  inbound: [
    {
      execute: async (input, next) =>
        await next({ ...input, args: input.args.map(withShortWaits) }),
    },
  ],
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

/** Waits for a provider are lists that an input calls `…AgainSeconds`. */
function withShortWaits(input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]: [string, unknown]) => [
      name,
      name.endsWith('AgainSeconds') && Array.isArray(value)
        ? value.slice(0, WAITS_MAX).map((seconds) => Number(seconds) / WAITS_TIMES_SHORTER)
        : value,
    ]),
  );
}
