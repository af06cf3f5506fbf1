import { randomBytes } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { inTransaction, runner } from '../../db/postgres.ts';
import { trackerByCode } from '../../db/queries/conversions.ts';
import { findTestByClick } from '../../db/queries/tracker-tests.ts';
import { findTracker } from '../../db/queries/trackers.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import type { TrackerTestRow } from '../../db/tables/tracker-test.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { presentAmount } from '../../domain/money.ts';
import {
  TEST_CLICK_LIVES_MS,
  testClickId,
  type TestReport,
} from '../../domain/tracking/tracker-test.ts';
import { PLATFORM_CURRENCY } from '../core/ledger.ts';
import { runStep } from '../core/run-once.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ConversionReport } from './conversion-report.ts';
import { queuePostback } from './postbacks.ts';
import { requireSignature } from './report-signature.ts';

/** interface 4.7: tries a tracker with a click that nobody made. Nothing here counts or bills. */
export function createTrackerTestActivities(deps: ActivityDeps) {
  return {
    /**
     * Gives a click id out that reports may name for an hour. `callNow` calls the tracker's
     * postback_url without waiting for one. Raises not_found.
     */
    beginTrackerTest: async (command: {
      trackerId: number;
      advertiserId: number;
      callNow: boolean;
    }): Promise<{ id: number }> =>
      await runStep(deps.db, 'tracker.test', async (tx) => {
        const { trackerId: id, advertiserId, callNow } = command;
        const tracker = await findTracker(runner(deps.db, tx), { id, advertiserId });
        if (tracker === undefined) throw notFound();
        const test = await deps.db.models.trackerTests.create(
          {
            trackerId: id,
            advertiserId,
            clickId: testClickId(randomBytes(16).toString('hex')),
            expiresAt: new Date(deps.clock().getTime() + TEST_CLICK_LIVES_MS),
          },
          { transaction: tx },
        );
        if (callNow) {
          await callAdvertiser(deps, tx, { test, tracker, report: reportOf({}, tracker) });
        }
        return { id: test.id };
      }),

    /** A report that could not even be read, where it names the click of a test. */
    async noteUnreadableTest(report: {
      clickId: string;
      source: ConversionReport['source'];
      refusal: { name: string; message: string };
    }): Promise<void> {
      const test = await findTestByClick(runner(deps.db), report.clickId);
      if (test === undefined) return;
      await inTransaction(deps.db, async (tx) => {
        await note(deps, tx, test, { ...report, understood: null });
      });
    },
  };
}

/**
 * Judges a report that names the click of a test as any other is judged, and keeps what came of it
 * with the test alone. False when there is no such test. Raises as recordConversion.
 */
export async function recordTestReport(
  deps: ActivityDeps,
  report: ConversionReport,
): Promise<boolean> {
  const sql = runner(deps.db);
  const test = await findTestByClick(sql, report.clickId ?? '');
  if (test === undefined) return false;
  const { trackerId, advertiserId } = test;
  const own = await findTracker(sql, { id: trackerId, advertiserId });
  const named = report.code === undefined ? own : await trackerByCode(sql, report.code);
  const refusal = refusalOf(deps, { test, own, named, report });
  const understood = own === undefined ? null : reportOf(report, own);
  const { source } = report;
  await inTransaction(deps.db, async (tx) => {
    await note(deps, tx, test, {
      source,
      understood,
      refusal: refusal === null ? null : { name: refusal.token, message: refusal.message },
    });
    if (refusal === null && own !== undefined && understood !== null) {
      await callAdvertiser(deps, tx, { test, tracker: own, report: understood });
    }
  });
  if (refusal !== null) throw refusal;
  return true;
}

function refusalOf(
  deps: ActivityDeps,
  found: {
    test: TrackerTestRow;
    own: TrackerRow | undefined;
    named: TrackerRow | undefined;
    report: ConversionReport;
  },
): DomainError | null {
  const { test, own, named, report } = found;
  const unknown = (message: string) => new DomainError('not_found', { message });
  if (test.expiresAt < deps.clock()) return unknown('This test is over. Begin another.');
  if (own?.status !== 'ACTIVE') return unknown('The tracker of this test is not active.');
  if (named === undefined) return unknown('No active tracker has this code.');
  if (named.id !== own.id) return unknown('This code is not of the tracker that is tested.');
  try {
    requireSignature(deps, own, report);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

const reportOf = (report: Partial<ConversionReport>, tracker: TrackerRow): TestReport => ({
  has_code: report.code !== undefined,
  is_signed: report.signature?.sig !== undefined,
  value: presentAmount(report.valueNanos ?? tracker.conversionValueNanos),
  currency: report.currency ?? PLATFORM_CURRENCY,
  event: report.eventType ?? tracker.eventType,
  transaction_id: report.transactionId ?? null,
});

async function note(
  deps: ActivityDeps,
  tx: Transaction,
  test: TrackerTestRow,
  last: {
    source: string;
    understood: TestReport | null;
    refusal: { name: string; message: string } | null;
  },
): Promise<void> {
  await deps.db.models.trackerTests.update(
    {
      reports: test.reports + 1,
      reportedAt: deps.clock(),
      source: last.source,
      outcome: last.refusal?.name ?? 'ACCEPTED',
      message: last.refusal?.message ?? null,
      understood: last.understood,
    },
    { where: { id: test.id }, transaction: tx },
  );
}

/** As for a conversion, once per test, with `test=1` and without a try again. */
async function callAdvertiser(
  deps: ActivityDeps,
  tx: Transaction,
  { test, tracker, report }: { test: TrackerTestRow; tracker: TrackerRow; report: TestReport },
): Promise<void> {
  if (tracker.postbackUrl === null) return;
  const nobody = '0';
  await queuePostback(deps, tx, {
    trackerId: tracker.id,
    advertiserId: tracker.advertiserId,
    of: { testId: test.id },
    template: tracker.postbackUrl,
    values: {
      click_id: test.clickId,
      conversion_id: nobody,
      value: String(report.value),
      currency: report.currency,
      event: report.event,
      txid: report.transaction_id ?? '',
      campaign_id: nobody,
      adgroup_id: nobody,
      ad_id: nobody,
      creative_id: nobody,
      zone_id: nobody,
      timestamp: String(Math.floor(deps.clock().getTime() / 1_000)),
    },
  });
}
