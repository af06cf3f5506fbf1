import { textArray, timeArray } from '../schema/binary-array.ts';
import { whole } from '../schema/column.ts';
import { insertRows } from '../schema/insert.ts';
import { readRows, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { viewerRates } from '../tables/viewer-rate.ts';

/** Of a viewer in a minute, Unix ms of its beginning. */
export interface ViewerMinute {
  viewer: string;
  minuteMs: number;
}

/**
 * Tells the other shards how many this one has counted. Told twice is told once: a count only grows, and one
 * of a batch that was rolled back is counted again.
 */
export async function tellRates(
  sql: SqlRunner,
  shard: number,
  counted: readonly (ViewerMinute & { events: number })[],
): Promise<void> {
  await insertRows(
    sql,
    viewerRates,
    counted.map(({ viewer, minuteMs, events }) => ({ minute: minuteMs, viewer, shard, events })),
    `ON CONFLICT (minute, viewer, shard) DO UPDATE SET events = EXCLUDED.events
     WHERE t.events < EXCLUDED.events`,
  );
}

const ELSEWHERE = select({ at: whole().of('n.at'), events: whole().of('sum(r.events)::int') });

/** What other shards have told of these, one figure each, in their order; 0 where nothing. */
export async function ratesElsewhere(
  sql: SqlRunner,
  shard: number,
  asked: readonly ViewerMinute[],
): Promise<number[]> {
  const told = asked.map(() => 0);
  if (asked.length === 0) return told;
  const rows = await readRows(
    sql,
    ELSEWHERE,
    `SELECT ${ELSEWHERE.list}
     FROM unnest($1::timestamptz[], $2::text[]) WITH ORDINALITY AS n (minute, viewer, at)
     JOIN ${viewerRates.name} r ON r.minute = n.minute AND r.viewer = n.viewer AND r.shard <> $3
     GROUP BY n.at`,
    [
      timeArray(asked.map(({ minuteMs }) => minuteMs)),
      textArray(asked.map(({ viewer }) => viewer)),
      shard,
    ],
  );
  for (const { at, events } of rows) told[at - 1] = events;
  return told;
}
