import type { EventFacts, EventKind } from '../../domain/tracking/facts.ts';
import type { BidEvent } from '../../domain/tracking/marks.ts';
import type { Said } from '../../domain/tracking/rejudged.ts';
import type { EventStatus } from '../../domain/tracking/verdict.ts';
import { dateArray, textArray } from '../schema/binary-array.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * What settlement has judged before, read back for what it judges next: the verdict from `events`, the
 * facts from the log, which keeps them for longer than any seal holds. Thousands of rows a second: the
 * driver's values are taken as they come.
 */

const instant = (ms: number): string => new Date(ms).toISOString();
const UNIX_MS = '(extract(epoch FROM e.received_at) * 1000)::float8';

/**
 * Of ads that were asked for by these requests, from one day of receipt to another, `2026-01-31`; their
 * seal held. An event that the log no longer has is known without what it said.
 */
export async function bidEventsOf(
  sql: SqlRunner,
  { requestIds, fromDay, toDay }: { requestIds: string[]; fromDay: string; toDay: string },
): Promise<BidEvent[]> {
  if (requestIds.length === 0 || fromDay > toDay) return [];
  // Of a day that is new PostgreSQL has no statistics yet: for a few requests it would go through all of it,
  // batch after batch, or compile a statement that it takes for dear. Each request is looked up by itself, by
  // the one index that knows requests: the second condition of it says nothing more, and lets PostgreSQL think
  // that index the narrowest. For it took the key of the day, which is all of the day for each request.
  await sql.query('SET LOCAL enable_bitmapscan = off; SET LOCAL jit = off');
  const { rows } = await sql.query<{
    bidId: string;
    kind: EventKind;
    receivedAtMs: number;
    billable: boolean;
    status: EventStatus;
    nonce: string | null;
    video: string | null;
  }>(
    `SELECT e.bid_id AS "bidId", e.kind, ${UNIX_MS} AS "receivedAtMs", e.billable, e.status,
            i.facts->>'nonce' AS nonce, i.facts->>'video' AS video
     FROM unnest($1::text[]) AS r (request_id)
     CROSS JOIN LATERAL (SELECT * FROM events
       WHERE request_id = r.request_id AND request_id >= r.request_id
         AND day BETWEEN $2::date AND $3::date OFFSET 0) e
     LEFT JOIN LATERAL (SELECT facts FROM event_inbox WHERE day = e.day AND id = e.id OFFSET 0) i ON true
     WHERE e.bid_id IS NOT NULL AND NOT e.reasons ? 'TRACK_EXPIRED'
       AND e.kind NOT IN ('conversion', 'click_expired')`,
    [textArray(requestIds), fromDay, toDay],
  );
  await sql.query('RESET enable_bitmapscan; RESET jit');
  return rows.map(({ bidId, kind, receivedAtMs, billable, status, nonce, video }) => ({
    bidId,
    kind,
    receivedAtMs,
    said: { nonce, video: video ?? undefined },
    verdict: { billable, status },
  }));
}

/** Facts as stored of what was judged of a shard in these stretches of receipt, whole UTC minutes. */
export async function judgedFactsOf(
  sql: SqlRunner,
  shard: number,
  minutes: readonly { fromMs: number; toMs: number }[],
): Promise<{ kind: EventKind; receivedAtMs: number; facts: unknown }[]> {
  if (minutes.length === 0) return [];
  const days = minutes.map(({ fromMs }) => instant(fromMs).slice(0, 10));
  const { rows } = await sql.query<{ kind: EventKind; receivedAtMs: number; facts: EventFacts }>(
    // Of an event whose facts could not be read nothing is known, and nothing was counted.
    `SELECT e.kind, ${UNIX_MS} AS "receivedAtMs", i.facts
     FROM events e JOIN event_inbox i ON i.day = e.day AND i.id = e.id
     WHERE e.shard = $1 AND e.day = ANY($2::date[]) AND i.day = ANY($2::date[]) AND e.device IS NOT NULL
       AND EXISTS (SELECT 1 FROM unnest($3::timestamptz[], $4::timestamptz[]) AS m (starts, ends)
                   WHERE e.received_at >= m.starts AND e.received_at < m.ends)
       AND e.received_at >= $5::timestamptz AND e.received_at < $6::timestamptz`,
    [
      shard,
      dateArray([...new Set(days)]),
      minutes.map(({ fromMs }) => instant(fromMs)),
      minutes.map(({ toMs }) => instant(toMs)),
      instant(Math.min(...minutes.map(({ fromMs }) => fromMs))),
      instant(Math.max(...minutes.map(({ toMs }) => toMs))),
    ],
  );
  return rows;
}

