export interface SiteVerificationInput {
  siteId: number;
  /** From the row's verify_round. */
  round: number;
  /** Wait before the second attempt, the third, ...; after the last one the proof counts as missing. */
  retryAfterSeconds: readonly number[];
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

/** `outcome` is what the publisher is shown: PROOF_FOUND, TOKEN_NOT_FOUND, HTTP_404, DNS_NXDOMAIN, ... */
export type SiteCheckResult = {
  state: 'VERIFIED' | 'MISSED' | 'FAILED' | 'VOID';
  outcome: string;
};
