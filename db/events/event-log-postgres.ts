import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { appendRows, type EventLine, isDataError, lineOf, spoolLine } from './event-inbox.ts';
import type { EventLog, LoggedEvent, Stored } from './event-log.ts';
import { createEventSpool, type EventSpool } from './event-spool.ts';
import { groupCommit } from '../group-commit.ts';
import { sharedOrAlone } from '../shared-or-alone.ts';

export interface PostgresEventLogOptions {
  pool: Pool;
  /** Where events wait while PostgreSQL is away; shared by the processes of one host at most. */
  spoolDir: string;
  log: Logger;
}

interface Waiting {
  row: EventLine;
  done: Stored;
}

const BATCH_ROWS_MAX = 500;
/** One is put together while the other commits; more would only make batches smaller. */
const WRITES_AT_ONCE = 2;
/** Beyond this the process is drowning: nothing more is taken, instead of growing. */
const QUEUE_ROWS_MAX = 50_000;
const REPLAY_PAUSE_MIN_MS = 100;
const REPLAY_PAUSE_MAX_MS = 2_000;
/** A pass this small ends the outage: writers then wait for one last pass, so that order is kept. */
const LAST_PASS_ROWS_MAX = 2_000;
const LEFTOVERS_EVERY_MS = 10_000;

/**
 * Events are committed in groups. When PostgreSQL does not answer, batches go to the spool until everything
 * spooled has been replayed; only when both fail is an event refused. Killing the process loses nothing
 * that was answered.
 */
export function createPostgresEventLog(options: PostgresEventLogOptions): EventLog {
  const queue: Waiting[] = [];
  const place = createStore(options);
  const writes = new Set<Promise<void>>();
  let closed = false;

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await place.write(batch.map((waiting) => waiting.row));
    } catch (error) {
      for (const { done } of batch) done(error);
      return;
    }
    for (const { done } of batch) done();
  };
  const leave = (): Promise<void> => {
    const writing = write(queue.splice(0, BATCH_ROWS_MAX)).then(() => {
      writes.delete(writing);
    });
    writes.add(writing);
    return writing;
  };
  const { came } = groupCommit({ atOnce: WRITES_AT_ONCE, waiting: () => queue.length, leave });
  const store = (event: LoggedEvent, done: Stored): void => {
    if (closed) done(new Error('the event log is closed'));
    else if (queue.length >= QUEUE_ROWS_MAX) done(new Error('too many events wait'));
    else {
      queue.push({ row: lineOf(event), done });
      came();
    }
  };

  return {
    append: async (...events) => {
      await Promise.all(events.map((event) => stored(store, event)));
    },
    store,
    stats: () => ({ pending: queue.length, spooled: place.spooled() }),
    close: async () => {
      closed = true;
      while (queue.length > 0 || writes.size > 0) {
        if (queue.length > 0) void leave();
        await Promise.all(writes);
      }
      await place.close();
    },
  };
}

const stored = (store: EventLog['store'], event: LoggedEvent): Promise<void> =>
  new Promise((resolve, reject) => {
    store(event, (fault) => {
      if (fault === undefined) resolve();
      else reject(fault as Error);
    });
  });

/** Where a batch becomes durable: PostgreSQL, else the spool. */
interface Store {
  write(rows: EventLine[]): Promise<void>;
  spooled(): number;
  close(): Promise<void>;
}

function createStore({ pool, spoolDir, log }: PostgresEventLogOptions): Store {
  const spool = createEventSpool<EventLine>({ dir: spoolDir, log });
  const insert = createInsert({ pool, spool, log });
  const gate = sharedOrAlone();
  let replaying: Promise<void> | undefined;
  let away = false;
  let closed = false;

  const replayAll = async (): Promise<void> => {
    let pauseMs = REPLAY_PAUSE_MIN_MS;
    while (away && !closed) {
      await sleep(pauseMs, undefined, { ref: false });
      try {
        await pool.query('SELECT 1');
        if ((await spool.drain(insert)) > LAST_PASS_ROWS_MAX) continue;
        await gate.alone(async () => {
          await spool.drain(insert);
          away = false;
        });
        log.info('PostgreSQL is back, the spool is empty');
      } catch (error) {
        pauseMs = Math.min(pauseMs * 2, REPLAY_PAUSE_MAX_MS);
        log.debug({ err: error }, 'spool replay waits');
      }
    }
    replaying = undefined;
  };

  /** What a killed process left in the directory is replayed by whoever finds it. */
  const adoptLeftovers = async (): Promise<void> => {
    try {
      if (!away && !(await spool.isEmpty())) await spool.drain(insert);
    } catch (error) {
      log.warn({ err: error }, 'spool leftovers wait');
    }
  };
  const leftovers = setInterval(() => void adoptLeftovers(), LEFTOVERS_EVERY_MS).unref();
  const adopting = adoptLeftovers();

  const write = async (rows: EventLine[]): Promise<void> => {
    if (!away) {
      try {
        await insert(rows);
        return;
      } catch (error) {
        log.warn({ err: error, rows: rows.length }, 'PostgreSQL is away, events go to the spool');
        away = true;
        replaying ??= replayAll();
      }
    }
    try {
      await spool.write(rows.map(spoolLine));
    } catch (error) {
      log.error({ err: error, rows: rows.length }, 'the spool failed');
      await insert(rows);
    }
  };

  return {
    write: async (rows) => await gate.shared(async () => await write(rows)),
    spooled: () => spool.count(),
    close: async () => {
      closed = true;
      clearInterval(leftovers);
      await adopting;
      await replaying;
      await spool.close();
    },
  };
}

type Insert = (rows: EventLine[]) => Promise<void>;

/** Appends all rows but those that PostgreSQL refuses for their content; these are set aside, and logged. */
function createInsert(options: { pool: Pool; spool: EventSpool<EventLine>; log: Logger }): Insert {
  const { pool, spool, log } = options;
  return async function insert(rows) {
    try {
      await appendRows(pool, rows);
    } catch (error) {
      if (!isDataError(error)) throw error;
      const [only] = rows;
      if (rows.length > 1) {
        const middle = rows.length >> 1;
        await insert(rows.slice(0, middle));
        await insert(rows.slice(middle));
      } else if (only !== undefined) {
        log.error({ err: error, event_id: only.id }, 'event refused by PostgreSQL, in quarantine');
        await spool.quarantine(spoolLine(only), String(error));
      }
    }
  };
}
