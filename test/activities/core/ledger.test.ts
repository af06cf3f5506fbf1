import fc from 'fast-check';
import { postEntries } from '../../../activities/core/ledger.ts';
import { nextId } from '../../../db/next-id.ts';
import { inTransaction, runner, violatedConstraint } from '../../../db/postgres.ts';
import { ledgerBatches } from '../../../db/tables/ledger-batch.ts';
import { type AccountCode, chart } from '../../../domain/ledger/chart.ts';
import type { PostingBatch } from '../../../domain/ledger/postings.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
let keys = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.close();
});

const nextKey = (): string => `test:${(keys += 1)}`;

interface Move {
  debit: AccountCode;
  credit: AccountCode;
  amountNanos: bigint;
}

const batchOf = (key: string, ...moves: Move[]): PostingBatch => ({
  idempotencyKey: key,
  kind: 'test',
  ref: {},
  postings: moves.map((move) => ({ ...move, type: 'SPEND', subject: null })),
});

/** By the owner, whom no chart of moves holds: what is shown here is true of any of them. */
const post = async (batch: Parameters<typeof postEntries>[2]) =>
  await asOwner(
    database.db,
    async (owner) => await inTransaction(owner, async (tx) => await postEntries(owner, tx, batch)),
  );

async function balance(code: AccountCode): Promise<bigint> {
  const { rows } = await database.pool.query<{ balance_nanos: string }>(
    'SELECT balance_nanos FROM ledger_accounts WHERE code = $1',
    [code],
  );
  return BigInt(rows[0]?.balance_nanos ?? 0);
}

/** I1 of every ledger: a balance is the sum of its transfers, and all balances sum to nothing. */
async function expectBooksToAgree(): Promise<void> {
  const { rows } = await database.pool.query(
    `SELECT a.code FROM ledger_accounts a
     LEFT JOIN LATERAL (SELECT COALESCE(sum(amount_nanos), 0) AS n FROM ledger_transfers WHERE credit_id = a.id) c ON true
     LEFT JOIN LATERAL (SELECT COALESCE(sum(amount_nanos), 0) AS n FROM ledger_transfers WHERE debit_id = a.id) d ON true
     WHERE a.balance_nanos <> c.n - d.n OR a.balance_nanos < COALESCE(a.floor_nanos, a.balance_nanos)`,
  );
  expect(rows).toEqual([]);
  const sum = await database.pool.query<{ n: string }>(
    'SELECT COALESCE(sum(balance_nanos), 0) AS n FROM ledger_accounts',
  );
  expect(sum.rows[0]?.n).toBe('0');
}

