import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { traced, traceOf } from '../activities/core/traces.ts';

/** A step of a flow that somebody's request began is a span of that request's trace. */
export const stepsAreTraced: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: async (input, next) =>
      await traced(
        traceOf(input.headers),
        {
          name: `step ${info.activityType}`,
          attributes: {
            'temporal.activity.type': info.activityType,
            'temporal.activity.attempt': info.attempt,
            'temporal.workflow.type': info.workflowType ?? '',
            'temporal.workflow.id': info.workflowExecution?.workflowId ?? '',
          },
        },
        async () => await next(input),
      ),
  },
});
