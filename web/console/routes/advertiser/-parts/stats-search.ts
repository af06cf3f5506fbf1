import { numberOf, oneOf, stated } from '../../../parts/search.ts';
import type { Days } from '../../../parts/report-range.ts';
import { dayOf, shiftDay } from './days.ts';

/** Which figure is drawn, and of how many days: the address's. */
export interface StatsSearch<Metric extends string> {
  metric?: Metric;
  days?: number;
}

export const statsSearch = <Metric extends string>(
  metrics: readonly Metric[],
  raw: Record<string, unknown>,
): StatsSearch<Metric> =>
  stated({ metric: oneOf(metrics, raw['metric']), days: numberOf(raw['days']) });

const USUAL = 7;

/** The last days of UTC, today's among them. */
export function lastDays({ days = USUAL }: { days?: number }): Days & { group_by: 'date' } {
  const today = dayOf(Date.now());
  return { start_date: shiftDay(today, 1 - days), end_date: today, group_by: 'date' };
}
