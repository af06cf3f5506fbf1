import { type AccountOverview, listAccounts } from '../../../db/queries/account-admin.ts';
import type { AccountKind } from '../../../db/queries/accounts.ts';
import type { SqlRunner } from '../../../db/sql-runner.ts';
import { DEPOSIT_STATUSES } from '../../../domain/lifecycle/deposit.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAccount } from '../../support/make/account.ts';

const KINDS = ['ADVERTISER', 'PUBLISHER'] as const satisfies readonly AccountKind[];
const WITHDRAWAL_STATUSES = [
  'PENDING',
  'RISK_HOLD',
  'APPROVED',
  'PROCESSING',
  'UNKNOWN',
  'PAID',
  'FAILED',
  'RETURNED',
  'REJECTED',
  'CANCELLED',
];
const OF_EACH = 7;
/** Orders and ledger accounts of one account of each kind, beside which all others have next to none. */
const BULK = 20_000;

type Figures = Pick<
  AccountOverview,
  | 'availableNanos'
  | 'maturingNanos'
  | 'withdrawableNanos'
  | 'heldNanos'
  | 'openTasks'
  | 'openMoneyOrders'
>;

let database: TestDatabase;
/** Newest first, as lists have them. */
const expected: Record<AccountKind, (Figures & { id: number })[]> = {
  ADVERTISER: [],
  PUBLISHER: [],
};

/** Past the triggers, which let no balance stand without its transfers. */
async function seed(text: string, values: unknown[] = []): Promise<void> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('SET LOCAL session_replication_role = replica');
    await client.query(text, values);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/** The account's figures grow with its place, so that no two have the same. */
async function makeFigures(kind: AccountKind, at: number): Promise<Figures & { id: number }> {
  const id = (await makeAccount(database.db, kind)).id;
  const own = kind === 'ADVERTISER' ? 'adv' : 'pub';
  const money = BigInt(at * 1_000) + 9_007_199_254_740_993n;
  const balances =
    kind === 'ADVERTISER'
      ? { available: money }
      : {
          'earned:0': money,
          'earned:1': money + 1n,
          withdrawable: money + 2n,
          hold: BigInt(at),
        };
  // The first has no ledger account yet.
  for (const [name, nanos] of at === 0 ? [] : Object.entries(balances)) {
    await seed(
      `INSERT INTO ledger_accounts (code, currency, owner_type, owner_id, floor_nanos, balance_nanos) VALUES ($1, 'USD', $2, $3, 0, $4)`,
      [`${own}:${id}:${name}`, kind, id, nanos],
    );
  }
  await seed(
    kind === 'ADVERTISER'
      ? `INSERT INTO deposits (advertiser_id, amount_nanos, payment_method, reference, status, expires_at)
         SELECT $1::bigint, 1, 'BANK', $1::bigint || status || i, status, now() FROM unnest($3::text[]) status, generate_series(1, $2::int) i`
      : `INSERT INTO withdrawals (publisher_id, amount_nanos, arrival_nanos, channel, status)
         SELECT $1, 1, 1, 'BANK', status FROM unnest($3::text[]) status, generate_series(1, $2::int) i`,
    [id, at, kind === 'ADVERTISER' ? DEPOSIT_STATUSES : WITHDRAWAL_STATUSES],
  );
  await seed(
    `INSERT INTO tasks (kind, status, subject_type, subject_id, account_id, summary, decisions, required_role, workflow_id, dedupe_key)
     SELECT 'creative_review', status, 'creative', i, $1::bigint, 'x', '[]', 'REVIEWER', $1::bigint || status || i, $1::bigint || status || i
     FROM unnest(ARRAY['open', 'decided']) status, generate_series(1, $2::int) i`,
    [id, at],
  );
  const none = at === 0;
  const isAdvertiser = kind === 'ADVERTISER';
  return {
    id,
    availableNanos: none || !isAdvertiser ? 0n : money,
    maturingNanos: none || isAdvertiser ? 0n : 2n * money + 1n,
    withdrawableNanos: none || isAdvertiser ? 0n : money + 2n,
    heldNanos: isAdvertiser ? 0n : BigInt(at),
    openTasks: at,
    openMoneyOrders: at * (isAdvertiser ? 3 : 5),
  };
}

