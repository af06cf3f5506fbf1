import type { Metric } from '../../../parts/report-cells.ts';
import type { RowFigures } from '../../../parts/row-figures.tsx';
import { report } from '../../../queries/publisher/report.ts';

/** As its report has them, without what is held. */
export const METRICS: readonly Metric[] = [
  'revenue',
  'requests',
  'impressions',
  'viewable',
  'views',
  'clicks',
  'conversions',
  'removed',
  'ctr',
  'ecpm',
];
const USUAL: readonly Metric[] = ['revenue', 'impressions', 'ecpm'];

const figuresBy = (by: 'site' | 'zone'): RowFigures => ({
  by,
  metrics: METRICS,
  usual: USUAL,
  read: report,
  report: '/publisher/reports',
});

/** What a list of places says of each. */
export const ROW_FIGURES = { site: figuresBy('site'), zone: figuresBy('zone') } as const;
