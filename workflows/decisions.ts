import { ActivityFailure, ApplicationFailure, defineUpdate } from '@temporalio/workflow';
import { ALREADY_DECIDED, DECIDE_UPDATE, type DecideInput } from './contracts/decision.ts';

/** The one Update of every flow that waits for a human (contracts/decision.ts). */
export const decideUpdate = defineUpdate<string, [DecideInput]>(DECIDE_UPDATE);

export const alreadyDecided = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('This task was decided before.', ALREADY_DECIDED);

export const unknownTask = (): ApplicationFailure =>
  ApplicationFailure.nonRetryable('This flow does not wait for that task.', 'UnknownTask');

/**
 * Runs the step that applies a decision. A refusal of that step (site not verified, decided before)
 * fails the Update under the refusal's own text, and the flow waits on.
 */
export async function applying<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
      throw ApplicationFailure.nonRetryable(error.cause.message, error.cause.type ?? 'Refused');
    }
    throw error;
  }
}
