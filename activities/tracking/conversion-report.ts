import type { Nanos } from '../../domain/money.ts';
import type { ConversionSource } from '../../domain/tracking/attribution.ts';
import type { Reporter } from '../../domain/tracking/conversion-findings.ts';

/** What was signed (signedText), and the given `sig`. */
export interface ReportSignature {
  text: string;
  sig: string | undefined;
}

export interface ConversionReport {
  /** tracking_code; without it the report is in legacy mode and needs a click. */
  code: string | undefined;
  clickId: string | undefined;
  /** Undefined means the tracker's default. */
  valueNanos: Nanos | undefined;
  currency: string | undefined;
  /** Makes two conversions of one click distinct. */
  transactionId: string | undefined;
  eventType: string | undefined;
  source: ConversionSource;
  /** What was signed (signedText), and the given `sig`; a signed report is its advertiser's own. */
  signature?: ReportSignature | undefined;
  /** Who sent it, as its request shows. */
  reporter?: Reporter | undefined;
  /** When it came, if it had to wait; the database's clock otherwise. */
  reportedAt?: Date | undefined;
  /** Makes a report without click and transaction one report, however often it is replayed. */
  reportId?: string | undefined;
}
