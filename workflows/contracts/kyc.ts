import type { FlowStart } from './queues.ts';

/** One submission of proofs of identity. The id is all that a flow knows of the person. */
export interface KycInput {
  applicationId: number;
}

export const KYC_WORKFLOW = 'kycWorkflow';
export const kycWorkflowId = ({ applicationId }: KycInput): string => `kyc:${applicationId}`;

export const kycStart = (input: KycInput): FlowStart => ({
  workflowId: kycWorkflowId(input),
  type: KYC_WORKFLOW,
  taskQueue: 'review',
  input,
  summary: `Proof of identity ${input.applicationId}`,
  attributes: { state: 'decision', subject: `kyc:${input.applicationId}` },
});
