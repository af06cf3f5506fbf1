import fc from 'fast-check';
import { postEntries } from '../../../activities/core/ledger.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { type BalanceMove, listMoves, type MoveFilter } from '../../../db/queries/ledger-moves.ts';
import { type AccountCode, chart } from '../../../domain/ledger/chart.ts';
import type { TransferType } from '../../../domain/ledger/postings.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { asOwner, createTestDatabase, type TestDatabase } from '../../support/database.ts';

const PUBLISHER = 71;
const OTHER = 72;
const ADVERTISER = 73;
const OWN: readonly AccountCode[] = [
  chart.publisherEarned(PUBLISHER, 0),
  chart.publisherEarned(PUBLISHER, 1),
  chart.publisherWithdrawable(PUBLISHER),
  chart.publisherHold(PUBLISHER),
];
const AVAILABLE = chart.advertiserAvailable(ADVERTISER);
const CODES: readonly AccountCode[] = [
  ...OWN,
  AVAILABLE,
  chart.publisherWithdrawable(OTHER),
  chart.billingClearing(0),
];
const TYPES = ['SPEND', 'EARNING', 'DEPOSIT'] as const satisfies readonly TransferType[];
const FUNDS = 10n ** 15n;

type Owner = Parameters<typeof listMoves>[1];
const OWNERS: readonly { owner: Owner; codes: readonly AccountCode[] }[] = [
  { owner: { accounts: 'publisher', value: PUBLISHER }, codes: OWN },
  { owner: { accounts: 'code', value: AVAILABLE }, codes: [AVAILABLE] },
];

let database: TestDatabase;
let keys = 0;

interface Posting {
  debit: AccountCode;
  credit: AccountCode;
  amountNanos: bigint;
  type: TransferType;
}

async function post(postings: readonly Posting[]): Promise<void> {
  keys += 1;
  const idempotencyKey = `moves:${keys}`;
  const bodies = postings.map((posting) => ({ ...posting, subject: null }));
  const batch = { idempotencyKey, kind: 'test', ref: {}, postings: bodies };
  // As nobody but the owner may: of any type, from anywhere to anywhere.
  await asOwner(
    database.db,
    async (owner) =>
      await inTransaction(owner, async (tx) => {
        await postEntries(owner, tx, batch);
      }),
  );
}

const postings = fc
  .record({
    pair: fc.shuffledSubarray([...CODES], { minLength: 2, maxLength: 2 }),
    amountNanos: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    type: fc.constantFrom(...TYPES),
  })
  .map(({ pair: [debit = AVAILABLE, credit = AVAILABLE], amountNanos, type }) => ({
    debit,
    credit,
    amountNanos,
    type,
  }));

beforeAll(async () => {
  database = await createTestDatabase();
  const funded = CODES.map((credit) => ({
    debit: chart.world('test'),
    credit,
    amountNanos: FUNDS,
    type: 'DEPOSIT' as const,
  }));
  await post(funded);
  const batches = fc.sample(fc.array(postings, { minLength: 1, maxLength: 4 }), {
    numRuns: 120,
    seed: 7,
  });
  // Eight at once, as shards and flows post.
  for (let at = 0; at < batches.length; at += 8) {
    await Promise.all(batches.slice(at, at + 8).map(post));
  }
}, 60_000);
afterAll(async () => {
  await database.close();
});

type Told = Pick<BalanceMove, 'id' | 'type' | 'amountNanos' | 'balanceAfterNanos'>;

/** The whole history, added up from its beginning; newest first. */
async function recomputed(codes: readonly string[]): Promise<Told[]> {
  const { rows } = await database.pool.query<Record<string, string> & Pick<BalanceMove, 'type'>>(
    `SELECT t.id, t.type, t.amount_nanos AS amount, d.code AS debit, c.code AS credit
     FROM ledger_transfers t JOIN ledger_accounts d ON d.id = t.debit_id
     JOIN ledger_accounts c ON c.id = t.credit_id ORDER BY t.id`,
  );
  const moves: Told[] = [];
  let balanceAfterNanos = 0n;
  for (const { id, type, amount = '0', debit = '', credit = '' } of rows) {
    const [gains, loses] = [codes.includes(credit), codes.includes(debit)];
    if (gains === loses) continue;
    const amountNanos = gains ? BigInt(amount) : -BigInt(amount);
    balanceAfterNanos += amountNanos;
    moves.push({ id: Number(id), type, amountNanos, balanceAfterNanos });
  }
  return moves.toReversed();
}

