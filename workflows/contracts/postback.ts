import type { FlowStart } from './queues.ts';

/** Reports one accepted conversion to an advertiser's server (interface 4.14). */
export interface PostbackInput {
  postbackId: number;
  /** 1, or where a dead letter left off when it is sent again. */
  firstAttempt: number;
  /** Wait before the next attempt, and the next; after the last one it is a dead letter. */
  retryAfterSeconds: readonly number[];
}

export const POSTBACK_WORKFLOW = 'postbackWorkflow';
export const postbackWorkflowId = (
  input: Pick<PostbackInput, 'postbackId' | 'firstAttempt'>,
): string => `postback:${input.postbackId}:${input.firstAttempt}`;

export interface PostbackAttempt {
  postbackId: number;
  /** Of all, also of those before it was sent again. */
  attempt: number;
  /** Until the next attempt; null when this is the last one. */
  nextAfterSeconds: number | null;
}

/** `outcome` is what the server said: HTTP_200, HTTP_500, TIMEOUT, PRIVATE_ADDRESS, ... */
export interface PostbackResult {
  state: 'DELIVERED' | 'MISSED' | 'DEAD';
  outcome: string;
}

export const postbackStart = (input: PostbackInput): FlowStart => ({
  workflowId: postbackWorkflowId(input),
  type: POSTBACK_WORKFLOW,
  taskQueue: 'calls',
  input,
  summary: `Postback ${input.postbackId}`,
  attributes: { state: 'delivering', subject: `postback:${input.postbackId}` },
});
