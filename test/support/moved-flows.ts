import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { tsToMs } from '@temporalio/common/lib/time.js';
import {
  CancellationScope,
  condition,
  defineSignal,
  setHandler,
  type WorkflowInterceptors,
} from '@temporalio/workflow';
import { getActivator } from '@temporalio/workflow/lib/global-attributes.js';
import { AHEAD_HEADER, MOVED_SIGNAL } from './moved-names.ts';

/**
 * Runs inside the flows of a test whose time is moved (moved-time.ts). A flow that was begun then lives by that
 * time: it reads it as now, is told of each move, and wakes when what it sleeps until has come by it.
 */
export const interceptors = (): WorkflowInterceptors => {
  let aheadMs: number | undefined;
  const move = (toMs: number): void => {
    getActivator().now += toMs - (aheadMs ?? 0);
    aheadMs = toMs;
  };
  return {
    internals: [
      {
        activate: (input, next) => {
          const { timestamp } = input.activation;
          if (aheadMs !== undefined && timestamp !== null && timestamp !== undefined) {
            getActivator().now = tsToMs(timestamp) + aheadMs;
          }
          next(input);
        },
      },
    ],
    inbound: [
      {
        execute: async (input, next) => {
          const given = input.headers[AHEAD_HEADER];
          if (given !== undefined) {
            move(defaultPayloadConverter.fromPayload<number>(given));
            setHandler(defineSignal<[number]>(MOVED_SIGNAL), move);
          }
          return await next(input);
        },
      },
    ],
    outbound: [
      {
        startTimer: async (input, next) => {
          if (aheadMs === undefined) {
            await next(input);
            return;
          }
          const dueMs = getActivator().now + input.durationMs;
          await CancellationScope.cancellable(async () => {
            try {
              await Promise.race([next(input), condition(() => getActivator().now >= dueMs)]);
            } finally {
              CancellationScope.current().cancel();
            }
          });
        },
        continueAsNew: async (input, next) =>
          await next(
            aheadMs === undefined
              ? input
              : { ...input, headers: { ...input.headers, ...headerOf(aheadMs) } },
          ),
      },
    ],
  };
};

const headerOf = (aheadMs: number): Record<string, Payload> => ({
  [AHEAD_HEADER]: defaultPayloadConverter.toPayload(aheadMs),
});
