import type { Metric } from '../../../../parts/report-cells.ts';

export const METRICS: readonly Metric[] = [
  'spend',
  'publisher_revenue',
  'margin',
  'requests',
  'filled',
  'fill_rate',
  'impressions',
  'viewable',
  'views',
  'clicks',
  'conversions',
  'removed',
  'ctr',
  'cvr',
  'ecpm',
];
/** As many as a laptop shows without moving the table, with amounts to their last digit. */
export const USUAL: readonly Metric[] = [
  'spend',
  'publisher_revenue',
  'margin',
  'requests',
  'fill_rate',
  'impressions',
  'clicks',
  'removed',
];
export const FIGURES = [
  'spend',
  'publisher_revenue',
  'margin',
  'requests',
  'fill_rate',
  'impressions',
  'ecpm',
] as const;
