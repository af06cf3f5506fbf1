import { randomUUID } from 'node:crypto';
import { postEntries } from '../../../activities/core/ledger.ts';
import { createMaturityActivities } from '../../../activities/tracking/maturity.ts';
import { reverseBatch } from '../../../activities/reversals/reversal-batches.ts';
import { inTransaction, sqlState, violatedConstraint } from '../../../db/postgres.ts';
import { CORRECTION_INVARIANTS } from '../../../db/queries/correction-books.ts';
import { runBook } from '../../../db/queries/books.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import {
  withdrawalHeld,
  withdrawalPosted,
  withdrawalVoided,
} from '../../../domain/ledger/payout-postings.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { balanceOf } from '../../support/make/money.ts';
import {
  approveReversal,
  bill,
  type Billed,
  previewReversal,
  reverseAll,
  TODAY,
} from '../../support/reversals.ts';
import { activityDeps } from '../../support/settlement.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;
let maker: number;
let checker: number;
let advertiserId: number;
let publisherId: number;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  maker = (await makeOperator(database.db, 'FINANCE')).id;
  checker = (await makeOperator(database.db, 'FINANCE')).id;
  await database.pool.query(
    `INSERT INTO settings (key, value) VALUES ('payout.maturity_days', '0')`,
  );
});
beforeEach(async () => {
  advertiserId = (await makeAdvertiser(database.db, { balance: 1_000 })).id;
  publisherId = (await makePublisher(database.db)).id;
});
afterEach(async () => {
  for (const { name } of CORRECTION_INVARIANTS) {
    const { figure } = await runBook(database.pool, name);
    expect([name, figure]).toEqual([name, '0']);
  }
});
afterAll(async () => await database.close());

const deps = () => activityDeps(database);
const mature = async () => await createMaturityActivities(deps()).matureEarnings();

async function billed(count: number, priceNanos = 10n, publisherNanos = 7n): Promise<Billed[]> {
  const made = Array.from({ length: count }, () => ({
    id: randomUUID(),
    advertiserId,
    publisherId,
    shard: 0,
    priceNanos,
    publisherNanos,
  }));
  keys += 1;
  await bill(database, `case:${keys}`, made);
  return made;
}

async function preview(of: readonly Billed[], makerId = maker): Promise<number> {
  const scope = { day: TODAY, event_ids: of.map(({ id }) => id) };
  return (await previewReversal(deps(), { source: 'EVENTS', scope, makerId })).reversalId;
}

async function reverse(of: readonly Billed[]): Promise<number> {
  const reversalId = await preview(of);
  await approveReversal(database, reversalId, checker);
  await reverseAll(deps(), reversalId);
  return reversalId;
}

/** What the publisher has: maturing, withdrawable, held, owed. */
const standing = async (): Promise<bigint[]> =>
  await Promise.all(
    [
      chart.publisherEarned(publisherId, 0),
      chart.publisherWithdrawable(publisherId),
      chart.publisherHold(publisherId),
      chart.publisherDebt(publisherId),
    ].map(async (code) => await balanceOf(database, code)),
  );

function withdrawal(amountNanos: bigint) {
  keys += 1;
  const parts = { feeNanos: 0n, taxNanos: 0n, arrivalNanos: amountNanos };
  return { id: 1_000_000 + keys, publisherId, channel: 'BANK', amountNanos, ...parts };
}

/** Of withdrawals that nobody asked for or approved: as the owner alone may. */
const post = async (batch: ReturnType<typeof withdrawalHeld>) =>
  await asOwner(
    database.db,
    async (owner) => await inTransaction(owner, async (tx) => await postEntries(owner, tx, batch)),
  );

