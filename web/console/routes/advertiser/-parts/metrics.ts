import type { ReportRow } from '../../../queries/advertiser/report.ts';

/** The figures of a report, in the order in which they are read. */
export const METRICS = [
  'spend',
  'impressions',
  'views',
  'clicks',
  'conversions',
  'ctr',
  'ecpm',
] as const;
export type Metric = (typeof METRICS)[number];

/** A day without a row had nothing; a rate of nothing is not 0. */
export function figureOf(row: ReportRow | undefined, metric: Metric): number | null {
  if (row !== undefined) return row[metric];
  return metric === 'ctr' || metric === 'ecpm' ? null : 0;
}
