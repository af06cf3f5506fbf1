import fc from 'fast-check';
import pg from 'pg';
import type { ActivityDeps } from '../../../activities/deps.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import { createMaturityActivities } from '../../../activities/tracking/maturity.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { PAYOUT_INVARIANTS } from '../../../db/queries/payout-books.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { activityDeps } from '../../support/settlement.ts';
import { makePublisher } from '../../support/make/account.ts';
import { balanceOf } from '../../support/make/money.ts';

const DAY_MS = 86_400_000;
const NOW = new Date('2026-06-15T00:30:00Z');

let database: TestDatabase;
let client: pg.Client;
let now: Date;
let keys = 0;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.ownerUrl);
  await client.connect();
  await client.query('SET session_replication_role = replica');
  now = NOW;
});

afterEach(async () => {
  for (const { name, sql } of PAYOUT_INVARIANTS) {
    const { rows } = await database.pool.query<{ figure: string }>(sql);
    expect([name, rows[0]?.figure]).toEqual([name, '0']);
  }
  await client.end();
  await database.close();
});

const deps = (): ActivityDeps => ({ ...activityDeps(database), clock: () => now });
const mature = async () => await createMaturityActivities(deps()).matureEarnings();

/** By the owner's hand: out of the world nobody earns anything. */
const postByOwner = async (batch: Parameters<typeof postEntries>[2]) =>
  await asOwner(
    database.db,
    async (owner) => await inTransaction(owner, async (tx) => await postEntries(owner, tx, batch)),
  );

/** As settlement would have posted it then. */
async function earn(
  publisherId: number,
  amountNanos: bigint,
  { at, shard = 0 }: { at: Date; shard?: number },
): Promise<void> {
  keys += 1;
  const { batchId } = await postByOwner({
    idempotencyKey: `earn:${keys}`,
    kind: 'test',
    ref: {},
    postings: [
      {
        debit: chart.world('test'),
        credit: chart.publisherEarned(publisherId, shard),
        amountNanos,
        type: 'EARNING',
        subject: { type: 'publisher', id: publisherId },
      },
    ],
  });
  await client.query('UPDATE ledger_transfers SET created_at = $2 WHERE batch_id = $1', [
    batchId,
    at,
  ]);
  await client.query(
    `UPDATE ledger_accounts SET created_at = LEAST(created_at, $1) WHERE code LIKE 'pub:%'`,
    [at],
  );
}

const daysAgo = (days: number, from = NOW): Date => new Date(from.getTime() - days * DAY_MS);

const withdrawable = async (publisherId: number): Promise<bigint> =>
  await balanceOf(database, `pub:${publisherId}:withdrawable`);
const maturing = async (publisherId: number, shard = 0): Promise<bigint> =>
  await balanceOf(database, `pub:${publisherId}:earned:${shard}`);

test('earnings of several days · seven days wait · only those old enough are withdrawable', async () => {
  const publisher = (await makePublisher(database.db)).id;
  await earn(publisher, 1n, { at: new Date('2026-06-01T12:00:00Z') });
  await earn(publisher, 20n, { at: new Date('2026-06-08T23:59:59.999Z') });
  await earn(publisher, 300n, { at: new Date('2026-06-09T00:00:00Z') });
  await earn(publisher, 4_000n, { at: NOW });
  await mature();
  expect([await withdrawable(publisher), await maturing(publisher)]).toEqual([21n, 4_300n]);
  now = new Date('2026-06-16T00:00:00Z');
  await mature();
  expect([await withdrawable(publisher), await maturing(publisher)]).toEqual([321n, 4_000n]);
});

test('no earnings at all · matured · nothing happens', async () => {
  expect(await mature()).toEqual({ days: 0, earnings: 0, amountNanos: '0' });
});

