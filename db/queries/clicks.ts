import type { Pool } from 'pg';
import { APPEND_SELECTED, withPartitions } from '../events/event-inbox.ts';

/** What a verified click leads to, and what its landing page may be told. */
export interface VerifiedClick {
  clickId: string;
  bidId: string;
  requestId: string;
  creativeId: number;
  zoneId: number;
  /** Of the ad, else of its campaign; empty when neither has one. */
  landingUrl: string;
}

export interface ClickVerification {
  clickEventId: string;
  eventId: string;
  receivedAt: Date;
  /** JSON of EventFacts; the click's public id is added by the statement. */
  facts: string;
}

/** A tracking node must not wait longer for a database that hangs. */
const VERIFY_TIMEOUT_MS = 2_000;

/**
 * verify_pending -> verified and its inbox event, in one statement: of two parallel calls one finds
 * the row, and the deadline is read on the database clock (interface 6). Null when the click is
 * unknown, used or expired.
 */
export async function verifyClick(
  pool: Pool,
  verification: ClickVerification,
): Promise<VerifiedClick | null> {
  const receivedAt = verification.receivedAt.toISOString();
  const config = {
    text: VERIFY,
    values: [verification.clickEventId, verification.eventId, receivedAt, verification.facts],
    query_timeout: VERIFY_TIMEOUT_MS,
  };
  const { rows } = await withPartitions(
    pool,
    [receivedAt.slice(0, 10)],
    async () => await pool.query<VerifiedRow>(config),
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    clickId: row.click_id,
    bidId: row.bid_id,
    requestId: row.request_id,
    creativeId: Number(row.creative_id),
    zoneId: Number(row.zone_id),
    landingUrl: row.landing_url ?? '',
  };
}

interface VerifiedRow {
  click_id: string;
  bid_id: string;
  request_id: string;
  creative_id: string;
  zone_id: string;
  landing_url: string | null;
}

const VERIFY = `
  WITH verified AS (
    UPDATE clicks SET status = 'verified', verified_at = now()
    WHERE id = $1::uuid AND status = 'verify_pending' AND verify_by > now()
    RETURNING click_id, bid_id, request_id, shard, ad_id, creative_id, zone_id
  ), inbox AS (
    ${APPEND_SELECTED}
    SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date, $2::uuid, shard, 'click_verify', $3::timestamptz,
      $4::jsonb || jsonb_build_object('clickEventId', $1::uuid, 'clickId', click_id)
    FROM verified
  )
  SELECT v.click_id, v.bid_id, v.request_id, v.creative_id, v.zone_id,
    COALESCE(NULLIF(a.landing_url, ''), c.landing_url) AS landing_url
  FROM verified v LEFT JOIN ads a ON a.id = v.ad_id LEFT JOIN campaigns c ON c.id = a.campaign_id`;
