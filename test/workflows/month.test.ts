import { issueDocuments } from '../../activities/documents/issue.ts';
import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { SAMPLE_ORIGIN } from '../../domain/payout-terms.ts';
import {
  depositWorkflowId,
  refundWorkflowId,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { statusReport } from '../support/bank-files.ts';
import { dataOf } from '../support/call.ts';
import { makeOperator } from '../support/make/account.ts';
import { disagreements, type Outside } from '../support/month/agreement.ts';
import { TestBank } from '../support/month/bank.ts';
import { type Cast, dayOfTraffic, makeCast } from '../support/month/cast.ts';
import { dayOf, DAYS, good, monthDesk, on } from '../support/month/desk.ts';
import { type MovedTime, movedTime } from '../support/moved-time.ts';
import { startTestSandboxes } from '../support/sandboxes.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

/**
 * A calendar month of the whole platform, day by day on a clock that is moved: money comes by five methods, is
 * spent, earned and paid by four channels, some of it goes back; and whoever was there says the same to the nano.
 */
let stand: FlowStand;
let time: MovedTime;
let outside: Outside;
let cast: Cast;
let desk: ReturnType<typeof monthDesk>;

beforeAll(async () => {
  const sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '1' };
  outside = { bank: new TestBank(SAMPLE_ORIGIN.iban), sandboxes, tokensIn: 0n, cashNanos: 0n };
  stand = await createStand({ flows: env, env, ownClock: true });
  time = movedTime(stand.database, stand.flows);
  await time.to(on(0, 9));
  await stand.flows.activities.runUpkeep();
  const { db } = stand.database;
  const finance = [
    (await makeOperator(db, 'FINANCE')).id,
    (await makeOperator(db, 'FINANCE')).id,
  ] as const;
  cast = await makeCast(stand);
  desk = monthDesk({ stand, outside, cast, finance });
}, 120_000);

afterAll(async () => {
  await stand?.close();
  time?.end();
  await outside?.sandboxes.close();
}, 60_000);

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
/** What became of an earlier day, by its name. */
const kept: Record<string, number> = {};
const back: Record<string, ReturnType<TestBank['debit']>> = {};

