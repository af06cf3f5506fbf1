import type { SqlRunner } from '../sql-runner.ts';

/** Everything the platform keeps about one won ad: its events, its click and its conversions. */
export interface EventTrace {
  events: TracedEvent[];
  clicks: TracedClick[];
  conversions: TracedConversion[];
}

export interface TracedEvent {
  id: string;
  kind: string;
  received_at: Date;
  judged_at: Date;
  status: string;
  billable: boolean;
  reason: string | null;
  reasons: string[];
  request_id: string | null;
  bid_id: string | null;
  click_id: string | null;
  advertiser_id: string | null;
  campaign_id: string | null;
  adgroup_id: string | null;
  ad_id: string | null;
  creative_id: string | null;
  publisher_id: string | null;
  site_id: string | null;
  zone_id: string | null;
  country: string | null;
  device: string | null;
  os: string | null;
  browser: string | null;
  ip_prefix: string | null;
  pricing_model: string | null;
  price_nanos: string;
  publisher_nanos: string;
  batch_id: string | null;
}

export interface TracedClick {
  id: string;
  click_id: string;
  status: string;
  reason: string | null;
  clicked_at: Date;
  verify_by: Date;
  verified_at: Date | null;
  request_id: string;
  bid_id: string;
  campaign_id: string;
  ad_id: string;
  creative_id: string;
  zone_id: string;
  bid_price_nanos: string;
  pricing_model: string;
}

export interface TracedConversion {
  id: string;
  tracker_id: string | null;
  click_id: string | null;
  event_type: string;
  value_nanos: string;
  currency: string;
  status: string;
  reason: string | null;
  latency_seconds: number | null;
  source: string;
  created_at: Date;
}

export interface TraceKeys {
  /** Of the whole answer to an ad request, all of its ads. */
  requestId?: string | undefined;
  /** Of one won ad. */
  bidId?: string | undefined;
}

const ROWS_MAX = 200;

/** The keys of the won ad that a click belongs to; null when the click is not known. */
export async function findClickBid(sql: SqlRunner, clickId: string): Promise<string | null> {
  const { rows } = await sql.query<{ bid_id: string }>(
    'SELECT bid_id FROM clicks WHERE click_id = $1',
    [clickId],
  );
  return rows[0]?.bid_id ?? null;
}

/** At most 200 rows of each kind, in the order in which they arrived. */
export async function traceEvents(sql: SqlRunner, keys: TraceKeys): Promise<EventTrace> {
  const where = keys.bidId === undefined ? 'request_id = $1' : 'bid_id = $1';
  const bound = [keys.bidId ?? keys.requestId ?? null];
  const events = await sql.query<TracedEvent>(
    `SELECT id, kind, received_at, judged_at, status, billable, reason, reasons, request_id, bid_id,
            click_id, advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, publisher_id, site_id,
            zone_id, country, device, os, browser, ip_prefix, pricing_model, price_nanos::text,
            publisher_nanos::text, batch_id
     FROM events WHERE ${where} ORDER BY received_at, id LIMIT ${ROWS_MAX}`,
    bound,
  );
  const clicks = await sql.query<TracedClick>(
    `SELECT id, click_id, status, reason, clicked_at, verify_by, verified_at, request_id, bid_id,
            campaign_id, ad_id, creative_id, zone_id, bid_price_nanos::text, pricing_model
     FROM clicks WHERE ${where} ORDER BY clicked_at, id LIMIT ${ROWS_MAX}`,
    bound,
  );
  const conversions = await sql.query<TracedConversion>(
    `SELECT id, tracker_id, click_id, event_type, value_nanos::text, currency, status, reason,
            latency_seconds, source, created_at
     FROM conversions WHERE click_id = ANY($1::text[]) ORDER BY id LIMIT ${ROWS_MAX}`,
    [clicks.rows.map((click) => click.click_id)],
  );
  return { events: events.rows, clicks: clicks.rows, conversions: conversions.rows };
}
