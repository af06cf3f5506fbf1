import { createAccountActivities } from './accounts.ts';
import type { ActivityDeps } from './deps.ts';
import { createIdempotencyActivities } from './idempotency.ts';
import { createReviewActivities } from './reviews.ts';
import { createSettingActivities } from './settings.ts';
import { createTaskActivities } from './tasks.ts';

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(deps: ActivityDeps) {
  return {
    ...createAccountActivities(deps),
    ...createIdempotencyActivities(deps),
    ...createReviewActivities(deps),
    ...createSettingActivities(deps),
    ...createTaskActivities(deps),
  };
}

export type Activities = ReturnType<typeof createActivities>;
