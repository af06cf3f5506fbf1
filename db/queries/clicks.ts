import type { Pool } from 'pg';
import { APPEND_SELECTED, withPartitions } from '../events/event-inbox.ts';
import { text } from '../schema/column.ts';
import { moveSql } from '../schema/move.ts';
import { columnsOf, type RowOf, select } from '../schema/selection.ts';
import { clicks } from '../tables/click.ts';

/** What a verified click leads to, and what its landing page may learn by macros. */
export type VerifiedClick = RowOf<typeof VERIFIED>;

const VERIFIED = select({
  ...columnsOf(clicks, 'v', ['clickId', 'bidId', 'requestId', 'creativeId', 'zoneId']),
  /** Of the ad, else of the creative that was approved, else of the campaign; empty without any. */
  landingUrl: text().of(
    `COALESCE(NULLIF(a.landing_url, ''), NULLIF(r.click_url, ''), c.landing_url, '')`,
  ),
});

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
    // Prepared once per connection: planning it costs more than running it.
    name: 'verify-click',
    text: VERIFY,
    values: [verification.clickEventId, verification.eventId, receivedAt, verification.facts],
    query_timeout: VERIFY_TIMEOUT_MS,
  };
  const { rows } = await withPartitions(
    pool,
    [receivedAt.slice(0, 10)],
    async () => await pool.query<Record<string, unknown>>(config),
  );
  return rows[0] === undefined ? null : VERIFIED.read(rows[0]);
}

const { set, only } = moveSql(clicks, 'status', 'verify');
const VERIFY = `
  WITH v AS (
    UPDATE clicks SET ${set}, verified_at = now()
    WHERE id = $1::uuid AND ${only} AND verify_by > now()
    RETURNING click_id, bid_id, request_id, shard, ad_id, creative_id, zone_id
  ), inbox AS (
    ${APPEND_SELECTED}
    SELECT ($3::timestamptz AT TIME ZONE 'UTC')::date, $2::uuid, shard, 'click_verify', $3::timestamptz,
      $4::jsonb || jsonb_build_object('clickEventId', $1::uuid, 'clickId', click_id)
    FROM v
  )
  SELECT ${VERIFIED.list}
  FROM v LEFT JOIN ads a ON a.id = v.ad_id LEFT JOIN campaigns c ON c.id = a.campaign_id
    LEFT JOIN creatives k ON k.id = v.creative_id
    LEFT JOIN creative_revisions r ON r.creative_id = k.id AND r.revision = k.approved_revision`;