describe('where the money comes from', () => {
  test('earnings that still mature · are taken back from there, and mature no more', async () => {
    const some = await billed(3);
    await reverse(some.slice(0, 2));
    expect(await standing()).toEqual([7n, 0n, 0n, 0n]);
    await mature();
    expect(await standing()).toEqual([0n, 7n, 0n, 0n]);
    expect(await balanceOf(database, chart.advertiserAvailable(advertiserId))).toBe(
      1_000n * 10n ** 9n - 10n,
    );
  });

  test('earnings that have matured · are taken from what may be withdrawn', async () => {
    const some = await billed(3);
    await mature();
    await reverse(some.slice(0, 2));
    expect(await standing()).toEqual([0n, 7n, 0n, 0n]);
  });

  test('a greedy publisher · withdraws everything before · owes it, and the next earnings pay it first', async () => {
    const some = await billed(3);
    await mature();
    const money = withdrawal(21n);
    await post(withdrawalHeld(money));
    await post(withdrawalPosted(money));
    await reverse(some);
    expect(await standing()).toEqual([0n, 0n, 0n, -21n]);
    await billed(2);
    await mature();
    expect(await standing()).toEqual([0n, 0n, 0n, -7n]);
    // What is owed cannot be withdrawn by asking faster.
    const refused: unknown = await post(withdrawalHeld(withdrawal(1n))).catch((error) => error);
    expect(violatedConstraint(refused)).toBe('no_overdraft');
    await billed(3);
    await mature();
    expect(await standing()).toEqual([0n, 14n, 0n, 0n]);
  });

  test('a withdrawal under way · is void · what comes back pays the debt', async () => {
    const some = await billed(3);
    await mature();
    const money = withdrawal(21n);
    await post(withdrawalHeld(money));
    await reverse(some.slice(0, 2));
    expect(await standing()).toEqual([0n, 0n, 21n, -14n]);
    await post(withdrawalVoided(money));
    expect(await standing()).toEqual([0n, 7n, 0n, 0n]);
  });
});

test('the same event · named twice, by two operators, at once · goes back once', async () => {
  const some = await billed(40);
  const asked = await Promise.all([preview(some), preview(some, checker)]);
  await approveReversal(database, asked[0], checker);
  await approveReversal(database, asked[1], maker);
  await Promise.all(asked.map(async (id) => await reverseAll(deps(), id)));
  const { rows } = await database.pool.query<{ status: string; n: number; price: string }>(
    `SELECT string_agg(DISTINCT status, ',') AS status, sum(reversed_events)::int AS n,
       sum(reversed_price_nanos)::text AS price FROM reversals WHERE id = ANY($1)`,
    [asked],
  );
  expect(rows).toEqual([{ status: 'APPLIED', n: 40, price: '400' }]);
  const again = await previewReversal(deps(), {
    source: 'EVENTS',
    scope: { day: TODAY, event_ids: some.map(({ id }) => id) },
    makerId: maker,
  });
  expect(again.status).toBe('EMPTY');
});

test('cut off between two batches · goes on behind them, and takes nothing twice', async () => {
  const some = await billed(1_200);
  const reversalId = await preview(some.slice(0, 1_000));
  await approveReversal(database, reversalId, checker);
  const first = await reverseBatch(deps(), { reversalId });
  expect([first.status, first.reversedEvents, first.batches]).toEqual(['APPLYING', 500, 1]);
  // A worker that dies in the middle of a batch leaves nothing of it.
  const holder = await database.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM ledger_accounts WHERE code = $1 FOR UPDATE', [
    chart.publisherEarned(publisherId, 0),
  ]);
  const dying = reverseBatch(deps(), { reversalId }).then(
    () => 'done',
    () => 'died',
  );
  await until('the batch waits in the middle', async () => {
    const { rows } = await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%ledger_hold_accounts%'`,
    );
    return rows.length > 0 ? true : undefined;
  });
  expect(await dying).toBe('died');
  await holder.query('ROLLBACK');
  holder.release();
  const left = await database.pool.query('SELECT batches FROM reversals WHERE id = $1', [
    reversalId,
  ]);
  expect(left.rows).toEqual([{ batches: 1 }]);
  await reverseAll(deps(), reversalId);
  expect((await standing())[0]).toBe(200n * 7n);
  const { rows } = await database.pool.query(
    'SELECT status, reversed_events, events FROM reversals WHERE id = $1',
    [reversalId],
  );
  expect(rows).toEqual([{ status: 'APPLIED', reversed_events: 1_000, events: 1_000 }]);
});

