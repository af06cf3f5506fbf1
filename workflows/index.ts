/** Every flow of the platform; one bundle for all task queues. */
export { depositWorkflow } from './deposit.ts';
export { reviewWorkflow } from './review.ts';
export { suspenseWorkflow } from './suspense.ts';
export { withdrawalWorkflow } from './withdrawal.ts';
export { maturityWorkflow } from './maturity.ts';
export { exportWorkflow } from './export.ts';
export { siteVerificationWorkflow } from './site-verification.ts';
export { settlementWorkflow } from './settlement.ts';
export { clickExpiryWorkflow } from './click-expiry.ts';
export { upkeepWorkflow } from './upkeep.ts';
export { mailWorkflow } from './mail.ts';
export { aiJobWorkflow } from './ai-job.ts';
export { rewardCallbackWorkflow } from './reward-callback.ts';
export { kycWorkflow } from './kyc.ts';
export { postbackWorkflow } from './postback.ts';
export { webhookWorkflow } from './webhook.ts';
