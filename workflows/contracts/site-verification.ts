export interface SiteVerificationInput {
  siteId: number;
  /** From the row's verify_round. */
  round: number;
}

export const SITE_VERIFICATION_WORKFLOW = 'siteVerificationWorkflow';
export const siteVerificationWorkflowId = (input: SiteVerificationInput): string =>
  `site-verify:${input.siteId}:${input.round}`;

/** The site's domain changed or it was archived: stop trying. */
export const SITE_VERIFICATION_WITHDRAW_SIGNAL = 'withdraw';
