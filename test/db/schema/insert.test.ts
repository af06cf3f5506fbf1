import { runner } from '../../../db/postgres.ts';
import { addRows, insertRows } from '../../../db/schema/insert.ts';
import { columnsOf, readRows, select } from '../../../db/schema/selection.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { budgetDays } from '../../../db/tables/budget-day.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;
let sql: SqlRunner;

beforeAll(async () => {
  database = await createTestDatabase();
  sql = runner(database.db);
});
afterAll(async () => await database.close());

const DAY = select(columnsOf(budgetDays, 'd'));
const stored = async () =>
  await readRows(sql, DAY, `SELECT ${DAY.list} FROM budget_days d ORDER BY scope_id`);
const dayOf = (scopeId: number, spentNanos: string) =>
  ({ scope: 'campaign', scopeId, day: '2026-01-31', spentNanos }) as const;

describe('rows in one statement', () => {
  test('no rows · inserted · need no statement', async () => {
    const refusing: SqlRunner = {
      query: () => Promise.reject(new Error('a statement for nothing')),
    };
    await expect(insertRows(refusing, budgetDays, [])).resolves.toBeUndefined();
    await expect(addRows(refusing, budgetDays, [])).resolves.toBeUndefined();
  });

  test('several rows · inserted, then added to · keep each kind of value and sum up', async () => {
    const capped = { ...dayOf(1, '9007199254740993'), capNanos: '9223372036854775807' };
    await insertRows(sql, budgetDays, [capped, { ...dayOf(2, '5'), capNanos: null }]);
    await addRows(sql, budgetDays, [dayOf(2, '7'), dayOf(3, '1')]);
    expect(await stored()).toEqual([
      {
        ...dayOf(1, ''),
        spentNanos: 9_007_199_254_740_993n,
        capNanos: 9_223_372_036_854_775_807n,
      },
      { ...dayOf(2, ''), spentNanos: 12n, capNanos: null },
      { ...dayOf(3, ''), spentNanos: 1n, capNanos: null },
    ]);
  });

  test('a row whose key is there · inserted · is refused by the database', async () => {
    await expect(insertRows(sql, budgetDays, [dayOf(1, '1')])).rejects.toMatchObject({
      original: { code: '23505' },
    });
  });

  test('rows of several writers · added to in any order · are locked by their key, its numbers as numbers', async () => {
    await insertRows(sql, budgetDays, [dayOf(9, '0'), dayOf(10, '0')]);
    const lock = (id: number) =>
      `SELECT 1 FROM budget_days WHERE scope_id = ${id} FOR UPDATE NOWAIT`;
    const [one, other] = [await database.pool.connect(), await database.pool.connect()];
    await one.query('BEGIN');
    await one.query(lock(9));
    const added = addRows(sql, budgetDays, [dayOf(10, '1'), dayOf(9, '1')]);
    await until('it waits for the first', async () => {
      const { rowCount } = await other.query(
        `SELECT 1 FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rowCount === 1;
    });
    // Whoever holds the first and wants the second finds it free: no circle.
    await expect(other.query(lock(10))).resolves.toMatchObject({ rowCount: 1 });
    await one.query('ROLLBACK');
    await added;
    one.release();
    other.release();
  });
});