const toldOf = ({ id, type, amountNanos, balanceAfterNanos }: BalanceMove): Told => ({
  id,
  type,
  amountNanos,
  balanceAfterNanos,
});

describe.each(OWNERS)('moves of $owner.accounts', ({ owner, codes }) => {
  it('the newest · listed · left what the accounts hold now', async () => {
    const { items } = await listMoves(database.pool, owner, { limit: 1, offset: 0 });
    const { rows } = await database.pool.query<{ nanos: string }>(
      'SELECT sum(balance_nanos) AS nanos FROM ledger_accounts WHERE code = ANY($1::text[])',
      [codes],
    );
    expect(items[0]?.balanceAfterNanos).toBe(BigInt(rows[0]?.nanos ?? 0));
  });

  it('any page, type and cursor · listed · rows, balances and total as added up from the beginning', async () => {
    const history = await recomputed(codes);
    expect(history.length).toBeGreaterThan(80);
    expect(new Set(history.map(({ type }) => type)).size).toBe(TYPES.length);
    const cursors = history.map(({ id }) => id);
    const filters = fc.record({
      type: fc.option(fc.constantFrom(...TYPES), { nil: undefined }),
      cursor: fc.option(fc.constantFrom(1, ...cursors, 10 ** 9), { nil: undefined }),
      limit: fc.integer({ min: 1, max: 100 }),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: history.length + 5 })),
    });
    const check = async (filter: MoveFilter): Promise<void> => {
      const fitting = history.filter(
        ({ type }) => filter.type === undefined || type === filter.type,
      );
      const { cursor = Infinity, limit, offset } = filter;
      const page = fitting.filter(({ id }) => id < cursor).slice(offset, offset + limit);
      const { items, total } = await listMoves(database.pool, owner, filter);
      expect({ items: items.map(toldOf), total }).toEqual({ items: page, total: fitting.length });
    };
    await fc.assert(fc.asyncProperty(filters, check), { numRuns: 150 });
  });
});

it('an owner without accounts · listed · nothing, and a total of nothing', async () => {
  const nobody = { accounts: 'publisher', value: 999_999 } as const;
  for (const offset of [0, 20]) {
    expect(await listMoves(database.pool, nobody, { limit: 20, offset })).toEqual({
      items: [],
      total: 0,
    });
  }
});

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Every way by which a plan comes to transfers. */
function scansOf(plan: Plan): string[] {
  const index = plan['Index Name'] ?? '';
  const isWhole = plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] === 'ledger_transfers';
  return [
    ...(isWhole ? ['the whole table'] : []),
    ...(index.startsWith('ledger_transfers') ? [`${index} ${plan['Index Cond'] ?? ''}`] : []),
    ...(plan.Plans ?? []).flatMap(scansOf),
  ];
}

it('one account with nearly all transfers · another is listed · its own index entries are read alone', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(
      `INSERT INTO ledger_transfers (batch_id, currency, debit_id, credit_id, amount_nanos, type)
       SELECT 1, 'USD', (SELECT id FROM ledger_accounts WHERE code = $1),
         (SELECT id FROM ledger_accounts WHERE code = $2), 1, 'SPEND' FROM generate_series(1, 20000)`,
      [chart.billingClearing(0), chart.publisherWithdrawable(OTHER)],
    );
    // What a sample of a large table shows then: the planner takes each account for that one.
    await client.query(`ALTER TABLE ledger_transfers ALTER COLUMN debit_id SET (n_distinct = 1),
      ALTER COLUMN credit_id SET (n_distinct = 1)`);
    await client.query('ANALYZE ledger_transfers');
    const scans: string[] = [];
    const sql = {
      query: async (text: string, values?: unknown[]) => {
        const { rows } = await client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
          `EXPLAIN (FORMAT JSON) ${text}`,
          values,
        );
        for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) scans.push(...scansOf(Plan));
        return await client.query(text, values);
      },
    } as SqlRunner;
    for (const { owner } of OWNERS) await listMoves(sql, owner, { limit: 20, offset: 0 });
    expect(scans.length).toBeGreaterThan(10);
    const others = scans.filter(
      (scan) => !/^ledger_transfers_of_(debit|credit) \(/.test(scan) && !/_pkey \(id = /.test(scan),
    );
    expect(others).toEqual([]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
