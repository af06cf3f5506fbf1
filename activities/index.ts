import type { ActivityDeps } from './deps.ts';

/** Every write of the platform, by noun. The worker registers them, the API calls them in-process. */
export function createActivities(_deps: ActivityDeps) {
  return {};
}

export type Activities = ReturnType<typeof createActivities>;
