import { runner } from '../../../db/postgres.ts';
import { readBankPosition } from '../../../db/queries/bank-position.ts';
import { runBook } from '../../../db/queries/books.ts';
import { listStatementLines } from '../../../db/queries/bank-statements.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { nanos } from '../../support/make/money.ts';
import { payIn } from '../../support/make/paid-in.ts';
import { insertRow } from '../../support/make/row.ts';
import { sendBack } from '../../support/make/sent-back.ts';

/** Unused balance that a person has sent back by wire, against what the bank says went out. */
const IBAN = 'DE89370400440532013000';
const DAY_MS = 86_400_000;
/** One day for all of them, also where midnight comes meanwhile. */
const TODAY_MS = Date.now();
const dayIn = (days: number): string =>
  new Date(TODAY_MS + days * DAY_MS).toISOString().slice(0, 10);
const sentAt = new Date(`${dayIn(0)}T00:00:00Z`);

let database: TestDatabase;
let clerk: number;
let statement: number;
let serial = 0;

beforeEach(async () => {
  database = await createTestDatabase();
  clerk = (await makeOperator(database.db, 'FINANCE')).id;
  statement = await newStatement();
  await closed(-1);
  await closed(0);
});
afterEach(async () => await database.close());

const newStatement = async (ours = { pays_out: true, takes_in: true }): Promise<number> =>
  await insertRow(database, 'bank_statements', {
    account: IBAN,
    format: 'CAMT053',
    sha256: String((serial += 1)),
    line_count: 0,
    added_count: 0,
    outgoing_count: 1,
    operator_id: clerk,
    ...ours,
  });

const closed = async (days: number): Promise<void> => {
  await database.pool.query(
    `INSERT INTO bank_statement_balances (statement_id, kind, on_day, amount_nanos) VALUES ($1, 'CLOSING', $2, 0)`,
    [statement, dayIn(days)],
  );
};

/** The bank says that so much went out under this reference. */
const wentOut = async (reference: string, amount: number, more: object = {}): Promise<number> =>
  await insertRow(database, 'bank_statement_lines', {
    statement_id: statement,
    account: IBAN,
    line: (serial += 1),
    booked_on: dayIn(0),
    amount_nanos: nanos(amount),
    currency: 'USD',
    reference,
    direction: 'OUT',
    identity: `X-${serial}`,
    ...more,
  });

const explain = async (line: number, words: string): Promise<void> => {
  await database.pool.query(
    'UPDATE bank_statement_lines SET explanation = $2, explained_by = $3, explained_at = now() WHERE id = $1',
    [line, words, clerk],
  );
};

async function paidInBy(method: string, ...sums: number[]): Promise<number> {
  const { id: advertiserId } = await makeAdvertiser(database.db);
  for (const sum of sums) await payIn(database, advertiserId, method, sum);
  return advertiserId;
}

const OF_REFUNDS = ['UNKNOWN_OUT', 'REFUND_NOT_AT_BANK'];
/** What the two do not say of each other; what came in is none of this. */
async function open(): Promise<[item: string, units: number, isLate: boolean][]> {
  const accounts = await readBankPosition(runner(database.db), 100);
  return accounts
    .flatMap((account) => account.open)
    .filter(({ item }) => OF_REFUNDS.includes(item))
    .map(({ item, nanos: sum, isLate }) => [item, Number(sum) / 1e9, isLate]);
}

const linesOf = async () => {
  const filter = { statementId: statement, limit: 10, offset: 0 };
  const { items } = await listStatementLines(runner(database.db), filter);
  return items.map(({ refundId, balanceRefundId }) => [refundId, balanceRefundId !== null]);
};

test('a refund by wire · that the bank has paid · is matched by the reference, however it is written', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  const refundId = await sendBack(database, {
    advertiserId,
    amount: 30,
    reference: 'Out 7',
    sentAt,
  });
  await wentOut('OUT7', 30);
  expect(await open()).toEqual([]);
  expect(await linesOf()).toEqual([[refundId, true]]);
});

test('a refund by wire · that the bank has not paid · is an item of its own, and late after five days', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  expect(await open()).toEqual([['REFUND_NOT_AT_BANK', 30, false]]);
  await closed(4);
  expect(await open()).toEqual([['REFUND_NOT_AT_BANK', 30, false]]);
  await closed(5);
  expect(await open()).toEqual([['REFUND_NOT_AT_BANK', 30, true]]);
  const late = async () =>
    BigInt((await runBook(runner(database.db), 'bank_agrees_with_books')).figure);
  const before = await late();
  await wentOut('OUT-7', 30);
  expect(await open()).toEqual([]);
  expect(before - (await late())).toBe(nanos(30));
});

test.each<[string, string, number, object]>([
  ['under another reference', 'OUT-8', 30, {}],
  ['of another sum', 'OUT-7', 30.01, {}],
  ['that pays a payout', 'OUT-7', 30, { payout_reference: 'WD-9' }],
])('a movement %s · pays no refund · both stay open', async (_what, reference, sum, more) => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  await wentOut(reference, sum, more);
  expect(new Set((await open()).map(([item]) => item))).toEqual(new Set(OF_REFUNDS));
  expect(await linesOf()).toEqual([[null, false]]);
});

test('a transfer that was taken back · pays no refund', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  await wentOut('OUT-7', 30, { is_reversal: true });
  expect(await open()).toEqual([['REFUND_NOT_AT_BANK', 30, false]]);
  expect(await linesOf()).toEqual([[null, false]]);
});

test('two transfers of one refund · the second is money that nobody knows of', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  await wentOut('OUT-7', 30);
  await wentOut('OUT-7', 30);
  expect(await open()).toEqual([['UNKNOWN_OUT', -30, false]]);
  expect((await linesOf()).map(([, isKnown]) => isKnown)).toEqual([true, false]);
});

test('one transfer of two parts · under their one reference · pays both; one of them alone pays neither', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  await sendBack(database, { advertiserId, amount: 20, reference: 'OUT-7', sentAt });
  const alone = await wentOut('OUT-7', 30);
  expect(await open()).toEqual(
    expect.arrayContaining([
      ['UNKNOWN_OUT', -30, false],
      ['REFUND_NOT_AT_BANK', 50, false],
    ]),
  );
  await explain(alone, 'Rent');
  await wentOut('OUT-7', 50);
  expect(await open()).toEqual([]);
});

test('a reference that was written down wrongly · explained in words with it · settles both; in others not', async () => {
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  const line = await wentOut('BK000009', 30);
  await explain(line, 'Nothing of ours');
  expect(await open()).toEqual([['REFUND_NOT_AT_BANK', 30, false]]);
  const other = await wentOut('BK000010', 30);
  await explain(other, 'The refund that is called out-7 here');
  expect(await open()).toEqual([]);
});

test('what a wallet had paid in · sent back by wire · is no movement that our books have of the bank', async () => {
  const advertiserId = await paidInBy('ALIPAY', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  expect(await open()).toEqual([]);
  await wentOut('OUT-7', 30);
  expect(await open()).toEqual([['UNKNOWN_OUT', -30, false]]);
});

test('a statement of an account that takes nothing in · misses no refund', async () => {
  await database.pool.query('UPDATE bank_statements SET takes_in = false');
  const advertiserId = await paidInBy('BANK', 80);
  await sendBack(database, { advertiserId, amount: 30, reference: 'OUT-7', sentAt });
  expect(await open()).toEqual([]);
});
