import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { DomainError } from '../domain/errors.ts';
import { LONG_STEPS } from '../workflows/contracts/schedules.ts';

const BEAT_MS = 10_000;

/**
 * A refusal of ours is final: the flow gets it as a non-retryable failure of the same name. Any
 * other error is trouble (a database restarting, a bug being fixed) and is retried by the step's
 * policy.
 */
export const refusalsAreFinal: ActivityInterceptorsFactory = () => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        if (!(error instanceof DomainError) || error.token === 'unavailable') throw error;
        throw ApplicationFailure.create({
          message: error.message,
          type: error.token,
          nonRetryable: true,
          details: [{ errors: error.errors ?? [], hints: error.hints ?? {} }],
          cause: error,
        });
      }
    },
  },
});

/** A round of periodic work lasts: Temporal hears that its worker lives, and begins it again elsewhere if not. */
export const roundsBeat: ActivityInterceptorsFactory = (context) => ({
  inbound: {
    async execute(input, next) {
      if (!LONG_STEPS.includes(context.info.activityType)) return await next(input);
      const beat = setInterval(() => {
        context.heartbeat();
      }, BEAT_MS);
      try {
        return await next(input);
      } finally {
        clearInterval(beat);
      }
    },
  },
});
