import type { AttributedClick } from '../../domain/tracking/conversion-facts.ts';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import { factsOf } from '../events/event-inbox.ts';
import type { SqlRunner } from '../sql-runner.ts';

/** Windows and latency are read on the database's clock, as a click's deadline is. */
export async function databaseNow(sql: SqlRunner): Promise<Date> {
  const { rows } = await sql.query<{ now: Date }>('SELECT now() AS now');
  if (rows[0] === undefined) throw new Error('now() answered nothing');
  return rows[0].now;
}

export interface TrackerRule {
  id: number;
  advertiserId: number;
  eventType: string;
  countMode: 'ONE' | 'EVERY';
  /** Null: it takes conversions without a signature. */
  signedByCode: string | null;
  conversionValueNanos: bigint;
  windowDays: number;
  postbackUrl: string | null;
}

interface TrackerRuleRow {
  id: string;
  advertiser_id: string;
  event_type: string;
  count_mode: 'ONE' | 'EVERY';
  signed_by_code: string | null;
  conversion_value_nanos: string;
  attribution_window: number;
  postback_url: string | null;
}

const TRACKER_RULE = `SELECT t.id, t.advertiser_id, t.event_type, t.count_mode, t.conversion_value_nanos, t.attribution_window,
  t.postback_url, CASE WHEN t.require_sig THEN t.tracking_code END AS signed_by_code
  FROM trackers t`;

/** A paused or archived tracker takes no conversions: its code is as unknown as any other. */
export async function trackerByCode(sql: SqlRunner, code: string): Promise<TrackerRule | null> {
  const { rows } = await sql.query<TrackerRuleRow>(
    `${TRACKER_RULE} WHERE t.tracking_code = $1 AND t.status = 'ACTIVE'`,
    [code],
  );
  return rows[0] === undefined ? null : ruleOf(rows[0]);
}

/** Legacy mode: the tracker of the clicked campaign, if it has one. */
export async function trackerOfClick(sql: SqlRunner, clickId: string): Promise<TrackerRule | null> {
  const { rows } = await sql.query<TrackerRuleRow>(
    `${TRACKER_RULE} JOIN campaigns c ON c.tracker_id = t.id AND c.advertiser_id = t.advertiser_id
       JOIN clicks k ON k.campaign_id = c.id WHERE k.click_id = $1 AND t.status = 'ACTIVE'`,
    [clickId],
  );
  return rows[0] === undefined ? null : ruleOf(rows[0]);
}

function ruleOf(row: TrackerRuleRow): TrackerRule {
  return {
    id: Number(row.id),
    advertiserId: Number(row.advertiser_id),
    eventType: row.event_type,
    countMode: row.count_mode,
    signedByCode: row.signed_by_code,
    conversionValueNanos: BigInt(row.conversion_value_nanos),
    windowDays: row.attribution_window,
    postbackUrl: row.postback_url,
  };
}

/** A click as a conversion needs it. */
export interface ClickRow extends AttributedClick {
  shard: number;
  status: 'verify_pending' | 'verified' | 'valid' | 'invalid' | 'expired';
  reason: string | null;
  adGroupId: number;
  /** The tracker that the campaign bills by; null when it names none. */
  campaignTrackerId: number | null;
}

interface StoredClick extends Record<string, unknown> {
  click_id: string;
  shard: number;
  status: ClickRow['status'];
  reason: string | null;
  clicked_at: Date;
  advertiser_id: string;
  campaign_id: string;
  adgroup_id: string;
  ad_id: string;
  creative_id: string;
  zone_id: string;
  request_id: string;
  bid_id: string;
  pricing_model: ClickRow['pricingModel'];
  bid_price_nanos: string;
  campaign_tracker_id: string | null;
  facts: EventFacts | null;
}

/** Locks the click, so that of two conversions with different transaction ids one is the first. */
export async function lockClick(sql: SqlRunner, clickId: string): Promise<ClickRow | null> {
  const { rows } = await sql.query<StoredClick>(
    `SELECT k.*, c.tracker_id AS campaign_tracker_id,
       ${factsOf({ id: 'k.id', receivedAt: 'k.clicked_at' })} AS facts
     FROM clicks k LEFT JOIN campaigns c ON c.id = k.campaign_id
     WHERE k.click_id = $1 FOR NO KEY UPDATE OF k`,
    [clickId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    clickId: row.click_id,
    shard: row.shard,
    status: row.status,
    reason: row.reason,
    clickedAt: row.clicked_at,
    advertiserId: Number(row.advertiser_id),
    campaignId: Number(row.campaign_id),
    adGroupId: Number(row.adgroup_id),
    adId: Number(row.ad_id),
    creativeId: Number(row.creative_id),
    zoneId: Number(row.zone_id),
    requestId: row.request_id,
    bidId: row.bid_id,
    pricingModel: row.pricing_model,
    bidPriceNanos: BigInt(row.bid_price_nanos),
    campaignTrackerId: row.campaign_tracker_id === null ? null : Number(row.campaign_tracker_id),
    facts: row.facts,
  };
}

/** Whether the tracker has counted a conversion of this click before. */
export async function hasCounted(
  sql: SqlRunner,
  key: { trackerId: number; clickId: string },
): Promise<boolean> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT id FROM conversions WHERE tracker_id = $1 AND click_id = $2 AND status IN ('ACCEPTED', 'BILLED', 'UNBILLED')
     LIMIT 1`,
    [key.trackerId, key.clickId],
  );
  return rows.length > 0;
}
