import type { FlowStart } from './queues.ts';

/** Reports one granted reward to a publisher's server (interface 4.13). */
export interface RewardCallbackInput {
  rewardId: number;
  /** Wait before the second attempt, the third, ...; after the last one it counts as failed. */
  retryAfterSeconds: readonly number[];
}

export const REWARD_CALLBACK_WORKFLOW = 'rewardCallbackWorkflow';
export const rewardCallbackWorkflowId = (rewardId: number): string => `reward-callback:${rewardId}`;

export interface RewardCallbackAttempt {
  rewardId: number;
  /** From 1. */
  attempt: number;
  isLast: boolean;
}

/** `outcome` is what the publisher's server said: HTTP_200, HTTP_500, TIMEOUT, PRIVATE_ADDRESS, ... */
export interface RewardCallbackResult {
  state: 'DELIVERED' | 'MISSED' | 'FAILED';
  outcome: string;
}

export const rewardCallbackStart = (input: RewardCallbackInput): FlowStart => ({
  workflowId: rewardCallbackWorkflowId(input.rewardId),
  type: REWARD_CALLBACK_WORKFLOW,
  taskQueue: 'calls',
  input,
  summary: `Tell a publisher's server of reward ${input.rewardId}`,
  attributes: { state: 'delivering', subject: `reward:${input.rewardId}` },
});
