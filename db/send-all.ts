import { setImmediate } from 'node:timers/promises';
import type { SqlRunner } from './sql-runner.ts';

/**
 * Writes of one transaction, in this order: while PostgreSQL works on one, the next is put together here. A
 * connection takes one statement at a time, so each waits for the one before it, and what follows a fault
 * is not sent. Raises the first fault, once nothing is under way.
 */
export async function sendAll(
  sql: SqlRunner,
  writes: readonly ((inTurn: SqlRunner) => Promise<unknown>)[],
): Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: SqlRunner = {
    query: async (text, values) => {
      const sent = last.then(async () => await sql.query(text, values));
      last = sent;
      return (await sent) as never;
    },
  };
  const faults: Promise<{ error: unknown } | undefined>[] = [];
  for (const write of writes) {
    faults.push(
      write(inTurn).then(
        () => undefined,
        (error: unknown) => ({ error }),
      ),
    );
    // What was put together leaves here.
    await setImmediate();
  }
  for (const fault of await Promise.all(faults)) if (fault !== undefined) throw fault.error;
}
