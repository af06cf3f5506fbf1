import type { FlowStart } from './queues.ts';

export interface SiteVerificationInput {
  siteId: number;
  /** From the row's verify_round. */
  round: number;
  /** Wait before the second attempt, the third, ...; after the last one the proof counts as missing. */
  retryAfterSeconds: readonly number[];
  /** Of a flow that was started again: the attempts before are in its rows. Absent is 1. */
  firstAttempt?: number;
}

export const SITE_VERIFICATION_WORKFLOW = 'siteVerificationWorkflow';
export const siteVerificationWorkflowId = (
  input: Pick<SiteVerificationInput, 'siteId' | 'round'>,
): string => `site-verify:${input.siteId}:${input.round}`;

/** The site's domain changed, it was archived, or a newer verification began: stop trying. */
export const SITE_VERIFICATION_WITHDRAW_SIGNAL = 'withdraw';

export interface SiteCheck {
  siteId: number;
  round: number;
  /** From 1. */
  attempt: number;
  /** Until the next attempt; null when this is the last one. */
  nextAfterSeconds: number | null;
}

/**
 * HELD: the proof is there, and another account has verified the domain: a transfer was asked for.
 * `outcome` is what the publisher is shown: PROOF_FOUND, TOKEN_NOT_FOUND, HTTP_404, DNS_NXDOMAIN, ...
 */
export type SiteCheckResult = {
  state: 'VERIFIED' | 'HELD' | 'MISSED' | 'FAILED' | 'VOID';
  outcome: string;
};

export const siteVerificationStart = (input: SiteVerificationInput): FlowStart => ({
  workflowId: siteVerificationWorkflowId(input),
  type: SITE_VERIFICATION_WORKFLOW,
  taskQueue: 'review',
  input,
  summary: `Verify site ${input.siteId}, round ${input.round}`,
  attributes: { state: 'proof', subject: `site:${input.siteId}` },
});
