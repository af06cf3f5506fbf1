import type { FlowStart } from './queues.ts';

/** A publisher's appeal against removed events. The id is all that a flow knows of it. */
export interface RemovalAppealInput {
  appealId: number;
}

export const REMOVAL_APPEAL_WORKFLOW = 'removalAppealWorkflow';
export const removalAppealWorkflowId = ({ appealId }: RemovalAppealInput): string =>
  `removal-appeal:${appealId}`;

export const removalAppealStart = (input: RemovalAppealInput): FlowStart => ({
  workflowId: removalAppealWorkflowId(input),
  type: REMOVAL_APPEAL_WORKFLOW,
  taskQueue: 'review',
  input,
  summary: `Appeal ${input.appealId} against removed events`,
  attributes: { state: 'decision', subject: `removal_appeal:${input.appealId}` },
});
