import { Context } from '@temporalio/activity';
import { inTransaction, runner } from '../../db/postgres.ts';
import type { ShardInput } from '../../workflows/contracts/loops.ts';
import type { ActivityDeps } from '../deps.ts';
import { pause } from '../core/pause.ts';
import { APPEND_SELECTED } from '../../db/events/event-inbox.ts';

/** One statement's worth of clicks. */
const SWEEP_LIMIT = 1_000;
/** A deadline nearer than this is waited for inside the activity, farther ones on a durable timer. */
const NEAR_MS = 5_000;

export interface ExpireClicksInput extends ShardInput {
  runForMs: number;
  tickMs: number;
  /** Longest sleep: no longer than the shortest time a click is given to be verified. */
  sleepMaxMs: number;
}

export interface ExpiryLap {
  expired: number;
  /** How long nothing can fall due. */
  sleepMs: number;
}

export interface Sweep {
  expired: number;
  /** Milliseconds until the next deadline, negative when it has passed; null when no click waits. */
  nextDueMs: number | null;
}

export function createClickExpiryActivities(deps: ActivityDeps) {
  /**
   * Expires what is overdue on the database clock, and logs an event for each in the same statement.
   * The conditional UPDATE is the mirror of click-verify's, so a click has one outcome.
   */
  const sweepClicks = async ({ shard }: ShardInput): Promise<Sweep> =>
    await inTransaction(deps.db, async (tx) => {
      const sql = runner(deps.db, tx);
      const { rows } = await sql.query<{ expired: number }>(SWEEP, [shard, SWEEP_LIMIT]);
      const next = await sql.query<{ due: number | null }>(
        `SELECT (extract(epoch FROM min(verify_by) - clock_timestamp()) * 1000)::float8 AS due
         FROM clicks WHERE shard = $1 AND status = 'verify_pending'`,
        [shard],
      );
      return { expired: rows[0]?.expired ?? 0, nextDueMs: next.rows[0]?.due ?? null };
    });

  return {
    sweepClicks,

    /** Sweeps until nothing falls due soon, then answers how long to sleep. */
    async expireClicks(input: ExpireClicksInput): Promise<ExpiryLap> {
      const { shard, runForMs, tickMs, sleepMaxMs } = input;
      const context = Context.current();
      const until = Date.now() + runForMs;
      let expired = 0;
      while (Date.now() < until && !context.cancellationSignal.aborted) {
        context.heartbeat({ expired });
        const sweep = await sweepClicks({ shard });
        expired += sweep.expired;
        const dueMs = sweep.nextDueMs ?? sleepMaxMs;
        if (dueMs > NEAR_MS) return { expired, sleepMs: Math.ceil(Math.min(dueMs, sleepMaxMs)) };
        if (dueMs > 0) await pause(Math.min(dueMs, tickMs), context.cancellationSignal);
      }
      return { expired, sleepMs: 0 };
    },
  };
}

/**
 * The event's facts are what the row keeps: ids and price. What was known of the browser is on the
 * click event itself.
 */
const SWEEP = `
  WITH due AS (
    SELECT id FROM clicks WHERE shard = $1 AND status = 'verify_pending' AND verify_by <= now()
    ORDER BY verify_by LIMIT $2 FOR UPDATE SKIP LOCKED
  ), gone AS (
    UPDATE clicks c SET status = 'expired' FROM due WHERE c.id = due.id AND c.status = 'verify_pending'
    RETURNING c.*
  ), logged AS (
    ${APPEND_SELECTED}
    SELECT (now() AT TIME ZONE 'UTC')::date, gen_random_uuid(), shard, 'click_expired', now(),
      jsonb_build_object(
        'track', jsonb_build_object(
          'requestId', request_id, 'bidId', bid_id, 'advertiserId', advertiser_id,
          'campaignId', campaign_id, 'adId', ad_id, 'creativeId', creative_id, 'zoneId', zone_id,
          'issuedAt', floor(extract(epoch FROM clicked_at)), 'protocol', 1, 'channel', 'page',
          'pricingModel', pricing_model, 'priceNanos', bid_price_nanos::text, 'uaHash', '',
          'ipHash', '', 'country', NULL, 'device', 'OTHER', 'os', 'OTHER'),
        'seal', 'ok', 'protocol', 1, 'signature', 'none', 'session', 'none', 'clock', 'ok',
        'nonce', NULL, 'userAgent', 'ok', 'uaHash', '', 'ipHash', '', 'viewerKey', '',
        'ipPrefix', '', 'country', NULL, 'device', 'OTHER', 'os', 'OTHER', 'browser', 'OTHER',
        'prefetch', false, 'datacenter', false, 'webdriver', NULL, 'placement', NULL,
        'clickEventId', id::text, 'clickId', click_id)
    FROM gone RETURNING 1
  ) SELECT count(*)::int AS expired FROM logged`;
