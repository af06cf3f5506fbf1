import type { EventFacts, EventKind } from '../../domain/tracking/facts.ts';
import type { BidEvent } from '../../domain/tracking/marks.ts';
import type { EventStatus } from '../../domain/tracking/verdict.ts';
import { dateArray, textArray } from '../schema/binary-array.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * What settlement has judged before, read back for what it judges next: the verdict from `events`, the
 * facts from the log, which keeps them for longer than any seal holds. Thousands of rows a second: the
 * driver's values are taken as they come.
 */
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
     JOIN events e ON e.request_id = r.request_id AND e.day BETWEEN $2::date AND $3::date
     LEFT JOIN event_inbox i ON i.day = e.day AND i.id = e.id
     WHERE e.bid_id IS NOT NULL AND NOT e.reasons ? 'TRACK_EXPIRED'
       AND e.kind NOT IN ('conversion', 'click_expired')`,
    [textArray(requestIds), fromDay, toDay],
  );
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
  const instant = (ms: number): string => new Date(ms).toISOString();
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
