import { ActivityFailure, ApplicationFailure, CancellationScope } from '@temporalio/workflow';

/**
 * Runs a flow that holds money or somebody's work: a cancel from Temporal's pages ends none of its
 * steps. It is a request; `onRequest` hears of it, and the flow answers by its rows.
 */
export async function uncancellable<Result>(
  onRequest: () => void,
  run: () => Promise<Result>,
): Promise<Result> {
  CancellationScope.current().cancelRequested.catch(onRequest);
  return await CancellationScope.nonCancellable(run);
}

/** A step's "no" by one of our names, as opposed to trouble: it will not change by itself. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ActivityFailure &&
  error.cause instanceof ApplicationFailure &&
  error.cause.nonRetryable === true;
