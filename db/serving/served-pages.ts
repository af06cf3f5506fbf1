import type { Logger } from 'pino';
import type { PageContext } from '../../domain/page-context.ts';
import { insertRows } from '../schema/insert.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { pages } from '../tables/page.ts';
import { FairQueue } from './fair-queue.ts';
import { createFlusher } from './flusher.ts';

/**
 * What pages said of themselves, written once a second after the answers that named them. The seal
 * names a page by what it said, so nothing waits for its row; a kill loses at most that second, and
 * the page's next request tells it again.
 */
export interface ServedPages {
  note(page: { id: number; context: PageContext }, by: PageOwner, now: Date): void;
  /** Writes what waits; on failure it keeps waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Whose page it is: a click's seal names the zone alone. */
export type PageOwner = `publisher ${number}` | `zone ${number}`;

const FLUSH_MS = 1_000;
/** Pages of this process that need no writing today. */
const KNOWN_MAX = 50_000;
/**
 * New pages that may wait, and that one write takes: who invents addresses fills no table with them, and
 * keeps no page of another publisher out.
 */
const WAITING_MAX = 2_000;
const WRITTEN_AT_ONCE = 500;

export function createServedPages(deps: { sql: SqlRunner; log: Logger }): ServedPages {
  let day = '';
  let known = new Set<number>();
  const waiting = new FairQueue<PageOwner, PageContext>(WAITING_MAX);

  const write = async (): Promise<void> => {
    const batch = new Map(waiting.inTurn(WRITTEN_AT_ONCE));
    try {
      await upsert(deps.sql, batch, day);
      waiting.remove(batch);
    } catch (error) {
      deps.log.warn({ err: error, pages: waiting.size }, 'pages wait for PostgreSQL');
    }
  };
  const { flush, stop } = createFlusher({
    everyMs: FLUSH_MS,
    isEmpty: () => waiting.size === 0,
    write,
  });

  return {
    note: ({ id, context }, by, now) => {
      const today = now.toISOString().slice(0, 10);
      if (today !== day || known.size >= KNOWN_MAX) {
        day = today;
        known = new Set();
      }
      if (known.has(id)) return;
      const { isIn, displaced } = waiting.add(by, [id, context]);
      if (displaced !== undefined) known.delete(displaced);
      if (isIn) known.add(id);
    },
    flush,
    close: async () => {
      stop();
      for (let left = WAITING_MAX; left > 0; left -= WRITTEN_AT_ONCE) await flush();
    },
  };
}

/** In the order of ids, so that two processes cannot deadlock. */
async function upsert(
  sql: SqlRunner,
  batch: ReadonlyMap<number, PageContext>,
  seenOn: string,
): Promise<void> {
  const rows = [...batch]
    .toSorted(([a], [b]) => a - b)
    .map(([id, { host, url, title, keywords, categories, tags, type, lang }]) => ({
      id,
      host,
      url,
      title,
      keywords,
      categories,
      tags,
      type,
      lang,
      seenOn,
    }));
  await insertRows(
    sql,
    pages,
    rows,
    'ON CONFLICT (id) DO UPDATE SET seen_on = EXCLUDED.seen_on WHERE t.seen_on < EXCLUDED.seen_on',
  );
}
