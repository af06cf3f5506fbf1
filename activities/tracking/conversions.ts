import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { newEventId } from '../../db/events/event-log.ts';
import { appendWithin, withPartitions } from '../../db/events/event-inbox.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  databaseNow,
  hasCounted,
  lockClick,
  type StoredClick,
  trackerByCode,
  trackerOfClick,
} from '../../db/queries/conversions.ts';
import type { NewRow } from '../../db/schema/table.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { conversions } from '../../db/tables/conversion.ts';
import type { TrackerRow } from '../../db/tables/tracker.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { presentAmount } from '../../domain/money.ts';
import { type Attribution, attribute } from '../../domain/tracking/attribution.ts';
import { conversionFacts } from '../../domain/tracking/conversion-facts.ts';
import { isTestClick } from '../../domain/tracking/tracker-test.ts';
import type { ActivityDeps } from '../deps.ts';
import { queuePostback } from './postbacks.ts';
import type { ConversionReport } from './conversion-report.ts';
import { requireSignature } from './report-signature.ts';
import { recordTestReport } from './tracker-tests.ts';

export interface RecordedConversion {
  conversionId: number;
  /** Reported before: nothing was changed. */
  isDuplicate: boolean;
  /** It named the click of a test: it would be accepted, and nothing was stored of it. */
  isTest?: boolean;
}

const WINDOW_DAYS_DEFAULT = 30;
const LEGACY_EVENT_TYPE = 'conversion';
const CURRENCY_DEFAULT = 'USD';

export function createConversionActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    /**
     * Stores a conversion with its attribution, the event that settlement bills, and the call of the
     * tracker's postback_url, in one transaction. Idempotent by tracker, click, and transaction id
     * or event type. Raises not_found for an unknown code, malformed_request for a legacy report
     * without click, signature_bad where the tracker requires one and it is missing or wrong.
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
      return await withPartitions(
        runner(db),
        'today',
        async () => await inTransaction(db, async (tx) => await record(deps, tx, report)),
      );
    },
  };
}

async function record(
  deps: ActivityDeps,
  tx: Transaction,
  report: ConversionReport,
): Promise<RecordedConversion> {
  const sql = runner(deps.db, tx);
  const now = report.reportedAt ?? (await databaseNow(sql));
  const { clickId } = report;
  const tracker = await trackerOf(sql, report);
  requireSignature(deps, tracker, report);
  const named = clickId === undefined ? undefined : await lockClick(sql, clickId);
  const rules = {
    advertiserId: tracker?.advertiserId ?? null,
    windowDays: tracker?.attributionWindow ?? WINDOW_DAYS_DEFAULT,
  };
  const attribution = attribute(rules, named ?? null, { now, clickNamed: clickId !== undefined });
  const click = attribution.status === 'UNATTRIBUTED' ? undefined : named;
  const outcome = await countingOf(sql, { tracker, click, attribution });
  const conversion = conversionOf(report, { tracker, click, outcome, now });
  const conversionId = await insertConversion(deps, tx, conversion);
  if (conversionId === null) {
    return { conversionId: await findRecorded(sql, conversion), isDuplicate: true };
  }
  if (outcome.status === 'ACCEPTED' && click !== undefined) {
    await appendEvent(sql, { click, tracker, conversionId, now });
    await queueAdvertiserCall(deps, tx, { report, click, tracker, conversionId, now });
  }
  return { conversionId, isDuplicate: false };
}

/** In legacy mode the clicked campaign's own tracker, so that both ways of reporting count once. */
async function trackerOf(
  sql: SqlRunner,
  { code, clickId }: ConversionReport,
): Promise<TrackerRow | undefined> {
  if (code === undefined) {
    return clickId === undefined ? undefined : await trackerOfClick(sql, clickId);
  }
  const tracker = await trackerByCode(sql, code);
  if (tracker === undefined) throw notFound();
  return tracker;
}

type NewConversion = NewRow<typeof conversions>;
type Outcome = Required<Pick<NewConversion, 'status' | 'reason' | 'latencySeconds'>>;

/** A tracker that counts ONE keeps later transactions of the same click, without counting them. */
async function countingOf(
  sql: SqlRunner,
  found: {
    tracker: TrackerRow | undefined;
    click: StoredClick | undefined;
    attribution: Attribution;
  },
): Promise<Outcome> {
  const { tracker, click, attribution } = found;
  if (attribution.status !== 'ACCEPTED') return { latencySeconds: null, ...attribution };
  const { latencySeconds } = attribution;
  if (tracker?.countMode === 'ONE' && click !== undefined) {
    const counted = await hasCounted(sql, { trackerId: tracker.id, clickId: click.clickId });
    if (counted) return { status: 'UNBILLED', reason: 'COUNTED_BEFORE', latencySeconds };
  }
  return { status: 'ACCEPTED', reason: null, latencySeconds };
}

