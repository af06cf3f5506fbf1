import { randomUUID } from 'node:crypto';
import { isDataError } from '../../db/events/event-inbox.ts';
import { merged } from '../../db/merged.ts';
import { inTransaction, preparedRunner, runner } from '../../db/postgres.ts';
import { type StoredReport, storeReports } from '../../db/queries/conversion-reports.ts';
import { trackerOfClick } from '../../db/queries/conversions.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { isTestClick } from '../../domain/tracking/tracker-test.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ConversionReport } from './conversion-report.ts';
import { isSignedByTracker } from './report-signature.ts';
import { recordTestReport } from './tracker-tests.ts';

export interface RecordedConversion {
  /** Its public id. */
  conversionId: number;
  /** Reported before: nothing was changed. */
  isDuplicate: boolean;
  /** It named the click of a test: it would be accepted, and nothing was stored of it. */
  isTest?: boolean;
}

/** Reports that one statement takes. */
const BATCH_MAX = 200;

export function createConversionActivities(deps: ActivityDeps) {
  const store = merged({
    max: BATCH_MAX,
    atOnce: 2,
    run: async (reports: readonly StoredReport[]) =>
      await storeReports(preparedRunner(deps.db), reports),
    isOwnFault: isDataError,
  });
  // Signed ones change rows that others hold: one after another, and what meets in a deadlock is tried again.
  const storeSigned = merged({
    max: BATCH_MAX,
    atOnce: 1,
    run: async (reports: readonly StoredReport[]) =>
      await inTransaction(deps.db, async (tx) => await storeReports(runner(deps.db, tx), reports)),
    isOwnFault: isDataError,
  });
  return {
    /**
     * Stores a report as it came, durably, before it is answered; decideConversions says what counts, when
     * the click it names was judged. Idempotent by tracker, click, and transaction id or event type. Raises
     * not_found for an unknown code, malformed_request for a legacy report without click, signature_bad
     * where the tracker requires one and it is missing or wrong.
     */
    recordConversion: async (report: ConversionReport): Promise<RecordedConversion> => {
      if (report.code === undefined && report.clickId === undefined) {
        throw new DomainError('malformed_request', {
          message: 'click_id is required without code.',
        });
      }
      if (isTestClick(report.clickId) && (await recordTestReport(deps, report))) {
        return { conversionId: 0, isDuplicate: false, isTest: true };
      }
      const isSignedReport = await isSigned(deps, report);
      const outcome = await (isSignedReport ? storeSigned : store)(
        storedReport(report, isSignedReport),
      );
      if (outcome.id !== null) {
        return { conversionId: outcome.id, isDuplicate: outcome.isDuplicate };
      }
      throw outcome.refusal === 'unknown_code' ? notFound() : new DomainError('signature_bad');
    },
  };
}

/** A legacy report names no code, so its tracker is looked for first; such a one is rarely signed. */
async function isSigned(deps: ActivityDeps, report: ConversionReport): Promise<boolean> {
  const { signature, code, clickId } = report;
  if (signature?.sig === undefined) return false;
  if (code !== undefined) return isSignedByTracker(deps, code, signature);
  const tracker =
    clickId === undefined ? undefined : await trackerOfClick(runner(deps.db), clickId);
  return tracker !== undefined && isSignedByTracker(deps, tracker.trackingCode, signature);
}

const storedReport = (report: ConversionReport, isSignedReport: boolean): StoredReport => ({
  code: report.code ?? null,
  clickId: report.clickId ?? null,
  dedupeKey: dedupeKeyOf(report),
  eventType: report.eventType ?? null,
  valueNanos: report.valueNanos?.toString() ?? null,
  currency: report.currency ?? null,
  source: report.source,
  isSigned: isSignedReport,
  reporter: report.reporter ?? null,
  createdAt: report.reportedAt?.toISOString() ?? null,
});

/** Without a click and a transaction id two conversions cannot be distinguished: each is its own. */
function dedupeKeyOf({ transactionId, clickId, reportId }: ConversionReport): string | null {
  if (transactionId !== undefined) return `tx:${transactionId}`;
  return clickId === undefined ? `none:${reportId ?? randomUUID()}` : null;
}
