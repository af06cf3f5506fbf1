import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Statement } from './schema/insert.ts';
import type { SqlRunner } from './sql-runner.ts';

/** One after another; each is put together while PostgreSQL runs the one before it. */
export async function runInTurn(sql: SqlRunner, statements: Iterable<Statement>): Promise<void> {
  const rest = statements[Symbol.iterator]();
  let next = rest.next();
  while (next.done !== true) {
    const { text, values } = next.value;
    // By the next turn of the event loop it is on its way.
    const following = nextTurn().then(() => rest.next());
    [next] = await Promise.all([following, sql.query(text, values)]);
  }
}
