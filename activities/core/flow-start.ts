import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client';
import type { FlowStart } from '../../workflows/contracts/queues.ts';
import { startAttributes } from './search-attributes.ts';

/**
 * Starts a flow, or finds that it was started before. `again` also starts one that has ended: for the reconciler,
 * which has seen that its row is still open (activities/flows), and for what opens a row once more. With `wake` one
 * that still runs is told so by this signal, in the same step: Temporal ends no flow that has news.
 */
export async function startExecution(
  temporal: Client,
  flow: FlowStart,
  { again = false, wake }: { again?: boolean; wake?: string | undefined } = {},
): Promise<void> {
  const options = {
    workflowId: flow.workflowId,
    taskQueue: flow.taskQueue,
    args: [flow.input],
    staticSummary: flow.summary,
    typedSearchAttributes: startAttributes(flow.attributes),
    workflowIdReusePolicy: again
      ? WorkflowIdReusePolicy.ALLOW_DUPLICATE
      : WorkflowIdReusePolicy.REJECT_DUPLICATE,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
  };
  try {
    if (wake === undefined) await temporal.workflow.start(flow.type, options);
    else await temporal.workflow.signalWithStart(flow.type, { ...options, signal: wake });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
