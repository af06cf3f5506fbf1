import { Context } from '@temporalio/activity';
import { inTransaction, runner } from '../../db/postgres.ts';
import { BOOK_NAMES, runBook } from '../../db/queries/books.ts';
import type { ActivityDeps } from '../deps.ts';

export interface BooksReport {
  checked: number;
  /** Names of the invariants that do not hold. */
  broken: string[];
}

export function createBooksActivities(deps: ActivityDeps) {
  return {
    /**
     * Every invariant of the books, one after the other and each in a snapshot of its own, for as long as
     * it takes. What was found is kept one by one: a round that was cut off goes on behind the last.
     */
    async checkBooks(): Promise<BooksReport> {
      const { info, cancellationSignal } = Context.current();
      const begunAt = new Date(info.scheduledTimestampMs);
      const { rows } = await runner(deps.db).query<{ name: string }>(
        'SELECT name FROM book_checks WHERE checked_at >= $1',
        [begunAt],
      );
      const done = new Set(rows.map(({ name }) => name));
      for (const name of BOOK_NAMES.filter((each) => !done.has(each))) {
        cancellationSignal.throwIfAborted();
        await checkBook(deps, name);
      }
      const { rows: broken } = await runner(deps.db).query<{ name: string }>(
        `SELECT name FROM book_checks WHERE name = ANY($1::text[]) AND figure <> '0' ORDER BY name`,
        [BOOK_NAMES],
      );
      const report = { checked: BOOK_NAMES.length, broken: broken.map(({ name }) => name) };
      if (report.broken.length > 0) deps.log.error(report, 'the books do not hold');
      return report;
    },
  };
}

async function checkBook(deps: ActivityDeps, name: string): Promise<void> {
  const startedAt = performance.now();
  const { figure } = await inTransaction(deps.db, async (tx) => {
    const sql = runner(deps.db, tx);
    // Facts of years are added up: the limit of a request is not one of the books, the step's own is.
    await sql.query(`SET LOCAL statement_timeout = '25min'`);
    return await runBook(sql, name);
  });
  await runner(deps.db).query(
    `INSERT INTO book_checks (name, figure, checked_at, took_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET figure = EXCLUDED.figure, checked_at = EXCLUDED.checked_at,
       took_ms = EXCLUDED.took_ms`,
    [name, figure, deps.clock(), Math.round(performance.now() - startedAt)],
  );
}
