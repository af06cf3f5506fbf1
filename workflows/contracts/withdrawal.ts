import type { FlowStart } from './queues.ts';
import type { Question } from './stages.ts';

export interface WithdrawalInput {
  withdrawalId: number;
  /** Waits before an order that provably never left is sent again. */
  sendAgainSeconds: readonly number[];
  /** Waits before each look at an order whose outcome is not known; then an operator is asked. */
  lookAgainSeconds: readonly number[];
  /**
   * Waits after a sending that failed before it began; then an operator is asked. Absent, as
   * the next, in flows of builds before.
   */
  senderAwayAgainSeconds?: readonly number[];
  /** Between two looks while an operator has the question. */
  whileAskedAgainSeconds?: readonly number[];
}

export const WITHDRAWAL_WORKFLOW = 'withdrawalWorkflow';
export const withdrawalWorkflowId = (withdrawalId: number): string => `withdrawal:${withdrawalId}`;

/** Its owner cancelled it, or money came back (the row says so already). */
export const WITHDRAWAL_CANCEL_SIGNAL = 'cancel';

/**
 * What comes next for a withdrawal, as its rows say. `ask`, `look` and `send` are of the order
 * that went to the bank or provider.
 */
export type WithdrawalStep =
  | { next: 'review'; round: number }
  /** An operator's task is open; `looks` where the provider is asked meanwhile. */
  | { next: 'decision'; taskId: number; question?: Question; looks?: number }
  /** Cancellable until then, ISO time. */
  | { next: 'cool'; until: string }
  | { next: 'send'; tries: number }
  /** The last sending died before it knew. */
  | { next: 'lost' }
  | { next: 'look'; looks: number }
  | { next: 'ask' }
  | { next: 'closed' };

export type WithdrawalState = WithdrawalStep & {
  status: string;
  /** State of the order that went to the bank or provider, once there is one. */
  payout?: string;
};

/** Before a decision that releases money counts, the provider is asked once more. */
export interface LookFirst {
  lookFirst: true;
}

export const withdrawalStart = (input: WithdrawalInput): FlowStart => ({
  workflowId: withdrawalWorkflowId(input.withdrawalId),
  type: WITHDRAWAL_WORKFLOW,
  taskQueue: 'money',
  input,
  summary: `Withdrawal ${input.withdrawalId}`,
  attributes: { state: 'checks', subject: `withdrawal:${input.withdrawalId}` },
});
