import { APPEAL_DAYS, APPEALABLE_REASONS } from '../../../domain/removal-appeal.ts';

const DAY_MS = 86_400_000;

/** Null, or why events that were removed cannot be appealed: a key of its words (interface 4.11). */
export function mayAppealRemoval(
  { date, reason }: { date: string | null; reason: string | null },
  today: string,
): 'reason' | 'today' | 'old' | null {
  if (date === null || !APPEALABLE_REASONS.some((each) => each === reason)) return 'reason';
  const age = (Date.parse(today) - Date.parse(date)) / DAY_MS;
  if (age < 1) return 'today';
  return age > APPEAL_DAYS ? 'old' : null;
}
