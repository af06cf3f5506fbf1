import { numberOf, oneOf, stated } from '../../../parts/search.ts';

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