declare const placeInTheLog: unique symbol;
/** Where a page of judged events ended; only judgedPage knows what it says. */
export type JudgedPlace = string & { readonly [placeInTheLog]: true };

export interface JudgedRow {
  id: string;
  kind: EventKind;
  day: string;
  receivedAtMs: number;
  facts: unknown;
  /** Whether it was judged by its facts; the database may have refused them. */
  wasRead: boolean;
  stored: Said;
  place: JudgedPlace;
}

/** A shard's judged events of a stretch of receipt with their facts, in the order of the log. */
export async function judgedPage(
  sql: SqlRunner,
  where: {
    shard: number;
    fromMs: number;
    toMs: number;
    after: JudgedPlace | null;
    limit: number;
  },
): Promise<JudgedRow[]> {
  const [xid = '0', seq = '0'] = where.after?.split('-') ?? [];
  const { rows } = await sql.query<
    Omit<JudgedRow, 'stored' | 'place'> &
      Pick<Said, 'status' | 'reasons'> & { xid: string; seq: string; price: string; share: string }
  >(
    `SELECT i.xid::text AS xid, i.seq::text AS seq, i.id::text AS id, i.kind, i.day::text AS day, i.facts,
            (extract(epoch FROM i.received_at) * 1000)::float8 AS "receivedAtMs", e.device IS NOT NULL AS "wasRead",
            e.status, e.reasons, e.price_nanos::text AS price, e.publisher_nanos::text AS share
     FROM event_inbox i JOIN events e ON e.day = i.day AND e.id = i.id
     WHERE i.shard = $1 AND (i.xid, i.seq) > ($2::xid8, $3::bigint)
       AND i.received_at >= $4::timestamptz AND i.received_at < $5::timestamptz
       AND i.day BETWEEN ($4::timestamptz AT TIME ZONE 'UTC')::date AND ($5::timestamptz AT TIME ZONE 'UTC')::date
     ORDER BY i.xid, i.seq LIMIT $6`,
    [where.shard, xid, seq, instant(where.fromMs), instant(where.toMs), where.limit],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    day: row.day,
    receivedAtMs: row.receivedAtMs,
    facts: row.facts,
    wasRead: row.wasRead,
    stored: {
      status: row.status,
      reasons: row.reasons,
      priceNanos: BigInt(row.price),
      publisherNanos: BigInt(row.share),
    },
    place: `${row.xid}-${row.seq}` as JudgedPlace,
  }));
}

/** Every shard that settlement has ever taken. */
export async function settledShards(sql: SqlRunner): Promise<number[]> {
  const { rows } = await sql.query<{ shard: number }>(
    'SELECT shard FROM settlement_cursors ORDER BY shard',
  );
  return rows.map(({ shard }) => shard);
}

/** Judged events of a stretch of receipt whose facts the log no longer has. */
export async function countFactless(
  sql: SqlRunner,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number> {
  const { rows } = await sql.query<{ factless: number }>(
    `SELECT count(*)::int AS factless FROM events e
     WHERE e.received_at >= $1::timestamptz AND e.received_at < $2::timestamptz
       AND e.day BETWEEN ($1::timestamptz AT TIME ZONE 'UTC')::date AND ($2::timestamptz AT TIME ZONE 'UTC')::date
       AND NOT EXISTS (SELECT 1 FROM event_inbox i WHERE i.day = e.day AND i.id = e.id)`,
    [instant(fromMs), instant(toMs)],
  );
  return rows[0]?.factless ?? 0;
}
