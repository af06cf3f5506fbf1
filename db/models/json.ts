/** Shapes of the jsonb columns. */
export type Json = object | string | number | boolean;

/** interface 2.4: upper-cased value to percent, -90..500, zero entries dropped; null when empty. */
export interface BidAdjustments {
  device?: Record<string, number>;
  geo?: Record<string, number>;
  os?: Record<string, number>;
}

export interface FrequencyCap {
  impressions: number;
  window_seconds: number;
  per: 'campaign' | 'adgroup' | 'ad';
}

/** Why a review said no. `code` is stable, `field` names a field of the record. */
export interface ReviewReason {
  code: string;
  field?: string | undefined;
  note?: string | undefined;
}

/** What the automatic checks saw. A `blocker` may not be approved, a `notice` asks for a look. */
export interface ReviewFinding {
  code: string;
  severity: 'info' | 'notice' | 'blocker';
  field?: string | undefined;
  note?: string | undefined;
}

export interface TimelineEntry {
  at: string;
  phase: string;
  note?: string | undefined;
}
