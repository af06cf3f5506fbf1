import { createAccountActivities } from './accounts.ts';
import { createAdActivities } from './ads.ts';
import { createAdGroupActivities } from './ad-groups.ts';
import { createAiJobActivities } from './ai-jobs.ts';
import { createBankCardActivities } from './bank-cards.ts';
import { createCampaignActivities } from './campaigns.ts';
import { createClickExpiryActivities } from './click-expiry.ts';
import { createConversionActivities } from './conversions.ts';
import { createCreativeActivities } from './creatives.ts';
import { createDepositActivities } from './deposits.ts';
import { createDepositFlowActivities } from './deposit-flow.ts';
import type { ActivityDeps } from './deps.ts';
import { createExportActivities } from './exports.ts';
import { createIdempotencyActivities } from './idempotency.ts';
import { createKycActivities } from './kyc.ts';
import { createKycDocumentActivities } from './kyc-documents.ts';
import { createMailActivities } from './mails.ts';
import { createMaturityActivities } from './maturity.ts';
import { createMediaActivities } from './media.ts';
import { createOwnedActivities } from './owned.ts';
import { createPasswordResetActivities } from './password-resets.ts';
import { createPasswords } from './passwords.ts';
import { createPayoutActivities } from './payouts.ts';
import { createPostbackActivities } from './postbacks.ts';
import { createReviewActivities } from './reviews.ts';
import { createSessionActivities } from './sessions.ts';
import { createRewardActivities } from './rewards.ts';
import { createSettingActivities } from './settings.ts';
import { createSettlementActivities } from './settlement.ts';
import { createSiteActivities } from './sites.ts';
import { createSiteVerificationActivities } from './site-verification.ts';
import { createSuspenseActivities } from './suspense.ts';
import { createTaskActivities } from './tasks.ts';
import { createTrackerActivities } from './trackers.ts';
import { createUpkeepActivities } from './upkeep.ts';
import { createWithdrawalActivities } from './withdrawals.ts';
import { createWithdrawalFlowActivities } from './withdrawal-flow.ts';
import { createZoneActivities } from './zones.ts';

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(deps: ActivityDeps) {
  const passwords = createPasswords();
  return {
    ...createAccountActivities(deps, passwords),
    ...createPasswordResetActivities(deps, passwords),
    ...createSessionActivities(deps),
    ...createMailActivities(deps),
    ...createKycActivities(deps),
    ...createKycDocumentActivities(deps),
    ...createAdActivities(deps),
    ...createAdGroupActivities(deps),
    ...createAiJobActivities(deps),
    ...createBankCardActivities(deps),
    ...createCampaignActivities(deps),
    ...createClickExpiryActivities(deps),
    ...createConversionActivities(deps),
    ...createCreativeActivities(deps),
    ...createDepositActivities(deps),
    ...createDepositFlowActivities(deps),
    ...createExportActivities(deps),
    ...createIdempotencyActivities(deps),
    ...createMaturityActivities(deps),
    ...createMediaActivities(deps),
    ...createOwnedActivities(deps),
    ...createPayoutActivities(deps),
    ...createPostbackActivities(deps),
    ...createReviewActivities(deps),
    ...createRewardActivities(deps),
    ...createSettingActivities(deps),
    ...createSettlementActivities(deps),
    ...createSiteActivities(deps),
    ...createSiteVerificationActivities(deps),
    ...createSuspenseActivities(deps),
    ...createTaskActivities(deps),
    ...createTrackerActivities(deps),
    ...createUpkeepActivities(deps),
    ...createWithdrawalActivities(deps),
    ...createWithdrawalFlowActivities(deps),
    ...createZoneActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
