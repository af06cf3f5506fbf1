import { createOperationWatch } from '../../../api/operations/operation-watch.ts';
import { runner } from '../../../db/postgres.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

async function operation(): Promise<number> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO operations (kind, workflow_id, status)
     VALUES ('export', 'watch-' || gen_random_uuid(), 'running') RETURNING id`,
  );
  return Number(rows[0]?.id);
}

test('a waiter · who comes while the database is asked · waits on for its own operation', async () => {
  const real = runner(database.db);
  let asked = 0;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The real answer, kept back once.
  const sql = {
    query: async (text: string, values?: unknown[]) => {
      const answer = await real.query(text, values);
      asked += 1;
      if (asked === 1) await held;
      return answer;
    },
  } as SqlRunner;
  const watch = createOperationWatch(sql);
  const limits = { waitMs: 20_000, signal: new AbortController().signal };
  const [first, second] = [await operation(), await operation()];
  const moved: number[] = [];
  const wait = async (id: number): Promise<void> => {
    await watch.moved({ id, version: 1 }, limits);
    moved.push(id);
  };
  const waiting = [wait(first)];
  await until(() => asked > 0);
  waiting.push(wait(second));
  release();
  await until(() => asked >= 3);
  expect(moved).toEqual([]);
  await database.pool.query('UPDATE operations SET version = 2');
  await Promise.all(waiting);
  expect(moved.sort((a, b) => a - b)).toEqual([first, second]);
});
