import type { ReportQuery, ReportSource } from '../../domain/report.ts';

/** Shapes of the jsonb columns. */
export type Json = object | string | number | boolean;

export type { BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
export type { Finding as ReviewFinding } from '../../domain/finding.ts';

export interface FrequencyCap {
  impressions: number;
  window_seconds: number;
  per: 'campaign' | 'adgroup' | 'ad';
}

/** A ReportQuery in JSON: its moments are RFC 3339. */
export type StoredReportQuery = Omit<ReportQuery, 'parts'> & {
  parts: readonly { source: ReportSource; from: string; to: string }[];
};

/** Why a review said no. `code` is stable, `field` names a field of the record. */
export interface ReviewReason {
  code: string;
  field?: string | undefined;
  note?: string | undefined;
}

export interface TimelineEntry {
  at: string;
  phase: string;
  note?: string | undefined;
}
