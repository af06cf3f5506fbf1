import type { FlowStart } from './queues.ts';

/** campaign, ad group, ad, creative, site and zone pass the same review (interface 3). */
export const REVIEW_SUBJECT_TYPES = [
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
] as const;
export type ReviewSubjectType = (typeof REVIEW_SUBJECT_TYPES)[number];

export interface ReviewInput {
  subjectType: ReviewSubjectType;
  subjectId: number;
  /** From the row's audit_round: a re-submission is a new round, hence a new workflow. */
  round: number;
}

export const REVIEW_WORKFLOW = 'reviewWorkflow';
export const reviewWorkflowId = (input: ReviewInput): string =>
  `review:${input.subjectType}:${input.subjectId}:${input.round}`;

/** The subject was edited, archived or re-submitted: this round is void. */
export const REVIEW_WITHDRAW_SIGNAL = 'withdraw';

export const reviewStart = (input: ReviewInput): FlowStart => ({
  workflowId: reviewWorkflowId(input),
  type: REVIEW_WORKFLOW,
  taskQueue: 'review',
  input,
  summary: `Review of ${input.subjectType} ${input.subjectId}, round ${input.round}`,
  attributes: { state: 'checks', subject: `${input.subjectType}:${input.subjectId}` },
});
