/** Orders of a list whose ids grow with time: what waits longest first, or the newest. */
export const BY_AGE = ['created_at', '-created_at'] as const;
export type ByAge = (typeof BY_AGE)[number];
