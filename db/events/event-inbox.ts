import type { Pool } from 'pg';
import type { LoggedEvent } from './event-log.ts';
import { sqlNames } from '../schema/table.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { sqlStateOf } from '../sql-state.ts';
import { eventInbox } from '../tables/event-inbox.ts';

/** An event as text, ready for the statement and for a line of the spool, whose form it is. */
export interface EventLine {
  id: string;
  shard: number;
  kind: string;
  /** RFC 3339 */
  receivedAt: string;
  /** JSON of EventFacts */
  facts: string;
  clickId: string | null;
  verifyWithinSeconds: number | null;
}

export function lineOf(event: LoggedEvent): EventLine {
  return {
    id: event.id,
    shard: event.shard,
    kind: event.kind,
    receivedAt: event.receivedAt.toISOString(),
    facts: JSON.stringify(event.facts),
    clickId: event.pendingClick?.clickId ?? null,
    verifyWithinSeconds: event.pendingClick?.verifyWithinSeconds ?? null,
  };
}

/** A server that hangs counts as away after this; the statement may still commit, which is harmless. */
const APPEND_TIMEOUT_MS = 2_000;

const INPUT = `SELECT * FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::timestamptz[], $5::text[])
  AS i (id, shard, kind, received_at, facts)`;
/** For a statement that appends together with a change of a row; a SELECT of these follows. */
const INBOX_COLUMNS = ['day', 'id', 'shard', 'kind', 'receivedAt', 'facts'];
export const APPEND_SELECTED = `INSERT INTO event_inbox (${sqlNames(eventInbox, INBOX_COLUMNS)})`;

const INSERT_INBOX = `${APPEND_SELECTED}
  SELECT (received_at AT TIME ZONE 'UTC')::date, id, shard, kind, received_at, facts::jsonb FROM input
  ON CONFLICT DO NOTHING`;

const APPEND = `WITH input AS (${INPUT}) ${INSERT_INBOX}`;

/** The click's row commits with its event; its deadline is on the database clock (interface 6). */
const APPEND_WITH_CLICKS = `WITH input AS (${INPUT}), inbox AS (${INSERT_INBOX}), pending AS (
    SELECT c.id, c.click_id, c.verify_seconds, i.shard, i.received_at, i.facts::jsonb -> 'track' AS track
    FROM unnest($6::uuid[], $7::text[], $8::int[]) AS c (id, click_id, verify_seconds) JOIN input i USING (id)
  )
  INSERT INTO clicks (id, click_id, shard, verify_by, clicked_at, request_id, bid_id, advertiser_id,
    campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
  SELECT p.id, p.click_id, p.shard, now() + make_interval(secs => p.verify_seconds), p.received_at,
    track ->> 'requestId', track ->> 'bidId', (track ->> 'advertiserId')::bigint,
    (track ->> 'campaignId')::bigint, a.adgroup_id, a.id, (track ->> 'creativeId')::bigint,
    (track ->> 'zoneId')::bigint, (track ->> 'priceNanos')::bigint, track ->> 'pricingModel'
  FROM pending p JOIN ads a ON a.id = (track ->> 'adId')::bigint
  ON CONFLICT DO NOTHING`;

/** The facts of an event in a statement of another table, which knows its id and when it came. */
export const factsOf = (event: { id: string; receivedAt: string }): string =>
  `(SELECT facts FROM event_inbox
    WHERE day = (${event.receivedAt} AT TIME ZONE 'UTC')::date AND id = ${event.id})`;

/** Appends with the caller's transaction: the event is there when that commits. */
export async function appendWithin(sql: SqlRunner, event: LoggedEvent): Promise<void> {
  const { text, values } = statement([lineOf(event)]);
  await sql.query(text, values);
}

/** One statement, one commit. Idempotent by event id. */
export async function appendRows(pool: Pool, rows: readonly EventLine[]): Promise<void> {
  const days = new Set(rows.map((row) => row.receivedAt.slice(0, 10)));
  await withPartitions(pool, days, async () => await pool.query(statement(rows)));
}

/**
 * Makes the days' partitions when one is missing, so that a daily job that did not run costs no
 * event. `today` is the database's.
 */
export async function withPartitions<Result>(
  sql: SqlRunner,
  days: Iterable<string> | 'today',
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    if (days === 'today') {
      await sql.query(`SELECT ensure_event_partitions((now() AT TIME ZONE 'UTC')::date, 1)`);
    } else {
      for (const day of days) await sql.query('SELECT ensure_event_partitions($1::date, 1)', [day]);
    }
    return await run();
  }
}

function statement(rows: readonly EventLine[]) {
  const clicks = rows.filter((row) => row.clickId !== null);
  const values: unknown[] = [
    rows.map((row) => row.id),
    rows.map((row) => row.shard),
    rows.map((row) => row.kind),
    rows.map((row) => row.receivedAt),
    rows.map((row) => row.facts),
  ];
  if (clicks.length === 0) return { text: APPEND, values, query_timeout: APPEND_TIMEOUT_MS };
  values.push(
    clicks.map((row) => row.id),
    clicks.map((row) => row.clickId),
    clicks.map((row) => row.verifyWithinSeconds),
  );
  return { text: APPEND_WITH_CLICKS, values, query_timeout: APPEND_TIMEOUT_MS };
}

/** The row's own content is at fault: cardinality (21), data (22), constraint (23). */
export function isDataError(error: unknown): boolean {
  return /^2[123]/.test(sqlStateOf(error) ?? '');
}

const isMissingPartition = (error: unknown): boolean =>
  sqlStateOf(error) === '23514' && error instanceof Error && error.message.includes('no partition');
