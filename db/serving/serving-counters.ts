import type { Logger } from 'pino';
import { slotNumberOf, slotOf } from '../../domain/tracking/rollups.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { createFlusher } from './flusher.ts';

/**
 * Requests and fills per zone and slot. They are counted in memory after the answer and written
 * once a second; a kill loses at most that second. Money never depends on them.
 */
export interface ServingCounters {
  count(zone: ServedZone, filled: boolean, now: Date): void;
  /** Writes what waits; on failure it keeps waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface ServedZone {
  id: number;
  siteId: number;
  publisherId: number;
}

interface Cell extends ServedZone {
  slot: string;
  requests: number;
  filled: number;
}

const FLUSH_MS = 1_000;
/** Zone slots that may wait while PostgreSQL is away; further ones are not counted. */
const CELLS_MAX = 100_000;

export function createServingCounters(deps: { sql: SqlRunner; log: Logger }): ServingCounters {
  let cells = new Map<string, Cell>();
  /** Those of the present slot by zone, so that counting makes no key. */
  let present = new Map<number, Cell>();
  let presentSlot = NaN;

  const write = async (): Promise<void> => {
    const batch = cells;
    cells = new Map();
    present = new Map();
    try {
      await upsert(deps.sql, [...batch.values()]);
    } catch (error) {
      deps.log.warn({ err: error, zones: batch.size }, 'serving counters wait for PostgreSQL');
      for (const [key, cell] of batch) add(cells, key, cell);
    }
  };
  const { flush, stop } = createFlusher({
    everyMs: FLUSH_MS,
    isEmpty: () => cells.size === 0,
    write,
  });

  return {
    count: ({ id, siteId, publisherId }, filled, now) => {
      const slotNumber = slotNumberOf(now.getTime());
      if (slotNumber !== presentSlot) {
        present = new Map();
        presentSlot = slotNumber;
      }
      const known = present.get(id);
      if (known !== undefined) {
        known.requests += 1;
        if (filled) known.filled += 1;
        return;
      }
      const slot = slotOf(now.getTime());
      const cell = { id, siteId, publisherId, slot, requests: 1, filled: filled ? 1 : 0 };
      const kept = add(cells, `${id}|${slot}`, cell);
      if (kept !== undefined) present.set(id, kept);
    },
    flush,
    close: async () => {
      stop();
      await flush();
    },
  };
}

/** The cell that holds it now; undefined when there are too many. */
function add(cells: Map<string, Cell>, key: string, cell: Cell): Cell | undefined {
  const known = cells.get(key);
  if (known !== undefined) {
    known.requests += cell.requests;
    known.filled += cell.filled;
    return known;
  }
  if (cells.size >= CELLS_MAX) return undefined;
  cells.set(key, cell);
  return cell;
}

/** In key order, like settlement's upserts of the same rows, so that the two cannot deadlock. */
async function upsert(sql: SqlRunner, rows: Cell[]): Promise<void> {
  await sql.query(
    `INSERT INTO rollup_zone_hours (hour, publisher_id, site_id, zone_id, requests, filled)
     SELECT * FROM unnest($1::timestamptz[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])
       AS served (hour, publisher_id, site_id, zone_id, requests, filled)
     ORDER BY publisher_id, hour, site_id, zone_id
     ON CONFLICT (publisher_id, hour, site_id, zone_id) DO UPDATE
       SET requests = rollup_zone_hours.requests + EXCLUDED.requests,
           filled = rollup_zone_hours.filled + EXCLUDED.filled`,
    [
      rows.map((row) => row.slot),
      rows.map((row) => row.publisherId),
      rows.map((row) => row.siteId),
      rows.map((row) => row.id),
      rows.map((row) => row.requests),
      rows.map((row) => row.filled),
    ],
  );
}