beforeAll(async () => {
  database = await createTestDatabase();
  for (let at = 0; at < OF_EACH; at += 1) {
    for (const kind of KINDS) expected[kind].unshift(await makeFigures(kind, at));
  }
}, 60_000);
afterAll(async () => {
  await database.close();
});

const figuresOf = ({ id, ...row }: AccountOverview): Figures & { id: number } => ({
  id,
  availableNanos: row.availableNanos,
  maturingNanos: row.maturingNanos,
  withdrawableNanos: row.withdrawableNanos,
  heldNanos: row.heldNanos,
  openTasks: row.openTasks,
  openMoneyOrders: row.openMoneyOrders,
});

describe.each(KINDS)('%s accounts', (kind) => {
  it('every page · listed · newest first, each with its own sums and open orders', async () => {
    for (let offset = 0; offset <= OF_EACH; offset += 3) {
      const { items, total } = await listAccounts(database.pool, { kind, limit: 3, offset });
      expect(items.map(figuresOf)).toEqual(expected[kind].slice(offset, offset + 3));
      expect(total).toBe(OF_EACH);
    }
  });

  it('one of them by id, and none · read · that one, and nothing', async () => {
    const [, second] = expected[kind];
    const one = { kind, limit: 1, offset: 0 };
    const { items } = await listAccounts(database.pool, { ...one, id: second?.id });
    expect(items.map(figuresOf)).toEqual([second]);
    expect(await listAccounts(database.pool, { ...one, id: 10 ** 9 })).toEqual({
      items: [],
      total: 0,
    });
  });
});

it('one account with nearly all orders · others are listed · no table is read whole', async () => {
  const [advertiser, publisher] = KINDS.map((kind) => expected[kind].at(-1)?.id);
  await seed(`INSERT INTO deposits (advertiser_id, amount_nanos, payment_method, reference, expires_at)
    SELECT ${advertiser}, 1, 'BANK', 'bulk' || i, now() FROM generate_series(1, ${BULK}) i`);
  await seed(`INSERT INTO withdrawals (publisher_id, amount_nanos, arrival_nanos, channel)
    SELECT ${publisher}, 1, 1, 'BANK' FROM generate_series(1, ${BULK}) i`);
  // Of no chart, because there are not so many accounts of one owner in it.
  await database.pool.query('ALTER TABLE ledger_accounts DROP CONSTRAINT ledger_accounts_chart');
  await seed(`INSERT INTO ledger_accounts (code, currency, owner_type, owner_id)
    SELECT 'bulk:' || i, 'USD', 'ADVERTISER', ${advertiser} FROM generate_series(1, ${BULK}) i`);
  // What a sample of a large table shows then: the planner takes each account for that one.
  await database.pool.query(`ALTER TABLE deposits ALTER COLUMN advertiser_id SET (n_distinct = 1);
    ALTER TABLE withdrawals ALTER COLUMN publisher_id SET (n_distinct = 1);
    ALTER TABLE ledger_accounts ALTER COLUMN owner_id SET (n_distinct = 1)`);
  await database.pool.query('ANALYZE deposits, withdrawals, ledger_accounts');
  const plans: string[] = [];
  const sql = {
    query: async (text: string, values?: unknown[]) => {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN ${text}`,
        values,
      );
      plans.push(...rows.map((row) => row['QUERY PLAN']));
      return await database.pool.query(text, values);
    },
  } as SqlRunner;
  for (const kind of KINDS) await listAccounts(sql, { kind, limit: 5, offset: 0 });
  expect(plans.some((line) => line.includes('deposits_under_way'))).toBe(true);
  expect(plans.some((line) => line.includes('withdrawals_under_way'))).toBe(true);
  const whole = plans.filter((line) => /Seq Scan on (deposits|withdrawals|ledger_a)/.test(line));
  expect(whole).toEqual([]);
});