describe('a lone operator, with the application’s role in hand', () => {
  const app = async (text: string, values: unknown[]): Promise<unknown> =>
    await database.appPool.query(text, values).catch((error: unknown) => error);

  test('approves alone · is refused', async () => {
    const reversalId = await preview(await billed(1));
    const refused = await app(
      `UPDATE reversals SET status = 'APPLYING', checker_id = maker_id WHERE id = $1`,
      [reversalId],
    );
    expect(violatedConstraint(refused)).toBe('money_needs_approval');
    const begin = `UPDATE reversals SET status = 'APPLYING', checker_id = $2 WHERE id = $1`;
    const agree = `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE kind = 'reversal' AND state = 'PROPOSED' AND subject = $1::text`;
    await app(`INSERT INTO approvals (kind, subject, maker_id) VALUES ('reversal', $1, $2)`, [
      String(reversalId),
      maker,
    ]);
    expect(violatedConstraint(await app(begin, [reversalId, checker]))).toBe(
      'money_needs_approval',
    );
    expect(violatedConstraint(await app(agree, [reversalId, maker]))).toBe('four_eyes');
    // Nor is whoever asked the second person where another asks in his stead.
    await app(`UPDATE approvals SET state = 'VOID' WHERE kind = 'reversal' AND subject = $1`, [
      String(reversalId),
    ]);
    await app(`INSERT INTO approvals (kind, subject, maker_id) VALUES ('reversal', $1, $2)`, [
      String(reversalId),
      checker,
    ]);
    expect(violatedConstraint(await app(agree, [reversalId, maker]))).toBe('four_eyes');
    const third = (await makeOperator(database.db, 'FINANCE')).id;
    expect(await app(agree, [reversalId, third])).toMatchObject({ rowCount: 1 });
    // What was approved is begun with just this, in his name.
    const other = await app(begin.replace('SET', 'SET events = 9,'), [reversalId, third]);
    expect(violatedConstraint(other)).toBe('money_needs_approval');
    expect(violatedConstraint(await app(begin, [reversalId, checker]))).toBe(
      'money_needs_approval',
    );
    expect(await app(begin, [reversalId, third])).toMatchObject({ rowCount: 1 });
    const made = await app(
      `INSERT INTO reversals (source, scope, reason, note, status, maker_id, checker_id, content_hash)
       VALUES ('EVENTS', '{}', 'BILLING_ERROR', 'x', 'APPLYING', $1, $2, 'x')`,
      [maker, checker],
    );
    expect(violatedConstraint(made)).toBe('money_needs_approval');
  });

  test('corrects by hand what nobody decided on · is refused, whatever the batch names', async () => {
    const [one] = await billed(1);
    const reversalId = await preview(one === undefined ? [] : [one]);
    const clearing = chart.correctionClearing();
    const back = { debit: clearing, credit: chart.advertiserAvailable(advertiserId) };
    const cost = { debit: chart.appealCost(), credit: clearing };
    const earned = { debit: clearing, credit: chart.publisherEarned(publisherId, 0) };
    const owed = { debit: chart.publisherDebt(publisherId), credit: clearing };
    const by = { amountNanos: 5n, subject: null };
    for (const ref of [{}, { reversal_id: reversalId }, { appeal_id: 1 }]) {
      for (const postings of [
        [
          { ...owed, ...by, type: 'EARNING_REVERSED' as const },
          { ...back, ...by, type: 'SPEND_REVERSED' as const },
        ],
        [
          { ...cost, ...by, type: 'APPEAL_COST' as const },
          { ...earned, ...by, type: 'EARNING_RESTORED' as const },
        ],
      ]) {
        keys += 1;
        const batch = { idempotencyKey: `by-hand:${keys}`, kind: 'by_hand', ref, postings };
        const refused: unknown = await inTransaction(
          database.db,
          async (tx) => await postEntries(database.db, tx, batch),
        ).catch((error: unknown) => error);
        expect(violatedConstraint(refused)).toBe('money_needs_approval');
      }
    }
  });

  test('takes back without an approval, or what nobody saw · is refused', async () => {
    const [one, other] = await billed(2);
    const reversalId = await preview(one === undefined ? [] : [one]);
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT max(id) AS id FROM ledger_batches',
    );
    const insert = async (id: string | undefined, price = -10, share = -7) =>
      await app(
        `INSERT INTO event_corrections (day, event_id, reversal_id, billable, reason, price_delta_nanos,
           publisher_delta_nanos, batch_id) VALUES ($1, $2, $3, false, 'X', $4, $5, $6)`,
        [TODAY, id, reversalId, price, share, rows[0]?.id],
      );
    expect(sqlState(await insert(one?.id))).toBe('23000');
    await approveReversal(database, reversalId, checker);
    expect(sqlState(await insert(other?.id))).toBe('23000');
    // Half of an event, and one that is none.
    expect(sqlState(await insert(one?.id, -5, -3))).toBe('23000');
    expect(sqlState(await insert(randomUUID()))).toBe('23000');
  });

  test('adds to a preview that was looked at, or changes it · is refused', async () => {
    const [one, other] = await billed(2);
    const reversalId = await preview(one === undefined ? [] : [one]);
    const added = await app(
      `INSERT INTO reversal_items SELECT reversal_id, day, $2, reason, advertiser_id, publisher_id, price_nanos,
         publisher_nanos FROM reversal_items WHERE reversal_id = $1`,
      [reversalId, other?.id],
    );
    expect(sqlState(added)).toBe('23000');
    for (const statement of [
      'UPDATE reversal_items SET publisher_nanos = 0 WHERE reversal_id = $1',
      'DELETE FROM reversal_items WHERE reversal_id = $1',
      'UPDATE event_corrections SET reason = NULL WHERE reversal_id = $1',
      'DELETE FROM event_corrections WHERE reversal_id = $1',
    ]) {
      expect(sqlState(await app(statement, [reversalId]))).toBe('42501');
    }
  });

  test('makes a debtor able to withdraw · is refused by the database', async () => {
    const some = await billed(1);
    await mature();
    const money = withdrawal(7n);
    await post(withdrawalHeld(money));
    await post(withdrawalPosted(money));
    await reverse(some);
    const statement = `WITH b AS (INSERT INTO ledger_batches (idempotency_key, kind) VALUES ('by hand', 'x') RETURNING id)
      INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
      SELECT b.id, 'USD', w.id, p.id, 1, 'WITHDRAWAL_RELEASE' FROM b, ledger_accounts w, ledger_accounts p
      WHERE w.code = 'w:bank' AND p.code = $1`;
    const out = await app(statement, [chart.publisherWithdrawable(publisherId)]);
    expect(violatedConstraint(out)).toBe('ledger_moves');
    // Nor does a repair, by the owner's hand.
    const owner = async (text: string, values: unknown[]): Promise<unknown> =>
      await database.pool.query(text, values).catch((error: unknown) => error);
    const refused = await owner(statement, [chart.publisherWithdrawable(publisherId)]);
    expect(violatedConstraint(refused)).toBe('debts_first');
    const overpaid = await owner(statement.replace('by hand', 'by hand, too'), [
      chart.publisherDebt(publisherId),
    ]);
    expect(overpaid).toMatchObject({ rowCount: 1 });
    const more = await owner(
      statement
        .replace('by hand', 'once more')
        .replace("'USD', w.id, p.id, 1", "'USD', w.id, p.id, 7"),
      [chart.publisherDebt(publisherId)],
    );
    expect(violatedConstraint(more)).toBe('no_overpaid_debt');
  });
});
