import type { ReportRow } from '../../db/queries/reports.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  type Dimension,
  ratesOf,
  type ReportCounts,
  type ReportSide,
} from '../../domain/report.ts';

/** decisions 11: an advertiser spends, a publisher earns. */
export function presentCounts(counts: ReportCounts, side: ReportSide) {
  const rates = ratesOf(counts);
  const { requests, impressions, viewable, clicks, conversions, removed, moneyNanos } = counts;
  const money = presentAmount(moneyNanos);
  return {
    requests,
    impressions,
    viewable,
    clicks,
    conversions,
    removed,
    ...(side === 'advertiser' ? { spend: money } : { revenue: money }),
    ctr: rates.ctr,
    cvr: rates.cvr,
    ecpm: presentAmount(rates.ecpmNanos),
  };
}

const PLAIN = new Set<Dimension>(['date', 'country', 'device', 'os', 'browser']);

/** Things are told by id and name (`campaign_id`, `campaign_name`); hours as numbers. */
export function presentReportRow(row: ReportRow, side: ReportSide) {
  const keys = (Object.entries(row.keys) as [Dimension, string][]).flatMap(([dimension, value]) => {
    if (PLAIN.has(dimension)) return [[dimension, value]];
    if (dimension === 'hour') return [[dimension, Number(value)]];
    return [
      [`${dimension}_id`, Number(value)],
      [`${dimension}_name`, row.names[dimension] ?? null],
    ];
  });
  return {
    ...(Object.fromEntries(keys) as Record<string, string | number | null>),
    ...presentCounts(row.counts, side),
  };
}
