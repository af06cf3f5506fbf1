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
 * which has seen that its row is still open (activities/flows), and for what opens a row once more.
 */
export async function startExecution(
  temporal: Client,
  flow: FlowStart,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  try {
    await temporal.workflow.start(flow.type, {
      workflowId: flow.workflowId,
      taskQueue: flow.taskQueue,
      args: [flow.input],
      staticSummary: flow.summary,
      typedSearchAttributes: startAttributes(flow.attributes),
      workflowIdReusePolicy: again
        ? WorkflowIdReusePolicy.ALLOW_DUPLICATE
        : WorkflowIdReusePolicy.REJECT_DUPLICATE,
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