function conversionOf(
  report: ConversionReport,
  found: {
    tracker: TrackerRow | undefined;
    click: StoredClick | undefined;
    outcome: Outcome;
    now: Date;
  },
): NewConversion {
  const { tracker, click, outcome, now } = found;
  return {
    trackerId: tracker?.id ?? null,
    advertiserId: tracker?.advertiserId ?? click?.advertiserId ?? null,
    ...(click === undefined ? {} : placeOf(click)),
    clickId: report.clickId ?? null,
    dedupeKey: dedupeKeyOf(report, tracker),
    eventType: eventTypeOf(report, tracker),
    valueNanos: report.valueNanos ?? tracker?.conversionValueNanos ?? 0n,
    currency: report.currency ?? CURRENCY_DEFAULT,
    ...outcome,
    source: report.source,
    createdAt: now,
  };
}

function placeOf(click: StoredClick): Partial<NewConversion> {
  const { campaignId, adGroupId, adId, creativeId, zoneId, clickedAt } = click;
  return { campaignId, adGroupId, adId, creativeId, zoneId, clickedAt };
}

/** Without a click and a transaction id two conversions cannot be distinguished: each is its own. */
function dedupeKeyOf(report: ConversionReport, tracker: TrackerRow | undefined): string {
  if (report.transactionId !== undefined) return `tx:${report.transactionId}`;
  return report.clickId === undefined
    ? `none:${report.reportId ?? randomUUID()}`
    : `event:${report.eventType ?? tracker?.eventType ?? LEGACY_EVENT_TYPE}`;
}

/**
 * The tracker's where its code was named; `conversion` of a legacy report that says none (interface
 * 4.14), which all the same counts once with a report by code that says none.
 */
const eventTypeOf = (report: ConversionReport, tracker: TrackerRow | undefined): string =>
  report.eventType ??
  (report.code === undefined ? undefined : tracker?.eventType) ??
  LEGACY_EVENT_TYPE;

/** Null when it was reported before. */
async function insertConversion(
  { db }: ActivityDeps,
  transaction: Transaction,
  conversion: NewConversion,
): Promise<number | null> {
  const options = { ignoreDuplicates: true, returning: true, transaction };
  const [made] = await db.models.conversions.bulkCreate([conversion], options);
  return made?.id ?? null;
}

/** By the expressions of its unique index. */
async function findRecorded(sql: SqlRunner, conversion: NewConversion): Promise<number> {
  const { trackerId, clickId, dedupeKey } = conversion;
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM conversions
     WHERE COALESCE(tracker_id, 0) = COALESCE($1::bigint, 0) AND COALESCE(click_id, '') = COALESCE($2::text, '') AND dedupe_key = $3`,
    [trackerId, clickId, dedupeKey],
  );
  if (rows[0] === undefined) throw new Error('a conversion vanished');
  return Number(rows[0].id);
}

/** Settlement bills CPA and CPS from this event, once, by the conversion's row. */
async function appendEvent(
  sql: SqlRunner,
  found: {
    click: StoredClick;
    tracker: TrackerRow | undefined;
    conversionId: number;
    now: Date;
  },
): Promise<void> {
  const { click, tracker, conversionId, now } = found;
  const isBilling = click.campaignTrackerId === null || click.campaignTrackerId === tracker?.id;
  await appendWithin(sql, {
    id: newEventId(now),
    kind: 'conversion',
    shard: click.shard,
    receivedAt: now,
    facts: conversionFacts(click, { conversionId, isBilling }),
  });
}

/** After acceptance, where the tracker names an address (interface 4.14). */
async function queueAdvertiserCall(
  deps: ActivityDeps,
  tx: Transaction,
  accepted: {
    report: ConversionReport;
    click: StoredClick;
    tracker: TrackerRow | undefined;
    conversionId: number;
    now: Date;
  },
): Promise<void> {
  const { report, click, tracker, conversionId, now } = accepted;
  if (tracker === undefined || tracker.postbackUrl === null) return;
  await queuePostback(deps, tx, {
    trackerId: tracker.id,
    advertiserId: tracker.advertiserId,
    of: { conversionId },
    template: tracker.postbackUrl,
    values: {
      click_id: click.clickId,
      conversion_id: String(conversionId),
      value: String(presentAmount(report.valueNanos ?? tracker.conversionValueNanos)),
      currency: report.currency ?? CURRENCY_DEFAULT,
      event: eventTypeOf(report, tracker),
      txid: report.transactionId ?? '',
      campaign_id: String(click.campaignId),
      adgroup_id: String(click.adGroupId),
      ad_id: String(click.adId),
      creative_id: String(click.creativeId),
      zone_id: String(click.zoneId),
      timestamp: String(Math.floor(now.getTime() / 1_000)),
    },
  });
}
