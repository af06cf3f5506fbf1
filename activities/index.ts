import { createAccountActivities } from './accounts.ts';
import { createDepositActivities } from './deposits.ts';
import { createDepositFlowActivities } from './deposit-flow.ts';
import type { ActivityDeps } from './deps.ts';
import { createIdempotencyActivities } from './idempotency.ts';
import { createReviewActivities } from './reviews.ts';
import { createSettingActivities } from './settings.ts';
import { createSiteActivities } from './sites.ts';
import { createSiteVerificationActivities } from './site-verification.ts';
import { createTaskActivities } from './tasks.ts';
import { createZoneActivities } from './zones.ts';

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createAccountActivities(deps),
    ...createDepositActivities(deps),
    ...createDepositFlowActivities(deps),
    ...createIdempotencyActivities(deps),
    ...createReviewActivities(deps),
    ...createSettingActivities(deps),
    ...createSiteActivities(deps),
    ...createSiteVerificationActivities(deps),
    ...createTaskActivities(deps),
    ...createZoneActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
