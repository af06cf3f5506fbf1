import fc from 'fast-check';
import { CORRECTION_INVARIANTS } from '../../../db/queries/correction-books.ts';
import { PAYOUT_INVARIANTS } from '../../../db/queries/payout-books.ts';
import { UNIT } from '../../support/make/money.ts';
import { brokenBooks, courses, LEDGER_BOOKS, together } from '../../support/model.ts';
import { checkEnd, checkWorld } from './withdrawals-check.ts';
import type { Channel, Command, Weather } from './withdrawals-model.ts';
import { makeStand, type Stand } from './withdrawals-stand.ts';
import { World } from './withdrawals-world.ts';

/**
 * Withdrawals against a model that keeps nothing but sums and ends: whatever is earned, asked for, cancelled, decided,
 * sent, lost, looked for, returned and taken back at the same time, each publisher has what the model says, each
 * wallet pays at most once just what arrives, and nothing is given back that was paid.
 */
const BOOKS = [
  ...LEDGER_BOOKS,
  ...PAYOUT_INVARIANTS.map(({ name }) => name),
  ...CORRECTION_INVARIANTS.map(({ name }) => name),
];

let stand: Stand;
beforeAll(async () => {
  stand = await makeStand();
}, 60_000);
afterAll(async () => await stand?.close());

const at = fc.nat(40);
const workers = fc.integer({ min: 1, max: 2 });
const channel = fc.constantFrom<Channel[]>('PAYPAL', 'PAXUM', 'BANK');
const EVERY: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('earn'),
      side: fc.nat(3),
      price: fc.bigInt({ min: UNIT, max: 4_000n * UNIT }),
      share: fc.integer({ min: 300_000, max: 1_000_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('mature') }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('reverse'),
      from: at,
      count: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('ask'),
      publisher: fc.nat(1),
      channel,
      mark: fc.constantFrom('', '', '', 'bounce', 'declined'),
      parts: fc.integer({ min: 1, max: 5 }),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), of: at }) },
  {
    weight: 14,
    arbitrary: fc.record({ do: fc.constant('lap'), of: at, workers }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('late_send'), of: at, workers }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('ask_person'),
      of: at,
      workers: fc.constant(1),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      do: fc.constant('decide'),
      of: at,
      by: fc.nat(2),
      says: fc.constantFrom('yes', 'yes', 'yes', 'yes', 'no', 'wait'),
      workers,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('carry'),
      of: at,
      by: fc.nat(2),
      booked: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('return'), of: at, by: fc.nat(2) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('agree_return'),
      of: at,
      by: fc.nat(2),
    }),
  },
];

const weather: fc.Arbitrary<Weather> = fc.record({
  paypal: fc.constantFrom<Weather['paypal'][]>(
    {},
    {},
    { order: 'cut_before' },
    { order: 'cut_after' },
    { order: 'fails_before' },
    { order: 'fails_after' },
    { isDown: true },
    { refuses: 'INSUFFICIENT_FUNDS' },
    { refuses: 'RECEIVER_UNREGISTERED' },
    { shows: 'other_amount' },
  ),
  paxum: fc.constantFrom<Weather['paxum'][]>(
    {},
    {},
    { transfer: 'cut_before' },
    { transfer: 'cut_after' },
    { transfer: 'fails_after' },
    { transfer: 'odd_after', history: 'hidden' },
    { isDown: true },
    { refuses: '51' },
    { refuses: '14' },
    { history: 'hidden' },
    { history: 'refused' },
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

test('any course of withdrawals, several steps at once · each publisher and each wallet has what the model says', async () => {
  await fc.assert(
    property(() => stand),
    courses(20),
  );
  expect(await brokenBooks(stand.database, BOOKS)).toEqual([]);
}, 300_000);

describe('the control', () => {
  test.each([
    [
      'an order that forgets that it is being sent',
      `CREATE FUNCTION forgets() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN NEW.state := 'READY'; RETURN NEW; END $$;
       CREATE TRIGGER forgets BEFORE UPDATE ON payouts FOR EACH ROW WHEN (NEW.state = 'SENDING') EXECUTE FUNCTION forgets()`,
      /sent|never ends/,
      0n,
    ],
    [
      'a limit that nobody reaches',
      `CREATE OR REPLACE FUNCTION approval_limit(of_kind text) RETURNS numeric LANGUAGE sql STABLE SECURITY DEFINER
         SET search_path = public, pg_temp AS 'SELECT 1e30'`,
      /toBeGreaterThanOrEqual|by one person/,
      0n,
    ],
    ['a nano that nobody has earned', 'SELECT 1', /publisherId/, 1n],
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
