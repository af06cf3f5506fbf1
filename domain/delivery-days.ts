import type { DeliveryReason } from './lifecycle/delivery.ts';
import { weekdayOf } from './tracking/utc-day.ts';

const DAY_MS = 86_400_000;

/** What of a campaign decides by itself that it does not serve on a day (UTC). */
export interface DaySettings {
  status: string;
  startDate: string | null;
  endDate: string | null;
  /** ISO weekdays, 1 is Monday; null is all. */
  weekdays: readonly number[] | null;
}

/** A change of one of them, as the history keeps it: by its name on the wire. */
export interface SettingChange {
  at: Date;
  field: string;
  before?: unknown;
}

const FIELDS = {
  status: 'status',
  startDate: 'start_date',
  endDate: 'end_date',
  weekdays: 'weekdays',
} as const satisfies Record<keyof DaySettings, string>;

/**
 * Why it did not serve on a day for all of that day; what was changed on the day itself is said nothing of.
 * `changes` are all that were made since the day began, oldest first.
 */
export function reasonsOfDay(
  day: string,
  now: DaySettings,
  changes: readonly SettingChange[],
): DeliveryReason[] {
  const start = Date.parse(`${day}T00:00:00Z`);
  const valueOf = <Name extends keyof DaySettings>(name: Name): DaySettings[Name] | undefined => {
    const next = changes.find(({ field, at }) => field === FIELDS[name] && at.getTime() >= start);
    if (next === undefined) return now[name];
    const isOnDay = next.at.getTime() < start + DAY_MS;
    return isOnDay ? undefined : (next.before as DaySettings[Name]);
  };
  const first = valueOf('startDate');
  const last = valueOf('endDate');
  const weekday = weekdayOf(new Date(start));
  const reasons: DeliveryReason[] = [];
  if (valueOf('status') === 'PAUSED') reasons.push('CAMPAIGN_PAUSED');
  if (typeof first === 'string' && day < first) reasons.push('CAMPAIGN_NOT_STARTED');
  if (typeof last === 'string' && day > last) reasons.push('CAMPAIGN_ENDED');
  if (valueOf('weekdays')?.includes(weekday) === false) reasons.push('OUTSIDE_SCHEDULE');
  return reasons;
}
