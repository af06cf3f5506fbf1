import type { FlowStart } from './queues.ts';

/** The id is all that a flow knows of it. */
export interface ReversalInput {
  reversalId: number;
}

export const REVERSAL_WORKFLOW = 'reversalWorkflow';
export const reversalWorkflowId = ({ reversalId }: ReversalInput): string =>
  `reversal:${reversalId}`;

/** Its row changed: whoever asked for it asks no more. A signal alone changes nothing. */
export const REVERSAL_WAKE_SIGNAL = 'wake';

export const reversalStart = (input: ReversalInput): FlowStart => ({
  workflowId: reversalWorkflowId(input),
  type: REVERSAL_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Reversal ${input.reversalId} of billed events`,
  attributes: { state: 'making', subject: `reversal:${input.reversalId}` },
});