/** What somebody does on a day, at ten o'clock; what waits for its hour goes on by itself. */
const STORY: Readonly<Record<number, () => Promise<void>>> = {
  0: async () => {
    const { bank, usdt } = cast.publishers;
    await desk.agree({ kind: 'SHARE', publisher_id: bank, percent: 82.5 }, 1);
    await desk.agree({ kind: 'SHARE', publisher_id: bank, percent: 61.803 }, 16);
    await desk.agree({ kind: 'SHARE', publisher_id: usdt, percent: 66.6667 }, 3);
    const german = { country: 'DE', entity_type: 'PERSONAL', percent: 15.825 };
    await desk.agree({ kind: 'TAX', ...german, basis: 'Section 50a' }, 1);
    await desk.agree({ kind: 'TAX', country: 'US', percent: 30, basis: 'Section 1441' }, 1);
    await desk.agree({ kind: 'TAX', country: 'US', percent: 10, basis: 'A treaty' }, 20);
  },
  1: async () => {
    const { reference } = await desk.order('bank', 3_000, { payment_method: 'BANK' });
    outside.bank.credit({ day: dayOf(1), cents: 300_000n, text: `Top-up ${reference}` });
    await desk.becomes((await desk.byWallet('alipay', 2_500)).id, 'PAID');
    await desk.becomes((await desk.byWallet('wechat', 2_700)).id, 'PAID');
    await desk.byToken('ERC20', 1_500);
    await desk.byCash(2_900);
  },
  // More than was ordered, which nobody wanted: all of it goes back.
  5: async () => {
    const of = await desk.byWallet('alipay', 100, 108_000n);
    await desk.decide(desk.checker(), depositWorkflowId(of.id), 'reject');
    await desk.becomes(of.id, 'REFUNDED');
  },
  6: async () => {
    const { id, reference } = await desk.order('bank', 500, { payment_method: 'BANK' });
    outside.bank.credit({ day: dayOf(6), cents: 45_000n, text: reference });
    kept['less'] = id;
  },
  // Less than was ordered: the bank sends it back as it is asked to, and its statement names what was written down.
  7: async () => {
    const id = kept['less'] ?? 0;
    await desk.decide(desk.checker(), depositWorkflowId(id), 'reject');
    const ofOrder = 'SELECT id FROM deposit_receipts WHERE deposit_id = $1';
    const flow = suspenseWorkflowId(Number((await desk.rowOf<{ id: string }>(ofOrder, id)).id));
    const sent = outside.bank.debit({ day: dayOf(7), cents: 45_000n, text: 'Back to the payer' });
    await desk.decide(desk.checker(), flow, 'sent_back', sent.reference);
    await desk.becomes(id, 'REFUNDED');
  },
  12: async () => {
    kept['bank'] = await desk.withdraw('bank', 200);
    kept['paypal'] = await desk.withdraw('paypal', 123.45, 'ada@example.com');
  },
  13: async () => {
    await desk.carryToBank(kept['bank'] ?? 0, 14);
    const taken = { reference: `WD-${kept['bank']}`, code: 'ACSC', amount: '163.35' };
    const report = Buffer.from(statusReport([taken]));
    good(await desk.maker().upload('/payout-status-files', report, 'taken.xml'));
    kept['usdt'] = await desk.withdraw('usdt', 150.123456, WALLET);
  },
  14: async () => void (kept['paxum'] = await desk.withdraw('paxum', 140.01, 'bo@example.com')),
  15: async () => {
    expect(await desk.ends(kept['bank'] ?? 0)).toBe('PAID');
    expect(await desk.ends(kept['paypal'] ?? 0)).toBe('PAID');
    await desk.onChain(kept['usdt'] ?? 0);
  },
  16: async () => expect(await desk.ends(kept['paxum'] ?? 0)).toBe('PAID'),
  17: async () => void (kept['bank'] = await desk.withdraw('bank', 180)),
  18: async () => {
    back['bank'] = await desk.carryToBank(kept['bank'] ?? 0, 18);
    const notice = outside.bank.notice(back['bank']);
    good(await desk.maker().upload('/payout-status-files', notice, 'booked.xml'));
    expect(await desk.ends(kept['bank'] ?? 0)).toBe('PAID');
  },
  19: async () =>
    void (kept['paypal'] = await desk.withdraw('paypal', 111.11, 'ada+returned@example.com')),
  20: async () => {
    if (back['bank'] !== undefined) back['bank'] = outside.bank.sendBack(back['bank'], dayOf(20));
    kept['unpaid'] = (await desk.order('bank', 77, { payment_method: 'BANK' })).id;
  },
  21: async () => {
    const { reference } = back['bank'] ?? { reference: '' };
    good(await desk.maker().post(`/withdrawals/${kept['bank']}/return`, { reference }));
    expect(await desk.ends(kept['paypal'] ?? 0)).toBe('FAILED');
    kept['usdt'] = await desk.withdraw('usdt', 200, WALLET);
  },
  // What is still to mature is taken back of it; what was paid out already is owed.
  22: async () => {
    const balance = dataOf(await desk.publisher('paxum').get('/withdrawals/balance'));
    const all = Math.floor(Number(balance['withdrawable']) * 100) / 100;
    kept['paxum'] = await desk.withdraw('paxum', all, 'bo@example.com');
    await desk.onChain(kept['usdt'] ?? 0);
  },
  23: async () => {
    expect(await desk.ends(kept['paxum'] ?? 0)).toBe('PAID');
    expect(await desk.reverse(18, 'paxum')).toBe('APPLIED');
    expect(await desk.reverse(14, 'paxum')).toBe('APPLIED');
  },
  // Part of what is left of a balance goes back by its wallet, of another by a wire that a person sends.
  25: async () => void (await desk.isBack((await desk.askBack('alipay', 250)).id)),
  26: async () => {
    const { id, parts } = await desk.askBack('bank', 120.5);
    const sent = outside.bank.debit({ day: dayOf(26), cents: 12_050n, text: 'Back to the payer' });
    const flow = refundWorkflowId(parts[0]?.id ?? 0);
    await desk.decide(desk.checker(), flow, 'sent_back', sent.reference);
    await desk.isBack(id);
  },
  28: async () => {
    await desk.becomes(kept['unpaid'] ?? 0, 'EXPIRED');
    await desk.byToken('TRC20', 600);
  },
};

const WAYS = [
  'BALANCE_EXHAUSTED',
  'BALANCE_REFUND',
  'DEBT_PAID',
  'DEPOSIT_REFUND',
  'EARNING_REVERSED',
  'SPEND_REVERSED',
  'WITHDRAWAL_RELEASE',
  'WITHDRAWAL_RETURNED',
  'WITHDRAWAL_TAX_RETURNED',
];

const sql = () => runner(stand.database.db);

