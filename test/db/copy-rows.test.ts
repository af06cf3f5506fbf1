import { copyRows } from '../../db/copy-rows.ts';
import { driverOf, inTransaction, runner } from '../../db/postgres.ts';
import type { JsonRow } from '../../db/schema/insert.ts';
import { budgetDays } from '../../db/tables/budget-day.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => await database.close());

const ROWS = 1_200;
function* days(faultAt = Infinity) {
  for (let id = 1; id <= ROWS; id += 1) {
    if (id === faultAt) throw new Error('no more of them');
    yield { scope: 'campaign', scopeId: id, day: '2026-01-31', spentNanos: 1n } as const;
  }
}

const copy = async <Value>(
  rows: Iterable<JsonRow<typeof budgetDays>>,
  whenSent: () => Value,
): Promise<Value> =>
  await inTransaction(database.db, async (tx) => {
    const into = { sql: runner(database.db, tx), client: driverOf(tx) };
    return await copyRows(into, budgetDays, rows, whenSent);
  });
const stored = async () =>
  (await database.pool.query('SELECT count(*)::int AS n FROM budget_days')).rows;
afterEach(async () => void (await database.pool.query('DELETE FROM budget_days')));

test('rows of several parts · copied · are there, and what was done meanwhile is the answer', async () => {
  expect(await copy(days(), () => 'done')).toBe('done');
  expect(await stored()).toEqual([{ n: ROWS }]);
});

test('no rows · copied · what is done meanwhile is done', async () => {
  expect(await copy([], () => 'done')).toBe('done');
});

test('a later row cannot be made · copied · is raised, nothing is kept, the connection goes on', async () => {
  await expect(copy(days(ROWS), () => 'done')).rejects.toThrow('no more of them');
  expect(await stored()).toEqual([{ n: 0 }]);
  expect(await copy(days(), () => 'done')).toBe('done');
});

test('what is done meanwhile fails · copied · is raised, nothing is kept', async () => {
  const fails = () => {
    throw new Error('not done');
  };
  await expect(copy(days(), fails)).rejects.toThrow('not done');
  expect(await stored()).toEqual([{ n: 0 }]);
});

test('a row that PostgreSQL refuses · copied · is raised with its code', async () => {
  const twice = [...days()].slice(0, 1).flatMap((day) => [day, day]);
  await expect(copy(twice, () => 'done')).rejects.toMatchObject({ code: '23505' });
});
