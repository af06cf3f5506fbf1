import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { postEntries } from '../../../activities/core/ledger.ts';
import { createMaturityActivities } from '../../../activities/tracking/maturity.ts';
import { inTransaction, violatedConstraint } from '../../../db/postgres.ts';
import { CORRECTION_INVARIANTS } from '../../../db/queries/correction-books.ts';
import { runBook } from '../../../db/queries/books.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { withdrawalHeld, withdrawalPosted } from '../../../domain/ledger/payout-postings.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import {
  approveReversal,
  bill,
  type Billed,
  previewReversal,
  reverseAll,
  TODAY,
} from '../../support/reversals.ts';
import { activityDeps } from '../../support/settlement.ts';

/**
 * Reversals against a model that keeps nothing but sums: whatever is billed, matures, is withdrawn and taken
 * back at the same time, each side has what the model says, to the nano, and each event went back once.
 */
const LEDGER = [
  'balances_sum_to_zero',
  'balances_equal_transfers',
  'balances_after_form_a_chain',
  'no_account_below_its_floor',
  'clearing_is_zero',
  'nothing_matures_unearned',
  'matured_equals_its_days',
];
const FUNDS = 1_000_000;

let database: TestDatabase;
let makers: number[];
let advertisers: number[];
let publishers: number[];
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  const { db, pool } = database;
  await pool.query(`INSERT INTO settings (key, value) VALUES ('payout.maturity_days', '0')`);
  makers = [(await makeOperator(db, 'FINANCE')).id, (await makeOperator(db, 'FINANCE')).id];
});
afterAll(async () => await database.close());

type Command =
  | { do: 'bill'; side: number; count: number; price: bigint; share: number }
  | { do: 'mature' }
  | { do: 'withdraw'; publisher: number; parts: number }
  | { do: 'reverse'; from: number; count: number };

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    do: fc.constant('bill' as const),
    side: fc.nat(7),
    count: fc.integer({ min: 1, max: 4 }),
    price: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    share: fc.nat(1_000_000),
  }),
  fc.constant({ do: 'mature' as const }),
  fc.record({
    do: fc.constant('withdraw' as const),
    publisher: fc.nat(1),
    parts: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    do: fc.constant('reverse' as const),
    from: fc.nat(30),
    count: fc.integer({ min: 1, max: 12 }),
  }),
);

interface World {
  billed: Billed[];
  reversed: Set<string>;
  withdrawn: Map<number, bigint>;
}

async function run(world: World, each: Command): Promise<void> {
  keys += 1;
  const deps = activityDeps(database);
  switch (each.do) {
    case 'bill': {
      const { side, count, price, share } = each;
      const billed = Array.from({ length: count }, () => ({
        id: randomUUID(),
        advertiserId: advertisers[side % 2] ?? 0,
        publisherId: publishers[(side >> 1) % 2] ?? 0,
        shard: (side >> 2) % 2,
        priceNanos: price,
        publisherNanos: (price * BigInt(share)) / 1_000_000n,
      }));
      await bill(database, `model:${keys}`, billed);
      world.billed.push(...billed);
      return;
    }
    case 'mature':
      await createMaturityActivities(deps).matureEarnings();
      return;
    case 'withdraw':
      await withdraw(world, publishers[each.publisher] ?? 0, BigInt(each.parts));
      return;
    case 'reverse':
      await reverse(world, each);
  }
}

/** Asks for a part of what the publisher has; paid at once, or refused because another was faster. */
async function withdraw(world: World, publisherId: number, parts: bigint): Promise<void> {
  const amountNanos = (await balance(chart.publisherWithdrawable(publisherId))) / parts;
  if (amountNanos <= 0n) return;
  keys += 1;
  const money = {
    id: keys,
    publisherId,
    channel: 'BANK',
    amountNanos,
    feeNanos: 0n,
    taxNanos: 0n,
    arrivalNanos: amountNanos,
  };
  try {
    // Nobody asked for it or approved it: as the owner alone may.
    await asOwner(
      database.db,
      async (owner) =>
        await inTransaction(owner, async (tx) => {
          await postEntries(owner, tx, withdrawalHeld(money));
          await postEntries(owner, tx, withdrawalPosted(money));
        }),
    );
  } catch (error) {
    if (violatedConstraint(error) !== 'no_overdraft') throw error;
    return;
  }
  world.withdrawn.set(publisherId, (world.withdrawn.get(publisherId) ?? 0n) + amountNanos);
}

