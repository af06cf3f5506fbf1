import { MockActivityEnvironment } from '@temporalio/testing';
import { type BooksReport, createBooksActivities } from '../../../activities/upkeep/books.ts';
import { runner } from '../../../db/postgres.ts';
import { readBookChecks } from '../../../db/queries/book-checks.ts';
import { BOOK_NAMES } from '../../../db/queries/books.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { activityDeps } from '../../support/settlement.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await makeAdvertiser(database.db, { balance: 100 });
});
afterAll(async () => {
  await database?.close();
});

/** As a round that was scheduled then. */
const check = async (scheduledAt: Date) => {
  const round = new MockActivityEnvironment({ scheduledTimestampMs: scheduledAt.getTime() });
  const activities = createBooksActivities(activityDeps(database));
  return (await round.run(async () => await activities.checkBooks())) as BooksReport;
};
const state = async () => await readBookChecks(runner(database.db), BOOK_NAMES);
const checkedAt = async (): Promise<Record<string, string>> => {
  const { rows } = await database.pool.query<{ name: string; checked_at: Date }>(
    'SELECT name, checked_at FROM book_checks',
  );
  return Object.fromEntries(rows.map((row) => [row.name, row.checked_at.toISOString()]));
};

test('checkBooks · clean books · every invariant was looked at and holds', async () => {
  expect(await check(new Date())).toEqual({ checked: BOOK_NAMES.length, broken: [] });
  expect(await state()).toMatchObject({ broken: 0, checked: BOOK_NAMES.length });
});

test('checkBooks · a balance that no transfer explains · is named, until it is right again', async () => {
  // Past what the database holds by itself: a balance moves only by a transfer.
  const change = async (sign: string) =>
    await database.pool.query(
      `ALTER TABLE ledger_accounts DISABLE TRIGGER USER;
       UPDATE ledger_accounts SET balance_nanos = balance_nanos ${sign} 1 WHERE code LIKE 'adv:%';
       ALTER TABLE ledger_accounts ENABLE TRIGGER USER`,
    );
  await change('+');
  const { broken } = await check(new Date());
  expect(broken).toEqual(
    expect.arrayContaining(['balances_equal_transfers', 'balances_sum_to_zero']),
  );
  expect(await state()).toMatchObject({ broken: broken.length });
  await change('-');
  expect(await check(new Date())).toMatchObject({ broken: [] });
});

test('checkBooks · its worker died in the middle · goes on behind the last that was looked at', async () => {
  const begunAt = new Date();
  await check(begunAt);
  await database.pool.query(
    `UPDATE book_checks SET checked_at = $1::timestamptz - interval '1 second' WHERE name = $2`,
    [begunAt, 'clearing_is_zero'],
  );
  const before = await checkedAt();
  await check(begunAt);
  const after = await checkedAt();
  const again = BOOK_NAMES.filter((name) => after[name] !== before[name]);
  expect(again).toEqual(['clearing_is_zero']);
});
