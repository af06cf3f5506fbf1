import type { EventFacts, EventKind } from '../../domain/tracking/facts.ts';
import { timedHex, timeOfHex } from '../../domain/tracking/timed-id.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * The one port to the durable log of events. Tracking holds the half that appends, settlement and
 * upkeep the half that reads; where events lie and how their order is kept is known in this folder
 * alone (docs/decisions/0009).
 */

/** One tracking event as it was received. The id is made once, so that a retried append is the same event. */
export interface LoggedEvent {
  /** UUID, time-ordered (v7) */
  id: string;
  kind: EventKind;
  shard: number;
  receivedAt: Date;
  facts: EventFacts;
}

/** Told once: durable when nothing is said, else what hindered it. */
export type Stored = (fault?: unknown) => void;

export interface EventLog {
  /** Resolves when all of them are durable: committed, or fdatasync'ed to the local spool. */
  append(...events: LoggedEvent[]): Promise<void>;
  /** As `append`, of one, without a promise: there are thousands a second. `done` must not throw. */
  store(event: LoggedEvent, done: Stored): void;
  /** What waits: for health. */
  stats(): { pending: number; spooled: number };
  close(): Promise<void>;
}

declare const cursorOfTheLog: unique symbol;

/**
 * A place in a shard's order of events. Whoever holds one may keep it and hand it back; only the
 * driver that gave it knows what it says.
 */
export type EventCursor = string & { readonly [cursorOfTheLog]: true };

/** An event as the log gives it back. */
export interface WaitingEvent {
  id: string;
  kind: EventKind;
  /** UTC, YYYY-MM-DD */
  day: string;
  receivedAtMs: number;
  /** As stored; may be damaged. */
  facts: unknown;
  /** It was judged before: the cursor was set back, or the database came from a dump. */
  settled: boolean;
  /** Where the cursor stands once this event and all before it are settled. */
  cursor: EventCursor;
}

export interface HeldCursor {
  cursor: EventCursor;
  /** Batches settled so far: whoever finds the number that it left behind has missed none. */
  batches: number;
  /** Of this log: those that have ever been settled. */
  shards: number;
  /** Nothing that was received later has been judged; Unix ms, -Infinity when nothing was. */
  latestAtMs: number;
  /** The database moved to another cluster: this many unsettled events were put in order anew. */
  adopted: number | null;
}

/**
 * The half that reads. Each call runs on the caller's runner, hence in the caller's transaction: the
 * cursor moves with what was settled, or not at all.
 */
export interface EventReader {
  /** Whether `hold` and `read` would find something. Takes no lock and no transaction id. */
  waits(sql: SqlRunner, shard: number): Promise<boolean>;
  /** The shard's cursor, held until the transaction ends; null when another runner holds it. */
  hold(sql: SqlRunner, shard: number): Promise<HeldCursor | null>;
  /** The shard's next events, in an order that no later commit changes. */
  read(
    sql: SqlRunner,
    where: { shard: number; after: EventCursor; limit: number },
  ): Promise<WaitingEvent[]>;
  moveTo(
    sql: SqlRunner,
    shard: number,
    moved: { cursor: EventCursor; events: number; latestAtMs: number },
  ): Promise<void>;
  /**
   * Until when everything is settled, in the slowest shard: `now` where nothing waits, otherwise
   * when the first waiting event arrived. Null before settlement has begun.
   */
  settledUntil(sql: SqlRunner, now: Date): Promise<Date | null>;
}

/** A day of the log that upkeep wants to drop. It goes only when every event of it is judged. */
export interface DayDrop {
  name: string;
  /** Events that are not judged; the day was kept when there is one. */
  unsettled: number;
}

/** The log's days as upkeep sees them. */
export interface EventDays {
  /** Room from yesterday on; answers how much was made. */
  make(sql: SqlRunner, days: number): Promise<number>;
  /** Names of the days before the last `keepDays`, oldest first. */
  old(sql: SqlRunner, keepDays: number): Promise<string[]>;
  /** Needs a transaction of its own. */
  drop(sql: SqlRunner, name: string): Promise<DayDrop>;
}

/** UUID v7: ordered by time, so that inserts stay at the right edge of the index. */
export function newEventId(now: Date): string {
  const id = timedHex(now);
  const variant = VARIANTS[Number.parseInt(id.charAt(15), 16) & 3] ?? '8';
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-7${id.slice(12, 15)}-${variant}${id.slice(16, 19)}-${id.slice(19, 31)}`;
}

/** The moment that newEventId was told, Unix ms. */
export const timeOfEventId = (id: string): number => timeOfHex(id.replaceAll('-', ''));

/** Two bits of this digit say which kind of UUID it is, the others are random. */
const VARIANTS = ['8', '9', 'a', 'b'] as const;
