import { createAccountActivities } from './accounts.ts';
import { createAdActivities } from './ads.ts';
import { createAdGroupActivities } from './ad-groups.ts';
import { createCampaignActivities } from './campaigns.ts';
import { createClickExpiryActivities } from './click-expiry.ts';
import { createConversionActivities } from './conversions.ts';
import { createCreativeActivities } from './creatives.ts';
import { createDepositActivities } from './deposits.ts';
import { createDepositFlowActivities } from './deposit-flow.ts';
import type { ActivityDeps } from './deps.ts';
import { createIdempotencyActivities } from './idempotency.ts';
import { createMediaActivities } from './media.ts';
import { createOwnedActivities } from './owned.ts';
import { createReviewActivities } from './reviews.ts';
import { createSettingActivities } from './settings.ts';
import { createSettlementActivities } from './settlement.ts';
import { createSiteActivities } from './sites.ts';
import { createSiteVerificationActivities } from './site-verification.ts';
import { createSuspenseActivities } from './suspense.ts';
import { createTaskActivities } from './tasks.ts';
import { createTrackerActivities } from './trackers.ts';
import { createUpkeepActivities } from './upkeep.ts';
import { createZoneActivities } from './zones.ts';

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createAccountActivities(deps),
    ...createAdActivities(deps),
    ...createAdGroupActivities(deps),
    ...createCampaignActivities(deps),
    ...createClickExpiryActivities(deps),
    ...createConversionActivities(deps),
    ...createCreativeActivities(deps),
    ...createDepositActivities(deps),
    ...createDepositFlowActivities(deps),
    ...createIdempotencyActivities(deps),
    ...createMediaActivities(deps),
    ...createOwnedActivities(deps),
    ...createReviewActivities(deps),
    ...createSettingActivities(deps),
    ...createSettlementActivities(deps),
    ...createSiteActivities(deps),
    ...createSiteVerificationActivities(deps),
    ...createSuspenseActivities(deps),
    ...createTaskActivities(deps),
    ...createTrackerActivities(deps),
    ...createUpkeepActivities(deps),
    ...createZoneActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
