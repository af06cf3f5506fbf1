import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventCursor, WaitingEvent } from '../../db/events/event-log.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { type Db, runner } from '../../db/postgres.ts';
import type { InboxEvent } from '../../domain/tracking/batch.ts';
import { BatchNames } from '../../domain/tracking/batch-names.ts';
import { EVENT_KINDS, readFacts } from '../../domain/tracking/facts-check.ts';
import type { ActivityDeps } from '../deps.ts';

/** A batch as it was read. */
export interface Read {
  /** How many were read; those that were judged before are among them. */
  rows: number;
  /** Those that are to be judged. */
  events: InboxEvent[];
  /** What they name. */
  names: BatchNames;
  /** Where the cursor stands once all of them are settled; null when there was none. */
  cursor: EventCursor | null;
  /** The latest receipt among all of them, Unix ms; -Infinity when there was none. */
  latestAtMs: number;
}

/**
 * `quarantine`: without reading the facts, for they made the database refuse it. A part in each turn of the event
 * loop, so that the batch before it goes on meanwhile.
 */
export async function readOf(
  rows: readonly WaitingEvent[],
  { quarantine }: { quarantine: boolean },
): Promise<Read> {
  const events: InboxEvent[] = [];
  const names = new BatchNames();
  for (const [at, { settled, id, kind, day, receivedAtMs, facts }] of rows.entries()) {
    if (at > 0 && at % ROWS_IN_A_TURN === 0) await nextTurn();
    if (settled) continue;
    const isRead = EVENT_KINDS.includes(kind) && !quarantine;
    const event = { id, kind, day, receivedAtMs, facts: isRead ? readFacts(facts) : null };
    events.push(event);
    names.add(event);
  }
  return {
    rows: rows.length,
    events,
    names,
    cursor: rows.at(-1)?.cursor ?? null,
    latestAtMs: rows.reduce((latest, row) => Math.max(latest, row.receivedAtMs), -Infinity),
  };
}

const ROWS_IN_A_TURN = 250;

interface Place {
  after: EventCursor;
  limit: number;
}

/**
 * The next batch of a shard, read and parsed while the one before it is judged and written. The order
 * of what the reader gives is final, so it is what a read in the next transaction would begin with, if
 * the cursor is where it was expected; a batch that is not full is read again, for there may be more.
 * That none of it was judged meanwhile is held by the key of `events`, as always.
 */
export class ReadAhead {
  readonly #db: Db;
  readonly #log: ActivityDeps['log'];
  readonly #begun = new Map<number, Place & { read: Promise<Read | undefined> }>();

  constructor({ db, log }: Pick<ActivityDeps, 'db' | 'log'>) {
    this.#db = db;
    this.#log = log;
  }

  begin(shard: number, place: Place): void {
    const read = eventReader
      .read(runner(this.#db), { shard, ...place })
      .then(async (rows) => await readOf(rows, { quarantine: false }))
      // Whatever is wrong is found again, and raised, by the transaction that needs the events.
      .catch((error: unknown) => {
        this.#log.debug({ err: error, shard }, 'the next batch could not be read ahead');
        return undefined;
      });
    this.#begun.set(shard, { ...place, read });
  }

  async take(shard: number, { after, limit }: Place): Promise<Read | undefined> {
    const begun = this.#begun.get(shard);
    this.#begun.delete(shard);
    if (begun?.after !== after || begun.limit !== limit) return undefined;
    const read = await begun.read;
    return read !== undefined && read.rows > 0 ? read : undefined;
  }
}
