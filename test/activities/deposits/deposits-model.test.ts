import fc from 'fast-check';
import { PAYOUT_INVARIANTS } from '../../../db/queries/payout-books.ts';
import { REFUND_INVARIANTS } from '../../../db/queries/refund-books.ts';
import { UNIT } from '../../support/make/money.ts';
import { brokenBooks, courses, LEDGER_BOOKS, together } from '../../support/model.ts';
import { checkEnd, checkWorld } from './deposits-check.ts';
import { type Command, METHODS } from './deposits-model.ts';
import { makeStand, type Stand, type Weather } from './deposits-stand.ts';
import { World } from './deposits-world.ts';

/**
 * Deposits, and refunds of unused balance, against a model that keeps nothing but sums and states: whatever is ordered,
 * paid, told of, typed in, decided, spent and sent back at the same time, each advertiser has what the model says,
 * each payment is believed once, and all money that came has a place.
 */
const BOOKS = [
  ...LEDGER_BOOKS,
  ...PAYOUT_INVARIANTS.map(({ name }) => name),
  ...REFUND_INVARIANTS.map(({ name }) => name),
];

let stand: Stand;
beforeAll(async () => {
  stand = await makeStand();
}, 60_000);
afterAll(async () => await stand?.close());

const at = fc.nat(40);
const by = fc.nat(2);
const workers = fc.integer({ min: 1, max: 2 });
const whole = (min: number, max: number) =>
  fc.integer({ min, max }).map((units) => BigInt(units) * UNIT);
/** Small ones stay together below the limit of one person; large ones are above it, also the half of them. */
const amount: fc.Arbitrary<bigint> = fc.oneof(
  { weight: 4, arbitrary: whole(10, 60) },
  { weight: 1, arbitrary: whole(25_000, 30_000) },
);
const percent = fc.constantFrom(100, 100, 100, 100, 50, 99, 101, 150);
const EVERY: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('open'),
      of: at,
      method: fc.constantFrom(...METHODS),
      amount,
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('pay'),
      of: at,
      percent,
      copies: fc.constantFrom(1, 2, 10),
      isStray: fc.constantFrom(false, false, false, true),
      isAsked: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), of: at, workers }) },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('lap'),
      of: at,
      workers,
      isLate: fc.nat(9).map((nth) => nth === 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('record'),
      of: at,
      other: at,
      isElsewhere: fc.constantFrom(false, false, true),
      percent,
      reference: fc.nat(12),
      by,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('statement'),
      of: at,
      reference: fc.nat(12),
      by,
      workers,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('suspense'), of: at, workers }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('decide'),
      of: at,
      nth: fc.nat(3),
      by,
      says: fc.constantFrom('yes', 'no'),
      workers,
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('way_back'), of: at, workers }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('look_at_chain'), blocks: fc.nat(8), workers }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('refund'),
      of: at,
      amount: fc.oneof(fc.constant(null), whole(1, 60)),
      by,
      workers,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer_refund'),
      of: at,
      by,
      says: fc.constantFrom('approve', 'refuse', 'withdraw'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('spend'), of: at, amount }) },
];

const HONEST = [{}, {}, {}] as const;
const ODD = [
  { isDown: true },
  { hangsAfter: ['open' as const, 'close' as const] },
  { hangsAfter: ['query' as const] },
  { hangsAfter: ['refund' as const] },
  { hangsAfter: ['refund' as const], refunds: 'slow' as const },
  { queryLies: 'unpaid' as const },
  { queryLies: 'other_order' as const },
  { queryLies: 'other_currency' as const },
  { queryLies: 'unsigned' as const },
  { refunds: 'slow' as const },
  { refunds: 'fails_late' as const },
  { refunds: 'poor' as const },
  { notice: 'forged' as const },
  { notice: 'altered' as const },
  { notice: 'stale' as const },
];
const weather: fc.Arbitrary<Weather> = fc.record({
  alipay: fc.constantFrom<Weather['alipay'][]>(...HONEST, ...ODD, {
    refuses: 'ACQ.SELLER_BALANCE_NOT_ENOUGH',
  }),
  wechat: fc.constantFrom<Weather['wechat'][]>(
    ...HONEST,
    ...ODD,
    { refuses: 'NO_AUTH' },
    { refunds: 'stuck' },
  ),
});

/** A day or an hour: what the wallets do wrong in it, and what happens at once. */
const round = fc.record({
  weather,
  commands: fc.array(fc.oneof(...EVERY), { minLength: 6, maxLength: 14 }),
});

const property = (of: () => Stand, offNanos = 0n) =>
  fc.asyncProperty(fc.array(round, { minLength: 4, maxLength: 10 }), async (rounds) => {
    const world = await World.begin(of());
    for (const each of rounds) {
      world.weather(each.weather);
      await together(each.commands.map(async (command) => await world.run(command)));
      await checkWorld(world, offNanos);
    }
    await checkEnd(world);
  });

test('any course of deposits and refunds, several steps at once · each advertiser and each wallet has what the model says', async () => {
  await fc.assert(
    property(() => stand),
    courses(10),
  );
  expect(await brokenBooks(stand.database, BOOKS)).toEqual([]);
}, 300_000);

describe('the control', () => {
  test.each([
    [
      'a reference that may stand for two receipts',
      `DROP INDEX deposit_receipts_reference`,
      /was believed of/,
      0n,
    ],
    [
      'a limit that nobody reaches',
      `CREATE OR REPLACE FUNCTION approval_limit(of_kind text) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER
         SET search_path = public, pg_temp AS 'SELECT 1e30'`,
      /was not to pay|one person alone|answered|"REFUNDING"/,
      0n,
    ],
    ['a nano that nobody has paid in', 'SELECT 1', /available/, 1n],
  ])(
    '%s · a course is found that shows it',
    async (_fault, sql, shows, offNanos) => {
      const faulty = await makeStand();
      try {
        await faulty.database.pool.query(sql);
        const { errorInstance } = await fc.check(
          property(() => faulty, offNanos),
          courses(100),
        );
        expect(String(errorInstance)).toMatch(shows);
      } finally {
        await faulty.close();
      }
    },
    600_000,
  );
});
