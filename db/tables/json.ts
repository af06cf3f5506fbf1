import type { KycEntityType } from '../../domain/lifecycle/kyc.ts';
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

/** What a withdrawal was reckoned by; `tax` is the agreed term, where it was not the platform's setting. */
export interface WithdrawalTerms {
  fee_fixed?: string;
  fee_ppm?: number;
  tax_ppm?: number;
  tax?: { id: number; country: string | null; entity_type: KycEntityType | null; basis: string };
}

export interface TimelineEntry {
  at: string;
  phase: string;
  note?: string | undefined;
}
