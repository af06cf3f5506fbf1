import type { FlowStart } from './queues.ts';

/** Tells an owner's server of one event (interface 5.11). */
export interface WebhookInput {
  deliveryId: number;
  /** 1, or where the one before left off when it is sent again. */
  firstAttempt: number;
  /** Wait before the next attempt, and the next; after the last one it is a dead letter. */
  retryAfterSeconds: readonly number[];
}

export const WEBHOOK_WORKFLOW = 'webhookWorkflow';
export const webhookWorkflowId = (
  input: Pick<WebhookInput, 'deliveryId' | 'firstAttempt'>,
): string => `webhook:${input.deliveryId}:${input.firstAttempt}`;

export interface WebhookAttempt {
  deliveryId: number;
  /** Of all, also of those before it was sent again. */
  attempt: number;
  /** Until the next attempt; null when this is the last one. */
  nextAfterSeconds: number | null;
}

/** `outcome` is what the server said: HTTP_200, HTTP_500, TIMEOUT, PRIVATE_ADDRESS, ... */
export interface WebhookResult {
  state: 'DELIVERED' | 'MISSED' | 'DEAD';
  outcome: string;
}

export const webhookStart = (input: WebhookInput): FlowStart => ({
  workflowId: webhookWorkflowId(input),
  type: WEBHOOK_WORKFLOW,
  taskQueue: 'calls',
  input,
  summary: `Webhook ${input.deliveryId}`,
  attributes: { state: 'delivering', subject: `webhook:${input.deliveryId}` },
});