describe('postEntries', () => {
  it('an id that was taken before · posted · is the batch, and the same key keeps it', async () => {
    const id = await nextId(runner(database.db), ledgerBatches.name);
    const batch = batchOf(nextKey(), {
      debit: chart.world('t0'),
      credit: chart.advertiserAvailable(100),
      amountNanos: 5n,
    });
    expect(await post({ id, ...batch })).toEqual({ batchId: id, posted: true });
    expect(await post(batch)).toEqual({ batchId: id, posted: false });
  });

  it('same key · posted twice, also at once · moves money once and answers the same batch', async () => {
    const [world, adv] = [chart.world('t1'), chart.advertiserAvailable(101)];
    const batch = batchOf(nextKey(), { debit: world, credit: adv, amountNanos: 5n });
    const answers = await Promise.all([post(batch), post(batch), post(batch)]);
    answers.push(await post(batch));
    expect(new Set(answers.map((answer) => answer.batchId)).size).toBe(1);
    expect(answers.filter((answer) => answer.posted)).toHaveLength(1);
    expect(await balance(adv)).toBe(5n);
    expect(await balance(world)).toBe(-5n);
  });

  it('overdraft · below the floor by one nano · refused by the database, nothing written', async () => {
    const [world, adv] = [chart.world('t2'), chart.advertiserAvailable(102)];
    await post(batchOf(nextKey(), { debit: world, credit: adv, amountNanos: 5n }));
    const key = nextKey();
    const error: unknown = await post(
      batchOf(
        key,
        { debit: adv, credit: chart.billingClearing(9), amountNanos: 2n },
        { debit: adv, credit: chart.billingClearing(9), amountNanos: 4n },
      ),
    ).then(
      () => null,
      (failure: unknown) => failure,
    );
    expect(violatedConstraint(error)).toBe('no_overdraft');
    expect(await balance(adv)).toBe(5n);
    const { rowCount } = await database.pool.query(
      'SELECT 1 FROM ledger_batches WHERE idempotency_key = $1',
      [key],
    );
    expect(rowCount).toBe(0);
  });

  it('balance after · each transfer of a batch · keeps the balance it left behind', async () => {
    const [world, adv] = [chart.world('t3'), chart.advertiserAvailable(103)];
    const { batchId } = await post(
      batchOf(
        nextKey(),
        { debit: world, credit: adv, amountNanos: 7n },
        { debit: adv, credit: world, amountNanos: 3n },
      ),
    );
    const { rows } = await database.pool.query(
      `SELECT debit_balance_after_nanos AS debit, credit_balance_after_nanos AS credit
       FROM ledger_transfers WHERE batch_id = $1 ORDER BY id`,
      [batchId],
    );
    expect(rows).toEqual([
      { debit: '-7', credit: '7' },
      { debit: '4', credit: '-4' },
    ]);
  });

  it('opposite batches · many at once over the same accounts · no deadlock, books agree', async () => {
    const [a, b] = [chart.advertiserAvailable(104), chart.advertiserAvailable(105)];
    await post(
      batchOf(
        nextKey(),
        { debit: chart.world('t4'), credit: a, amountNanos: 1_000n },
        { debit: chart.world('t4'), credit: b, amountNanos: 1_000n },
      ),
    );
    await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const [debit, credit] = i % 2 === 0 ? [a, b] : [b, a];
        await post(batchOf(nextKey(), { debit, credit, amountNanos: 1n }));
      }),
    );
    expect((await balance(a)) + (await balance(b))).toBe(2_000n);
    await expectBooksToAgree();
  });

  it('any sequence of transfers · against a model · same balances, refusals exactly below the floor', async () => {
    const names = [201, 202, 203];
    const step = fc.record({
      from: fc.integer({ min: 0, max: 3 }),
      to: fc.integer({ min: 0, max: 3 }),
      amount: fc.bigInt({ min: 1n, max: 1_000n }),
      repeat: fc.boolean(),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        run += 1;
        const codes = [
          chart.world(`model${run}`),
          ...names.map((name) => chart.advertiserAvailable(run * 1_000 + name)),
        ];
        const model = new Map<AccountCode, bigint>(codes.map((code) => [code, 0n]));
        for (const { from, to, amount, repeat } of steps) {
          const debit = codes[from] ?? chart.world('x');
          const credit = codes[to] ?? chart.world('x');
          if (debit === credit) continue;
          const batch = batchOf(nextKey(), { debit, credit, amountNanos: amount });
          const left = (model.get(debit) ?? 0n) - amount;
          if (from !== 0 && left < 0n) {
            await expect(post(batch)).rejects.toThrow('no_overdraft');
            continue;
          }
          await post(batch);
          if (repeat) await post(batch);
          model.set(debit, left);
          model.set(credit, (model.get(credit) ?? 0n) + amount);
        }
        for (const [code, expected] of model) expect(await balance(code)).toBe(expected);
      }),
      { numRuns: 25 },
    );
    await expectBooksToAgree();
  });
});

