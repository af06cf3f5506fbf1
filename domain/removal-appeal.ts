import { invalid } from './errors.ts';
import { type Reason, REASONS } from './tracking/facts.ts';

const DAY_MS = 86_400_000;
/** Whole days after which the facts behind a verdict may be gone. */
export const APPEAL_DAYS = 30;

/** An advertiser's money or word is no judgement of the traffic: nobody here can take it back. */
const NOT_JUDGED: readonly Reason[] = [
  'BUDGET_EXCEEDED',
  'BALANCE_EXHAUSTED',
  'CONVERSION_REJECTED',
];
export const APPEALABLE_REASONS = REASONS.filter((reason) => !NOT_JUDGED.includes(reason));

/** interface 4.11: a UTC day (`YYYY-MM-DD`) that is over, and not for too long. Raises validation_failed. */
export function checkAppealDay(day: string, now: Date): void {
  const today = Date.parse(now.toISOString().slice(0, 10));
  const age = (today - Date.parse(day)) / DAY_MS;
  if (age >= 1 && age <= APPEAL_DAYS) return;
  const message = `must be over, and one of the last ${APPEAL_DAYS} days (UTC)`;
  throw invalid({ field: 'date', code: 'range', message });
}
