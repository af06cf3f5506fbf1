import type { Metric } from '../../../parts/report-cells.ts';
import type { RowFigures } from '../../../parts/row-figures.tsx';
import { report } from '../../../queries/advertiser/report.ts';

/** As its report has them, without what is held. */
export const METRICS: readonly Metric[] = [
  'spend',
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
const USUAL: readonly Metric[] = ['spend', 'impressions', 'ctr'];

const figuresBy = (by: 'campaign' | 'adgroup' | 'ad' | 'creative'): RowFigures => ({
  by,
  metrics: METRICS,
  usual: USUAL,
  read: report,
  report: '/advertiser/reports',
});

/** What a list of things that are bought says of each. */
export const ROW_FIGURES = {
  campaign: figuresBy('campaign'),
  adgroup: figuresBy('adgroup'),
  ad: figuresBy('ad'),
  creative: figuresBy('creative'),
} as const;