/** Two operators at once may name the same events: whoever is later takes back the rest. */
async function reverse(world: World, at: { from: number; count: number }): Promise<void> {
  const named = world.billed.slice(at.from % (world.billed.length + 1)).slice(0, at.count);
  if (named.length === 0) return;
  const deps = activityDeps(database);
  const [makerId = 0, checkerId = 0] = makers;
  const scope = { day: TODAY, event_ids: named.map(({ id }) => id) };
  const asked = await previewReversal(deps, { source: 'EVENTS', scope, makerId });
  for (const { id } of named) world.reversed.add(id);
  if (asked.status === 'EMPTY') return;
  await approveReversal(database, asked.reversalId, checkerId);
  // Two workers at the same reversal: one of them was thought dead.
  await Promise.all([
    reverseAll(deps, asked.reversalId),
    at.count % 2 === 0 ? reverseAll(deps, asked.reversalId) : undefined,
  ]);
}

async function balance(code: string): Promise<bigint> {
  const { rows } = await database.pool.query<{ nanos: string }>(
    'SELECT COALESCE(sum(balance_nanos), 0)::text AS nanos FROM ledger_accounts WHERE code LIKE $1',
    [code],
  );
  return BigInt(rows[0]?.nanos ?? 0);
}

const sum = (values: readonly bigint[]): bigint => values.reduce((a, b) => a + b, 0n);

async function expectModel(world: World): Promise<void> {
  const standing = world.billed.filter(({ id }) => !world.reversed.has(id));
  for (const id of advertisers) {
    const spent = sum(
      standing.filter((e) => e.advertiserId === id).map(({ priceNanos }) => priceNanos),
    );
    expect(await balance(chart.advertiserAvailable(id))).toBe(BigInt(FUNDS) * 10n ** 9n - spent);
  }
  for (const id of publishers) {
    const earned = sum(
      standing.filter((e) => e.publisherId === id).map(({ publisherNanos }) => publisherNanos),
    );
    expect(await balance(`pub:${id}:%`)).toBe(earned - (world.withdrawn.get(id) ?? 0n));
    const [owed, there] = [
      await balance(chart.publisherDebt(id)),
      await balance(chart.publisherWithdrawable(id)),
    ];
    expect(owed <= 0n).toBe(true);
    expect(owed < 0n && there > 0n).toBe(false);
  }
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT event_id::text AS id FROM event_corrections WHERE event_id = ANY($1::uuid[])`,
    [world.billed.map(({ id }) => id)],
  );
  expect(rows.map(({ id }) => id).toSorted()).toEqual([...world.reversed].toSorted());
}

async function brokenBooks(): Promise<string[]> {
  const broken: string[] = [];
  for (const name of [...LEDGER, ...CORRECTION_INVARIANTS.map((each) => each.name)]) {
    const check = await runBook(database.pool, name);
    if (!check.ok) broken.push(`${name}: ${check.figure}`);
  }
  return broken;
}

test('any course of bills, days, withdrawals and reversals, several at once · each side has what is left to it', async () => {
  const { db } = database;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(command, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 8 }),
      async (rounds) => {
        advertisers = [
          (await makeAdvertiser(db, { balance: FUNDS })).id,
          (await makeAdvertiser(db, { balance: FUNDS })).id,
        ];
        publishers = [(await makePublisher(db)).id, (await makePublisher(db)).id];
        const world: World = { billed: [], reversed: new Set(), withdrawn: new Map() };
        for (const round of rounds) {
          await Promise.all(round.map(async (each) => await run(world, each)));
          await expectModel(world);
        }
      },
    ),
    { numRuns: 25 },
  );
  expect(await brokenBooks()).toEqual([]);
}, 300_000);
