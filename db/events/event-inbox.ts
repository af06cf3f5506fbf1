import type { Pool } from 'pg';
import type { EventFacts } from '../../domain/tracking/facts.ts';
import { packedJson, packFacts, unpackFacts } from '../../domain/tracking/packed-facts.ts';
import {
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

/** An event ready for the statement, and for a line of the spool, whose form it is. */
export interface EventLine {
  id: string;
  shard: number;
  kind: string;
  /** Unix ms; in a line of the spool RFC 3339 (builds before this one read it so). */
  receivedAt: number | string;
  /** JSON of EventFacts, packed or not */
  facts: string;
}

export function lineOf(event: LoggedEvent): EventLine {
  return {
    id: event.id,
    shard: event.shard,
    kind: event.kind,
    receivedAt: event.receivedAt.getTime(),
    facts: packedJson(event.facts),
  };
}

/** What is text came from a spool, and may be damaged: the statement says so. */
const isoOf = ({ receivedAt }: EventLine): string =>
  typeof receivedAt === 'number' ? new Date(receivedAt).toISOString() : receivedAt;

/** An event as the spool keeps it. */
export const spoolLine = (row: EventLine): EventLine => ({ ...row, receivedAt: isoOf(row) });

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
  await withPartitions(
    pool,
    () => new Set(rows.map((row) => isoOf(row).slice(0, 10))),
    async () => await pool.query(statement(rows)),
  );
}

/**
 * Makes the days' partitions when one is missing, so that a daily job that did not run costs no
 * event. `today` is the database's.
 */
export async function withPartitions<Result>(
  sql: SqlRunner,
  days: (() => Iterable<string>) | 'today',
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    if (days === 'today') {
      await sql.query(`SELECT ensure_event_partitions((now() AT TIME ZONE 'UTC')::date, 1)`);
    } else {
      for (const day of days())
        await sql.query('SELECT ensure_event_partitions($1::date, 1)', [day]);
    }
    return await run();
  }
}

/** Prepared once per connection: planning one of these costs more than running it for a few rows. */
const statement = (rows: readonly EventLine[]) => ({
  name: 'append-events',
  text: APPEND,
  values: [
    uuidArray(rows.map((row) => row.id)),
    smallintArray(rows.map((row) => row.shard)),
    textArray(rows.map((row) => row.kind)),
    timeArray(rows.map((row) => row.receivedAt)),
    jsonbArray(rows.map((row) => row.facts)),
  ],
  query_timeout: APPEND_TIMEOUT_MS,
});

/** The row's own content is at fault: cardinality (21), data (22), constraint (23). */
export function isDataError(error: unknown): boolean {
  return /^2[123]/.test(sqlStateOf(error) ?? '');
}

const isMissingPartition = (error: unknown): boolean =>
  sqlStateOf(error) === '23514' && error instanceof Error && error.message.includes('no partition');
