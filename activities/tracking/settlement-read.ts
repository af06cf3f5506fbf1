import type { EventCursor, WaitingEvent } from '../../db/events/event-log.ts';
import { eventReader } from '../../db/events/event-reader.ts';
import { type Db, runner } from '../../db/postgres.ts';
import type { InboxEvent } from '../../domain/tracking/batch.ts';
import { EVENT_KINDS, readFacts } from '../../domain/tracking/facts-check.ts';
import type { ActivityDeps } from '../deps.ts';

/** A batch as it was read. */
export interface Read {
  /** How many were read; those that were judged before are among them. */
  rows: number;
  /** Those that are to be judged. */
  events: InboxEvent[];
  /** Where the cursor stands once all of them are settled; null when there was none. */
  cursor: EventCursor | null;
  /** The latest receipt among all of them, Unix ms; -Infinity when there was none. */
  latestAtMs: number;
}

/** `quarantine`: without reading the facts, for they made the database refuse it. */
export function readOf(
  rows: readonly WaitingEvent[],
  { quarantine }: { quarantine: boolean },
): Read {
  return {
    rows: rows.length,
    events: rows
      .filter((row) => !row.settled)
      .map(({ id, kind, day, receivedAtMs, facts }) => ({
        id,
        kind,
        day,
        receivedAtMs,
        facts: EVENT_KINDS.includes(kind) && !quarantine ? readFacts(facts) : null,
      })),
    cursor: rows.at(-1)?.cursor ?? null,
    latestAtMs: rows.reduce((latest, row) => Math.max(latest, row.receivedAtMs), -Infinity),
  };
}

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
      .then((rows) => readOf(rows, { quarantine: false }))
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
    return read?.rows === limit ? read : undefined;
  }
}
