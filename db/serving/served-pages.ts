import type { Logger } from 'pino';
import type { PageContext } from '../../domain/page-context.ts';
import { insertRows } from '../schema/insert.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { pages } from '../tables/page.ts';
import { createFlusher } from './flusher.ts';

/**
 * What pages said of themselves, written once a second after the answers that named them. The seal
 * names a page by what it said, so nothing waits for its row; a kill loses at most that second, and
 * the page's next request tells it again.
 */
export interface ServedPages {
  note(id: number, page: PageContext, now: Date): void;
  /** Writes what waits; on failure it keeps waiting. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 1_000;
/** Pages of this process that need no writing today. */
const KNOWN_MAX = 50_000;
/** New pages that may wait, and that one write takes: who invents addresses fills no table with them. */
const WAITING_MAX = 2_000;
const WRITTEN_AT_ONCE = 500;

export function createServedPages(deps: { sql: SqlRunner; log: Logger }): ServedPages {
  let day = '';
  let known = new Set<number>();
  const waiting = new Map<number, PageContext>();

  const write = async (): Promise<void> => {
    const batch = [...waiting].slice(0, WRITTEN_AT_ONCE);
    try {
      await upsert(deps.sql, batch, day);
      for (const [id] of batch) waiting.delete(id);
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
    note: (id, page, now) => {
      const today = now.toISOString().slice(0, 10);
      if (today !== day || known.size >= KNOWN_MAX) {
        day = today;
        known = new Set();
      }
      if (known.has(id)) return;
      if (waiting.size >= WAITING_MAX) return;
      known.add(id);
      waiting.set(id, page);
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
  batch: readonly [number, PageContext][],
  seenOn: string,
): Promise<void> {
  const rows = batch
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