describe('the database itself', () => {
  const written = async (after: string): Promise<unknown> =>
    await database.pool.query(
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type${after === '' ? '' : ', debit_balance_after_nanos, credit_balance_after_nanos'})
       SELECT (SELECT min(id) FROM ledger_batches), 'USD', d.id, c.id, n, 'X' ${after}
       FROM ledger_accounts d, ledger_accounts c, generate_series(1, 2) n
       WHERE d.code = 'w:direct' AND c.code = $1 ORDER BY n`,
      [chart.advertiserAvailable(901)],
    );
  beforeAll(async () => {
    const [debit, credit] = [chart.world('direct'), chart.advertiserAvailable(901)];
    await post(batchOf(nextKey(), { debit, credit, amountNanos: 10n }));
  });

  it('transfers · that say what they do not leave, or would pass below a floor on the way · refused', async () => {
    await expect(written(', -11, d.balance_nanos + 11')).rejects.toThrow(
      /does not leave the balance/,
    );
    await expect(written(', d.balance_nanos - n, c.balance_nanos + n')).rejects.toThrow(
      /does not leave the balance/,
    );
    const [adv, world] = [chart.advertiserAvailable(901), chart.world('direct')];
    const there = { debit: adv, credit: world, amountNanos: 11n };
    const back = { debit: world, credit: adv, amountNanos: 11n };
    await expect(post(batchOf(nextKey(), there, back))).rejects.toThrow('no_overdraft');
    await expectBooksToAgree();
  });

  it('transfers · of a build that says nothing · get what they leave, and move the balances once', async () => {
    const before = await balance(chart.advertiserAvailable(901));
    await written('');
    expect(await balance(chart.advertiserAvailable(901))).toBe(before + 3n);
    const { rows } = await database.pool.query<{ after: string }>(
      `SELECT credit_balance_after_nanos AS after FROM ledger_transfers WHERE type = 'X' ORDER BY id`,
    );
    expect(rows.map(({ after }) => BigInt(after))).toEqual([before + 1n, before + 3n]);
    await expectBooksToAgree();
  });

  it.each([
    [
      'a balance',
      /only by a transfer/,
      `UPDATE ledger_accounts SET balance_nanos = balance_nanos + 1`,
    ],
    ['an account', /append-only|foreign key/, `DELETE FROM ledger_accounts`],
    ['a transfer', /append-only/, `UPDATE ledger_transfers SET amount_nanos = amount_nanos + 1`],
    ['transfers', /append-only/, `DELETE FROM ledger_transfers`],
    ['all transfers', /append-only/, `TRUNCATE ledger_transfers`],
    ['a batch', /append-only/, `UPDATE ledger_batches SET kind = 'other'`],
    ['batches', /append-only/, `DELETE FROM ledger_batches`],
    [
      'an account that opens rich',
      /opens at zero/,
      `INSERT INTO ledger_accounts (code, currency, balance_nanos) VALUES ('rich', 'USD', 5)`,
    ],
    [
      'a transfer to itself',
      /check constraint/,
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
       SELECT b.id, 'USD', a.id, a.id, 1, 'X' FROM ledger_batches b, ledger_accounts a LIMIT 1`,
    ],
    [
      'a transfer of nothing',
      /check constraint/,
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
       SELECT b.id, 'USD', min(a.id), max(a.id), 0, 'X' FROM ledger_batches b, ledger_accounts a GROUP BY b.id LIMIT 1`,
    ],
    [
      'a transfer in another currency',
      /foreign key/,
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
       SELECT b.id, 'EUR', min(a.id), max(a.id), 1, 'X' FROM ledger_batches b, ledger_accounts a GROUP BY b.id LIMIT 1`,
    ],
  ])('%s · written past postEntries · refused', async (_name, refusal, sql) => {
    await post(
      batchOf(nextKey(), {
        debit: chart.world('direct'),
        credit: chart.advertiserAvailable(900),
        amountNanos: 1n,
      }),
    );
    await expect(database.pool.query(sql)).rejects.toThrow(refusal);
    await expectBooksToAgree();
  });
});
