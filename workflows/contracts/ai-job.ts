import type { FlowStart } from './queues.ts';

export interface AiJobInput {
  jobId: number;
  /** Parts that are made one after the other: pictures, videos, or one set of texts. */
  items: number;
}

export const AI_JOB_WORKFLOW = 'aiJobWorkflow';
export const aiJobWorkflowId = ({ jobId }: Pick<AiJobInput, 'jobId'>): string => `ai-job:${jobId}`;

export interface AiItemInput {
  jobId: number;
  /** From 1. */
  item: number;
}

/** `VOID`: the job had ended before this part was stored. */
export type AiItemOutcome = 'STORED' | 'VOID';

export interface AiJobEnd {
  jobId: number;
  status: 'DONE' | 'FAILED' | 'CANCELLED';
  /** Of a failure, a stable token: `prompt_refused`, `provider_failed`. */
  error?: string;
  /** For people; what the provider said, as far as it concerns the caller. */
  note?: string;
}

export const aiJobStart = (input: AiJobInput): FlowStart => ({
  workflowId: aiJobWorkflowId(input),
  type: AI_JOB_WORKFLOW,
  taskQueue: 'media',
  input,
  summary: `Job ${input.jobId} of the generator`,
  attributes: { state: 'making', subject: `ai_job:${input.jobId}` },
});
