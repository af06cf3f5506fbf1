import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import { newEventId } from '../../db/events/event-log.ts';
import { appendWithin, withPartitions } from '../../db/events/event-inbox.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import {
  type ClickRow,
  databaseNow,
  hasCounted,
  lockClick,
  trackerByCode,
  trackerOfClick,
  type TrackerRule,
} from '../../db/queries/conversions.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { type Nanos, presentAmount } from '../../domain/money.ts';
import { type Attribution, attribute } from '../../domain/tracking/attribution.ts';
import { conversionFacts } from '../../domain/tracking/conversion-facts.ts';
import { isSignedBy } from '../../domain/tracking/postback.ts';
import type { ActivityDeps } from '../deps.ts';
import { POSTBACK_SECRET_PLACE, queuePostback } from './postbacks.ts';

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
  source: 'pixel' | 'api' | 'postback';
  /** For trackers that require one: what was signed (signedText), and the given `sig`. */
  signature?: { text: string; sig: string | undefined } | undefined;
  /** When it came, if it had to wait; the database's clock otherwise. */
  reportedAt?: Date | undefined;
  /** Makes a report without click and transaction one report, however often it is replayed. */
  reportId?: string | undefined;
}

export interface RecordedConversion {
  conversionId: number;
  /** Reported before: nothing was changed. */
  isDuplicate: boolean;
}

const WINDOW_DAYS_DEFAULT = 30;
const LEGACY_EVENT_TYPE = 'conversion';
const CURRENCY_DEFAULT = 'USD';