/** What the platform's own rounds do of a night. */
async function night(day: number): Promise<void> {
  const { activities } = stand.flows;
  await activities.settleBatch({ shard: 0 });
  await activities.matureEarnings();
  await activities.runUpkeep();
  const books = await runBooks(sql());
  expect([dayOf(day), books.filter(({ ok }) => !ok)]).toEqual([dayOf(day), []]);
}

test('a month · of all methods, channels and ways back · everybody says the same, to the nano', async () => {
  await STORY[0]?.();
  for (let day = 1; day <= DAYS; day += 1) {
    await time.to(on(day, 10));
    await desk.importStatement(day - 1);
    await STORY[day]?.();
    await dayOfTraffic(stand.database, cast, { day: on(day), hours: 2 });
    await night(day);
  }
  await time.to(on(DAYS + 1, 10));
  await desk.importStatement(DAYS);
  expect(await issueDocuments(stand.flows.deps)).toBeGreaterThan(0);
  await night(DAYS + 1);
  expect(await disagreements(sql(), dayOf(1), outside)).toEqual([]);
  const { accounts } = dataOf(good(await desk.maker().get('/bank-statements/position'))) as {
    accounts: object[];
  };
  expect(accounts).toMatchObject([{ difference: 0, gap: 0, open: 0 }]);
  // What the month was to have in it was in it: ways back on both sides, a debt, and a purse that ran dry.
  const { rows } = await stand.database.pool.query<{ word: string }>(
    'SELECT DISTINCT type AS word FROM ledger_transfers UNION SELECT reason FROM events WHERE NOT billable',
  );
  expect(rows.map(({ word }) => word)).toEqual(expect.arrayContaining(WAYS));
}, 300_000);

/** Who notices, of those who were there. */
const noticed = async (look = sql()): Promise<string[]> =>
  (await disagreements(look, dayOf(1), outside)).map((each) => each.split(': ')[0] ?? '');

test.each([
  [
    'a transfer',
    `UPDATE ledger_transfers SET amount_nanos = amount_nanos + 1
     WHERE id = (SELECT min(id) FROM ledger_transfers WHERE type = 'SPEND')`,
    ['ledger SPEND'],
  ],
  [
    'an event',
    `UPDATE events SET publisher_nanos = publisher_nanos + 1
     WHERE id = (SELECT id FROM events WHERE billable ORDER BY day, id LIMIT 1)`,
    ['statements EARNING', 'ledger EARNING'],
  ],
  [
    'a receipt',
    `UPDATE deposit_receipts SET amount_nanos = amount_nanos + 1 WHERE id = 1`,
    ['statements DEPOSIT', 'ledger DEPOSIT', 'documents DEPOSIT_RECEIPT'],
  ],
  [
    'an invoice',
    `UPDATE documents SET total_nanos = total_nanos - 1
     WHERE id = (SELECT min(id) FROM documents WHERE kind = 'INVOICE')`,
    ['documents INVOICE'],
  ],
  [
    'what a statement ends with',
    `UPDATE documents SET closing_nanos = closing_nanos + 1, total_nanos = total_nanos + 1
     WHERE id = (SELECT min(id) FROM documents WHERE kind = 'STATEMENT')`,
    ['closing balances'],
  ],
  [
    'a balance of the outside world',
    `UPDATE ledger_accounts SET balance_nanos = balance_nanos - 1 WHERE code = 'w:paxum'`,
    ['w:paxum'],
  ],
])('one nano of %s · planted past every guard · is noticed', async (_what, fault, names) => {
  const client = await stand.database.pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    expect((await client.query(fault)).rowCount).toBe(1);
    expect(await noticed(client)).toEqual(names);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});

test.each<[string, () => () => void, string]>([
  [
    'the bank',
    () => {
      outside.bank.debit({ day: dayOf(3), cents: 1n, text: 'A fee' });
      return () => void outside.bank.entries.pop();
    },
    'w:bank',
  ],
  [
    'PayPal',
    () => {
      const [batch] = outside.sandboxes.paypal.batches;
      if (batch === undefined) throw new Error('PayPal has paid nothing');
      const { value } = batch;
      batch.value = (Number(value) + 0.01).toFixed(2);
      return () => void (batch.value = value);
    },
    'w:paypal',
  ],
  [
    'a chain',
    () => {
      outside.tokensIn += 1n;
      return () => void (outside.tokensIn -= 1n);
    },
    'w:usdt',
  ],
])('the least step of %s · that our books have not · is noticed', async (_what, plant, name) => {
  const undo = plant();
  expect(await noticed()).toEqual([name]);
  undo();
  expect(await noticed()).toEqual([]);
});
