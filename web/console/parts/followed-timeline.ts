import type { Answer } from '../../client/client.ts';

type Timeline = Answer<'GET /api/advertiser/timeline'>['timeline'];

const FOLLOW_MS = 5_000;

/** What was handed in a moment ago has no step that is under way yet; what is now comes last. */
export const hasEnded = (timeline: Timeline): boolean => timeline.at(-1)?.step === 'ended';

/** Of a query of a timeline: while something is waited for; what has ended is not asked about again. */
export const followed = {
  refetchInterval: ({
    state: { data },
  }: {
    state: { data?: { timeline: Timeline } | undefined };
  }) => (data !== undefined && hasEnded(data.timeline) ? (false as const) : FOLLOW_MS),
};
