import type { WorkflowInterceptors } from '@temporalio/workflow';

/**
 * Runs inside the flows of a test: steps are tried as often as their policies say, but at once, so
 * that no test sleeps through the pauses that spare somebody's server.
 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      scheduleActivity: async (input, next) =>
        await next({
          ...input,
          options: {
            ...input.options,
            retry: { ...input.options.retry, initialInterval: 50, maximumInterval: 200 },
          },
        }),
    },
  ],
});
