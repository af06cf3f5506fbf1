import type { SqlRunner } from '../sql-runner.ts';
import type { DayDrop, EventDays } from './event-log.ts';

/** The log's days over PostgreSQL: a partition each. Judged events stay in `events`. */
export const eventDays: EventDays = { make, old, drop };

async function make(sql: SqlRunner, days: number): Promise<number> {
  const { rows } = await sql.query<{ made: number }>(
    "SELECT ensure_event_partitions((now() AT TIME ZONE 'UTC')::date - 1, $1) AS made",
    [days],
  );
  return rows[0]?.made ?? 0;
}

async function old(sql: SqlRunner, keepDays: number): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'event_inbox'::regclass
       AND c.relname < 'event_inbox_' || to_char((now() AT TIME ZONE 'UTC')::date - $1::int, 'YYYYMMDD')
     ORDER BY c.relname`,
    [keepDays],
  );
  return rows.map((row) => row.name);
}

/**
 * Checks every row for its verdict: a cursor can be wrong about what it has passed, `events`
 * cannot. Writers to that day wait meanwhile, readers of the whole log do not; the drop itself waits
 * only briefly for its lock, because appends to other days queue behind it. The owner of the tables does
 * it, by a function that looks itself.
 */
async function drop(sql: SqlRunner, name: string): Promise<DayDrop> {
  const [, year, month, day] = /^event_inbox_(\d{4})(\d{2})(\d{2})$/.exec(name) ?? [];
  if (day === undefined) throw new Error(`not a day of the inbox: ${name}`);
  await sql.query("SET LOCAL lock_timeout = '2s'");
  await sql.query("SET LOCAL statement_timeout = '5min'");
  const { rows } = await sql.query<{ unsettled: number }>(
    'SELECT drop_inbox_day($1::date) AS unsettled',
    [`${year}-${month}-${day}`],
  );
  return { name, unsettled: rows[0]?.unsettled ?? 0 };
}
