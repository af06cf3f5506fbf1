import type { Pool } from 'pg';
import type { EventFacts, TrackFacts } from '../../domain/tracking/facts.ts';
import { packFacts, unpackFacts } from '../../domain/tracking/packed-facts.ts';
import {
  bigintArray,
  integerArray,
  jsonbArray,
  smallintArray,
  textArray,
  timeArray,
  uuidArray,
} from '../schema/binary-array.ts';
import type { LoggedEvent } from './event-log.ts';
import { Column, json } from '../schema/column.ts';
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
  /** JSON of EventFacts, packed or not */
  facts: string;
  clickId: string | null;
  verifyWithinSeconds: number | null;
  /** Of a click, what its own row holds; lines of older builds say it in `facts` alone. */
  track?: TrackFacts | undefined;
}

export function lineOf(event: LoggedEvent): EventLine {
  return {
    id: event.id,
    shard: event.shard,
    kind: event.kind,
    receivedAt: event.receivedAt.toISOString(),
    facts: JSON.stringify(packFacts(event.facts)),
    clickId: event.pendingClick?.clickId ?? null,
    verifyWithinSeconds: event.pendingClick?.verifyWithinSeconds ?? null,
    ...(event.pendingClick === undefined || event.facts.track === null
      ? {}
      : { track: event.facts.track }),
  };
}

/** A server that hangs counts as away after this; the statement may still commit, which is harmless. */
const APPEND_TIMEOUT_MS = 2_000;

/** For a statement that appends together with a change of a row; a SELECT of these follows. */
const INBOX_COLUMNS = ['day', 'id', 'shard', 'kind', 'receivedAt', 'facts'];
export const APPEND_SELECTED = `INSERT INTO event_inbox (${sqlNames(eventInbox, INBOX_COLUMNS)})`;

const APPEND = `${APPEND_SELECTED}
  SELECT (received_at AT TIME ZONE 'UTC')::date, id, shard, kind, received_at, facts
  FROM unnest($1::uuid[], $2::smallint[], $3::text[], $4::timestamptz[], $5::jsonb[])
    AS i (id, shard, kind, received_at, facts)
  ON CONFLICT DO NOTHING`;

/**
 * The click's row commits with its event; its deadline is on the database clock (interface 6). What the
 * track_id sealed is taken from there; only ids of older builds do not name the ad group. What is appended again
 * has its id: no other key needs a look before the row is written.
 */
const APPEND_WITH_CLICKS = `WITH inbox AS (${APPEND})
  INSERT INTO clicks (id, click_id, shard, verify_by, clicked_at, request_id, bid_id, advertiser_id,
    campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model)
  SELECT id, click_id, shard, now() + make_interval(secs => verify_seconds), clicked_at, request_id, bid_id,
    advertiser_id, campaign_id, of_ad.adgroup_id, ad_id, creative_id, zone_id, price, model
  FROM unnest($6::uuid[], $7::text[], $8::smallint[], $9::int[], $10::timestamptz[], $11::text[], $12::text[],
      $13::bigint[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bigint[], $18::bigint[], $19::bigint[], $20::text[])
    AS c (id, click_id, shard, verify_seconds, clicked_at, request_id, bid_id,
      advertiser_id, campaign_id, adgroup_id, ad_id, creative_id, zone_id, price, model),
    LATERAL (SELECT CASE WHEN c.adgroup_id = 0 THEN (SELECT a.adgroup_id FROM ads a WHERE a.id = c.ad_id)
      ELSE c.adgroup_id END AS adgroup_id) of_ad
  WHERE of_ad.adgroup_id IS NOT NULL
  ON CONFLICT (id) DO NOTHING`;

/** The facts of an event in a statement of another table, which knows its id and when it came. */
export const factsOf = (event: { id: string; receivedAt: string }): string =>
  `(SELECT facts FROM event_inbox
    WHERE day = (${event.receivedAt} AT TIME ZONE 'UTC')::date AND id = ${event.id})`;

/** How what factsOf selects is read. */
export const storedFacts = (): Column<EventFacts> =>
  new Column(
    { ...json<EventFacts>().kind, read: (raw) => unpackFacts(raw) as EventFacts },
    { isNull: false, hasDefault: false },
  );

/** Appends with the caller's transaction: they are there when that commits. */
export async function appendAllWithin(
  sql: SqlRunner,
  events: readonly LoggedEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ id, shard, kind, receivedAt, facts }) => ({
    id,
    shard,
    kind,
    received_at: receivedAt.toISOString(),
    facts: packFacts(facts),
  }));
  await sql.query(
    `${APPEND_SELECTED}
     SELECT (received_at AT TIME ZONE 'UTC')::date, id, shard, kind, received_at, facts
     FROM json_to_recordset($1::json)
       AS i (id uuid, shard smallint, kind text, received_at timestamptz, facts jsonb)
     ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
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

/** Prepared once per connection: planning one of these costs more than running it for a few rows. */
function statement(rows: readonly EventLine[]) {
  const clicks = rows.filter((row) => row.clickId !== null);
  const values = [
    uuidArray(rows.map((row) => row.id)),
    smallintArray(rows.map((row) => row.shard)),
    textArray(rows.map((row) => row.kind)),
    timeArray(rows.map((row) => row.receivedAt)),
    jsonbArray(rows.map((row) => row.facts)),
  ];
  const query_timeout = APPEND_TIMEOUT_MS;
  if (clicks.length === 0) return { name: 'append-events', text: APPEND, values, query_timeout };
  values.push(...clickValues(clicks));
  return { name: 'append-clicks', text: APPEND_WITH_CLICKS, values, query_timeout };
}

function clickValues(clicks: readonly EventLine[]): Buffer[] {
  const tracks = clicks.map((row) => row.track ?? trackIn(row.facts));
  const ids = (of: (track: TrackFacts) => number | undefined): Buffer =>
    bigintArray(tracks.map((track) => of(track) ?? 0));
  return [
    uuidArray(clicks.map((row) => row.id)),
    textArray(clicks.map((row) => row.clickId ?? '')),
    smallintArray(clicks.map((row) => row.shard)),
    integerArray(clicks.map((row) => row.verifyWithinSeconds ?? 0)),
    timeArray(clicks.map((row) => row.receivedAt)),
    textArray(tracks.map((track) => track.requestId)),
    textArray(tracks.map((track) => track.bidId)),
    ids((track) => track.advertiserId),
    ids((track) => track.campaignId),
    ids((track) => track.adGroupId),
    ids((track) => track.adId),
    ids((track) => track.creativeId),
    ids((track) => track.zoneId),
    bigintArray(tracks.map((track) => BigInt(track.priceNanos))),
    textArray(tracks.map((track) => track.pricingModel)),
  ];
}

const trackIn = (facts: string): TrackFacts =>
  (unpackFacts(JSON.parse(facts)) as { track: TrackFacts }).track;

/** The row's own content is at fault: cardinality (21), data (22), constraint (23). */
export function isDataError(error: unknown): boolean {
  return /^2[123]/.test(sqlStateOf(error) ?? '');
}

const isMissingPartition = (error: unknown): boolean =>
  sqlStateOf(error) === '23514' && error instanceof Error && error.message.includes('no partition');
