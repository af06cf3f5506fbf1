import type * as yup from 'yup';
import { countsLine, keysLine } from '../../domain/report-columns.ts';
import { isFinal, type ReportCounts } from '../../domain/report-counts.ts';
import type { ReportRow, ReportSide } from '../../domain/report.ts';
import {
  date,
  flag,
  fraction,
  idOf,
  listOf,
  money,
  record,
  timeOrNull,
  whole,
  wholeOrNull,
  words,
  wordsOrNull,
} from '../http/response-shapes.ts';

const countFields = {
  /** Null where requests are not counted: an advertiser's, and a breakdown by viewer. */
  requests: wholeOrNull(),
  impressions: whole(),
  viewable: whole(),
  /** Of videos: seen to their end or for 30 seconds, what CPV bills. */
  views: whole(),
  clicks: whole(),
  conversions: whole(),
  removed: whole(),
  /** Clicks per impression and conversions per click, 0 and more; money per thousand impressions. */
  ctr: fraction(),
  cvr: fraction(),
  ecpm: money(),
  /** Held for their advertiser, by the moment of their report; approved ones count and cost later, when decided. */
  pending_conversions: whole(),
  approved_conversions: whole(),
  rejected_conversions: whole(),
};

/** Present as far as they are grouped by. */
const keyFields = {
  date: date().optional(),
  hour: whole().min(0).max(23).optional(),
  site_id: idOf().optional(),
  site_name: wordsOrNull().optional(),
  zone_id: idOf().optional(),
  zone_name: wordsOrNull().optional(),
  country: words().optional(),
  device: words().optional(),
  os: words().optional(),
  browser: words().optional(),
  /** Host of the page that the ad was shown on; UNKNOWN where the page said none. */
  page_host: words().optional(),
};

const adKeyFields = {
  campaign_id: idOf().optional(),
  campaign_name: wordsOrNull().optional(),
  adgroup_id: idOf().optional(),
  adgroup_name: wordsOrNull().optional(),
  ad_id: idOf().optional(),
  ad_name: wordsOrNull().optional(),
  creative_id: idOf().optional(),
  creative_name: wordsOrNull().optional(),
};

const around = {
  start_date: date(),
  end_date: date(),
  group_by: listOf(words()),
  timezone: words(),
  /** Until when everything is counted; null before the first event was. */
  as_of: timeOrNull(),
  is_final: flag(),
};

const spent = {
  ...countFields,
  spend: money(),
  pending_spend: money(),
  approved_spend: money(),
  rejected_spend: money(),
};
/** Of what is not decided, at the share of today. */
const earned = {
  ...countFields,
  revenue: money(),
  pending_revenue: money(),
  approved_revenue: money(),
  rejected_revenue: money(),
};

/** An advertiser's report (interface 2.1, 4.5). */
const spendReportShape = record(
  {
    items: listOf(record({ ...keyFields, ...adKeyFields, ...spent })),
    totals: record(spent),
    ...around,
  },
  'SpendReport',
);

/** The same of a publisher. */
const revenueReportShape = record(
  { items: listOf(record({ ...keyFields, ...earned })), totals: record(earned), ...around },
  'RevenueReport',
);

const SHAPES = { advertiser: spendReportShape, publisher: revenueReportShape } as const;

/** The shape of a side's reports. */
export const reportShapeOf = <Side extends ReportSide>(side: Side): (typeof SHAPES)[Side] =>
  SHAPES[side];

/** Spend for an advertiser, revenue for a publisher. */
export type PresentedReport<Side extends ReportSide> = yup.InferType<(typeof SHAPES)[Side]>;

export interface Report {
  rows: readonly ReportRow[];
  totals: ReportCounts;
  startDate: string;
  endDate: string;
  groupBy: string[];
  timezone: string;
  settledAt: Date | null;
  /** The first moment after its last day. */
  endsAt: Date;
}

/** interface 2.1: `{items, totals, start_date, end_date, group_by, timezone, as_of, is_final}`. */
export function presentReport<Side extends ReportSide>(
  report: Report,
  side: Side,
): PresentedReport<Side> {
  const presented = {
    items: report.rows.map((row) => ({ ...keysLine(row), ...countsLine(row.counts, side) })),
    totals: countsLine(report.totals, side),
    start_date: report.startDate,
    end_date: report.endDate,
    group_by: report.groupBy,
    timezone: report.timezone,
    as_of: report.settledAt?.toISOString() ?? null,
    is_final: isFinal(report, report.totals),
  };
  // Which of the two it is hangs on `side`, which types cannot follow; tests hold it to its shape.
  return presented as unknown as PresentedReport<Side>;
}