export function createConversionActivities(deps: ActivityDeps) {
  const { db } = deps;
  return {
    /**
     * Stores a conversion with its attribution, the event that settlement bills, and the call of the
     * tracker's postback_url, in one transaction. Idempotent by (tracker, click, transaction id or event type). Raises not_found
     * for an unknown code, malformed_request for a legacy report without click, signature_bad where
     * the tracker requires one and it is missing or wrong.
     */
    recordConversion: async (report: ConversionReport): Promise<RecordedConversion> => {
      if (report.code === undefined && report.clickId === undefined) {
        throw new DomainError('malformed_request', {
          message: 'click_id is required without code.',
        });
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
  const named = clickId === undefined ? null : await lockClick(sql, clickId);
  const rules = {
    advertiserId: tracker?.advertiserId ?? null,
    windowDays: tracker?.windowDays ?? WINDOW_DAYS_DEFAULT,
  };
  const attribution = attribute(rules, named, { now, clickNamed: clickId !== undefined });
  const click = attribution.status === 'UNATTRIBUTED' ? null : named;
  const outcome = await countingOf(sql, { tracker, click, attribution });
  const row = rowOf(report, { tracker, click, outcome, now });
  const conversionId = await insertConversion(sql, row);
  if (conversionId === null) return { conversionId: await existing(sql, row), isDuplicate: true };
  if (outcome.status === 'ACCEPTED' && click !== null) {
    await appendEvent(sql, { click, tracker, conversionId, now });
    await tellAdvertiser(deps, tx, { report, click, tracker, conversionId, now });
  }
  return { conversionId, isDuplicate: false };
}

/** In legacy mode the clicked campaign's own tracker, so that both ways of reporting count once. */
async function trackerOf(sql: SqlRunner, report: ConversionReport): Promise<TrackerRule | null> {
  if (report.code === undefined) {
    return report.clickId === undefined ? null : await trackerOfClick(sql, report.clickId);
  }
  const tracker = await trackerByCode(sql, report.code);
  if (tracker === null) throw notFound();
  return tracker;
}

/** The same secret that our own calls to the advertiser are signed with (activities/tracking/postbacks.ts). */
function requireSignature(
  deps: ActivityDeps,
  tracker: TrackerRule | null,
  { signature }: ConversionReport,
): void {
  const code = tracker?.signedByCode ?? null;
  if (code === null) return;
  const secret = deps.providers.blindIndex(code, POSTBACK_SECRET_PLACE);
  if (!isSignedBy(secret, signature?.text ?? '', signature?.sig)) {
    throw new DomainError('signature_bad');
  }
}

interface Outcome {
  status: 'ACCEPTED' | 'UNATTRIBUTED' | 'EXPIRED' | 'UNBILLED';
  reason: string | null;
  latencySeconds: number | null;
}

/** A tracker that counts ONE keeps later transactions of the same click, without counting them. */
async function countingOf(
  sql: SqlRunner,
  found: { tracker: TrackerRule | null; click: ClickRow | null; attribution: Attribution },
): Promise<Outcome> {
  const { tracker, click, attribution } = found;
  if (attribution.status === 'UNATTRIBUTED') {
    return { status: 'UNATTRIBUTED', reason: attribution.reason, latencySeconds: null };
  }
  const { latencySeconds } = attribution;
  if (attribution.status === 'EXPIRED') {
    return { status: 'EXPIRED', reason: attribution.reason, latencySeconds };
  }
  if (tracker !== null && tracker.countMode === 'ONE' && click !== null) {
    const counted = await hasCounted(sql, { trackerId: tracker.id, clickId: click.clickId });
    if (counted) return { status: 'UNBILLED', reason: 'COUNTED_BEFORE', latencySeconds };
  }
  return { status: 'ACCEPTED', reason: null, latencySeconds };
}

interface ConversionRow {
  trackerId: number | null;
  clickId: string | null;
  dedupeKey: string;
  values: unknown[];
}

function rowOf(
  report: ConversionReport,
  found: { tracker: TrackerRule | null; click: ClickRow | null; outcome: Outcome; now: Date },
): ConversionRow {
  const { tracker, click, outcome, now } = found;
  const eventType = report.eventType ?? tracker?.eventType ?? LEGACY_EVENT_TYPE;
  const trackerId = tracker?.id ?? null;
  const clickId = report.clickId ?? null;
  const dedupeKey = dedupeKeyOf(report, eventType);
  const valueNanos = report.valueNanos ?? tracker?.conversionValueNanos ?? 0n;
  return {
    trackerId,
    clickId,
    dedupeKey,
    values: [
      trackerId,
      tracker?.advertiserId ?? click?.advertiserId ?? null,
      ...placeOf(click),
      clickId,
      dedupeKey,
      eventType,
      valueNanos.toString(),
      report.currency ?? CURRENCY_DEFAULT,
      outcome.status,
      outcome.reason,
      outcome.latencySeconds,
      click?.clickedAt ?? null,
      report.source,
      now,
    ],
  };
}

/** campaign, ad group, ad, creative, zone */
const placeOf = (click: ClickRow | null): (number | null)[] =>
  click === null
    ? [null, null, null, null, null]
    : [click.campaignId, click.adGroupId, click.adId, click.creativeId, click.zoneId];

/** Without a click and a transaction id two conversions cannot be distinguished: each is its own. */
function dedupeKeyOf(report: ConversionReport, eventType: string): string {
  if (report.transactionId !== undefined) return `tx:${report.transactionId}`;
  return report.clickId === undefined
    ? `none:${report.reportId ?? randomUUID()}`
    : `event:${eventType}`;
}

async function insertConversion(sql: SqlRunner, row: ConversionRow): Promise<number | null> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO conversions (tracker_id, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, zone_id, click_id,
       dedupe_key, event_type, value_nanos, currency, status, reason, latency_seconds, clicked_at, source, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)
     ON CONFLICT DO NOTHING RETURNING id`,
    row.values,
  );
  return rows[0] === undefined ? null : Number(rows[0].id);
}

async function existing(sql: SqlRunner, row: ConversionRow): Promise<number> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM conversions
     WHERE COALESCE(tracker_id, 0) = COALESCE($1::bigint, 0) AND COALESCE(click_id, '') = COALESCE($2::text, '') AND dedupe_key = $3`,
    [row.trackerId, row.clickId, row.dedupeKey],
  );
  if (rows[0] === undefined) throw new Error('a conversion vanished');
  return Number(rows[0].id);
}

/** Settlement bills CPA and CPS from this event, once, by the conversion's row. */
async function appendEvent(
  sql: SqlRunner,
  found: { click: ClickRow; tracker: TrackerRule | null; conversionId: number; now: Date },
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
async function tellAdvertiser(
  deps: ActivityDeps,
  tx: Transaction,
  accepted: {
    report: ConversionReport;
    click: ClickRow;
    tracker: TrackerRule | null;
    conversionId: number;
    now: Date;
  },
): Promise<void> {
  const { report, click, tracker, conversionId, now } = accepted;
  if (tracker === null || tracker.postbackUrl === null) return;
  await queuePostback(deps, tx, {
    trackerId: tracker.id,
    advertiserId: tracker.advertiserId,
    conversionId,
    template: tracker.postbackUrl,
    values: {
      click_id: click.clickId,
      conversion_id: String(conversionId),
      value: String(presentAmount(report.valueNanos ?? tracker.conversionValueNanos)),
      currency: report.currency ?? CURRENCY_DEFAULT,
      event: report.eventType ?? tracker.eventType,
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
