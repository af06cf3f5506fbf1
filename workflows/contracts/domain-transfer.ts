import type { FlowStart } from './queues.ts';
import type { Question } from './stages.ts';

export interface DomainTransferInput {
  transferId: number;
  /** End of the holder's notice, ISO time. */
  dueAt: string;
}

export const DOMAIN_TRANSFER_WORKFLOW = 'domainTransferWorkflow';
export const domainTransferWorkflowId = (transferId: number): string =>
  `domain-transfer:${transferId}`;

/** Its rows changed: the holder objected, or the claimant asks no more. A signal alone changes nothing. */
export const DOMAIN_TRANSFER_WAKE_SIGNAL = 'wake';

export interface TransferLook {
  transferId: number;
}

/** `ended`: MOVED, REFUSED or WITHDRAWN. */
export type TransferSeen =
  | { state: 'NOTICE'; dueAt: string }
  | { state: 'DISPUTED'; question: Question | null }
  | { state: 'ENDED'; status: string };

export const domainTransferStart = (input: DomainTransferInput): FlowStart => ({
  workflowId: domainTransferWorkflowId(input.transferId),
  type: DOMAIN_TRANSFER_WORKFLOW,
  taskQueue: 'review',
  input,
  summary: `Transfer ${input.transferId} of a domain`,
  attributes: {
    state: 'objection',
    subject: `domain-transfer:${input.transferId}`,
    dueAt: input.dueAt,
  },
});
