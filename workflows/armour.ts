import { CancellationScope } from '@temporalio/workflow';
import { askedWhenRefused, nudgeRefusal } from './refusals.ts';

/**
 * Runs a flow that holds money or somebody's work: a cancel from Temporal's pages ends none of its
 * steps. It is a request; `onRequest` hears of it, and the flow answers by its rows. A step that is
 * refused is put to an operator, and the flow waits.
 */
export async function uncancellable<Result>(
  onRequest: () => void,
  run: () => Promise<Result>,
): Promise<Result> {
  CancellationScope.current().cancelRequested.catch(() => {
    onRequest();
    nudgeRefusal();
  });
  return await CancellationScope.nonCancellable(async () => await askedWhenRefused(onRequest, run));
}
