import { formatFigure } from '../../../parts/money.tsx';
import type { ReportRow } from '../../../queries/advertiser/report.ts';

/** The figures of a report, in the order in which they are read. */
export const METRICS = ['spend', 'impressions', 'clicks', 'conversions', 'ctr', 'ecpm'] as const;
export type Metric = (typeof METRICS)[number];

export function formatMetric(metric: Metric, value: number, language: string): string {
  if (metric === 'spend' || metric === 'ecpm') return formatFigure(value, language);
  if (metric !== 'ctr') return new Intl.NumberFormat(language).format(value);
  return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(
    value,
  );
}

/** A day without a row had nothing; a rate of nothing is not 0. */
export function figureOf(row: ReportRow | undefined, metric: Metric): number | null {
  if (row !== undefined) return row[metric];
  return metric === 'ctr' || metric === 'ecpm' ? null : 0;
}