test('one day · matured five times at once and again · each nano moves once', async () => {
  const publishers = await Promise.all(
    Array.from({ length: 5 }, async () => (await makePublisher(database.db)).id),
  );
  for (const publisher of publishers) {
    await earn(publisher, 7n, { at: daysAgo(8), shard: 0 });
    await earn(publisher, 11n, { at: daysAgo(8), shard: 1 });
  }
  const reports = await Promise.all([mature(), mature(), mature(), mature(), mature()]);
  expect(reports.map(({ amountNanos }) => Number(amountNanos)).reduce((a, b) => a + b)).toBe(90);
  expect((await mature()).amountNanos).toBe('0');
  for (const publisher of publishers) expect(await withdrawable(publisher)).toBe(18n);
});

test('an earning that committed late · its day has matured before · follows with the next round', async () => {
  const publisher = (await makePublisher(database.db)).id;
  await earn(publisher, 5n, { at: daysAgo(7) });
  await mature();
  await earn(publisher, 6n, { at: daysAgo(7) });
  expect(await withdrawable(publisher)).toBe(5n);
  await mature();
  expect(await withdrawable(publisher)).toBe(11n);
});

test('the wait is set to nothing · today as well; set to more · what has matured stays', async () => {
  const publisher = (await makePublisher(database.db)).id;
  const put = async (days: number): Promise<void> => {
    await database.pool.query(
      `INSERT INTO settings (key, value) VALUES ('payout.maturity_days', $1)
       ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value`,
      [String(days)],
    );
  };
  await earn(publisher, 9n, { at: NOW });
  await put(0);
  await mature();
  expect(await withdrawable(publisher)).toBe(9n);
  await put(30);
  await earn(publisher, 10n, { at: NOW });
  await mature();
  expect([await withdrawable(publisher), await maturing(publisher)]).toEqual([9n, 10n]);
});

test('more publishers than a batch takes · matured · all of them, in several batches', async () => {
  const count = 1_100;
  await database.pool.query(
    `INSERT INTO accounts (kind, username, email, password_hash)
     SELECT 'PUBLISHER', 'many' || n, 'many' || n || '@test.example', 'x' FROM generate_series(1, $1) AS n`,
    [count],
  );
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM accounts WHERE username LIKE 'many%'`,
  );
  await postByOwner({
    idempotencyKey: 'earn:many',
    kind: 'test',
    ref: {},
    postings: rows.map(({ id }) => ({
      debit: chart.world('test'),
      credit: chart.publisherEarned(Number(id), 0),
      amountNanos: 3n,
      type: 'EARNING',
      subject: null,
    })),
  });
  await client.query(`UPDATE ledger_transfers SET created_at = $1`, [daysAgo(9)]);
  await client.query(`UPDATE ledger_accounts SET created_at = $1`, [daysAgo(9)]);
  expect((await mature()).amountNanos).toBe(String(3 * count));
  const batches = await database.pool.query(
    `SELECT 1 FROM ledger_batches WHERE kind = 'earnings_matured'`,
  );
  expect(batches.rowCount).toBe(3);
});

test('any course of days · earned and matured as they come · withdrawable is exactly what is old enough', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          daysLater: fc.integer({ min: 0, max: 4 }),
          nanos: fc.bigInt({ min: 1n, max: 10n ** 15n }),
          rounds: fc.integer({ min: 0, max: 2 }),
        }),
        { minLength: 1, maxLength: 8 },
      ),
      async (course) => {
        const publisher = (await makePublisher(database.db)).id;
        const earned: { at: Date; nanos: bigint }[] = [];
        for (const { daysLater, nanos, rounds } of course) {
          now = daysAgo(-daysLater, now);
          await earn(publisher, nanos, { at: now });
          earned.push({ at: now, nanos });
          for (let round = 0; round < rounds; round += 1) await mature();
        }
        await mature();
        const due = earned.filter(({ at }) => now.getTime() - at.getTime() >= 7 * DAY_MS);
        expect(await withdrawable(publisher)).toBe(
          due.reduce((total, { nanos }) => total + nanos, 0n),
        );
      },
    ),
    { numRuns: 8 },
  );
});
