import { runner } from '../../../db/postgres.ts';
import { runBook } from '../../../db/queries/books.ts';
import { type Caller, dataOf, idOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { payIn } from '../../support/make/paid-in.ts';
import { sendBack } from '../../support/make/sent-back.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { eventually } from '../../support/until.ts';

/** interface 5.12: a statement's payments become receipts once, by the path of those typed in. */
const PAYER = 'DE75512108001245126199';
let stand: FlowStand;
let clerk: Caller;
let clerkId: number;
let owner: Caller;
let serial = 0;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  clerkId = (await makeOperator(stand.database.db, 'FINANCE')).id;
  clerk = stand.as('admin', clerkId);
  owner = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
});
afterAll(async () => {
  await stand.close();
});

const QUERY =
  'date_column=Date&amount_column=Amount&currency_column=Currency&reference_column=Reference&payer_column=Payer&text_column=Text';
const upload = (who: Caller, account: string, lines: readonly string[], query = QUERY) =>
  who.upload(
    `/bank-statements?account=${encodeURIComponent(account)}&${query}`,
    Buffer.from(['Date,Amount,Currency,Reference,Payer,Text', ...lines].join('\n')),
    'january.csv',
  );

interface Line {
  id: number;
  reference: string;
  state: string;
  reason: string | null;
  effect: string | null;
  order: { id: number } | null;
  receipt_id: number | null;
}

async function linesOf(statement: number, query = ''): Promise<Line[]> {
  const answer = await clerk.get(`/bank-statements/${statement}/lines?page_size=100${query}`);
  expect(answer.status).toBe(200);
  return (dataOf(answer) as { items: Line[] }).items;
}

async function order(amount: number): Promise<{ id: number; reference: string }> {
  const answer = await owner.post('/deposits', { amount, payment_method: 'BANK' });
  const { reference } = dataOf(answer) as { reference: string };
  return { id: idOf(answer), reference };
}

/** As a bank writes it: closed with this balance, after these entries. */
const camt = (day: string, closing: string, entries: readonly string[]): Buffer =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
<Acct><Id><IBAN>${PAYER}</IBAN></Id></Acct><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>
<Amt Ccy="USD">${closing}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>
${entries.join('')}</Stmt></BkToCstmrStmt></Document>`);
const entry = (day: string, dir: 'CRDT' | 'DBIT', amount: string, reference: string, more = '') =>
  `<Ntry><Amt Ccy="USD">${amount}</Amt><CdtDbtInd>${dir}</CdtDbtInd>${more}<Sts><Cd>BOOK</Cd></Sts>
<BookgDt><Dt>${day}</Dt></BookgDt><AcctSvcrRef>${reference}</AcctSvcrRef></Ntry>`;
const book = async (file: Buffer): Promise<number> => {
  const answer = await clerk.upload('/bank-statements/camt053', file, 'day.xml');
  expect([answer.status, dataOf(answer)['errors']]).toEqual([201, undefined]);
  return idOf(answer);
};
interface Position {
  accounts: {
    difference: number;
    gap: number;
    until: string;
    items: { item: string; amount: number; is_late: boolean; line_id: number | null }[];
  }[];
}
const position = async () =>
  (dataOf(await clerk.get('/bank-statements/position')) as unknown as Position).accounts;
const figureOf = async (name: string): Promise<string> =>
  (await runBook(runner(stand.database.db), name)).figure;

const freshAccount = (): string => `Harbour Bank ${(serial += 1)}`;
const statusOf = async (id: number): Promise<unknown> =>
  dataOf(await clerk.get(`/deposits/${id}`))['status'];
const receipts = async (): Promise<number> =>
  (await stand.database.pool.query('SELECT 1 FROM deposit_receipts')).rows.length;

test('a statement · of five payments · proposes the exact one and says why of the others', async () => {
  const [exact, differs, ended] = [await order(50), await order(60), await order(70)];
  await owner.post(`/deposits/${ended.id}/cancel`);
  const sent = await upload(clerk, freshAccount(), [
    `2026-01-05,50,USD,A-${exact.id},Ada,Top-up ${exact.reference}`,
    `2026-01-05,61,USD,B-${exact.id},Ada,${differs.reference}`,
    `2026-01-05,70,USD,C-${exact.id},Ada,${ended.reference}`,
    `2026-01-05,5,USD,D-${exact.id},Bo,thank you`,
    `2026-01-05,5,USD,E-${exact.id},Bo,${exact.reference} ${differs.reference}`,
    `2026-01-05,-5,USD,F-${exact.id},,rent`,
  ]);
  expect(sent.status).toBe(201);
  expect(dataOf(sent)).toMatchObject({
    lines: 5,
    added: 5,
    outgoing: 1,
    proposed: 1,
    unmatched: 4,
    recorded: 0,
    operator_id: clerkId,
  });
  const lines = await linesOf(idOf(sent));
  expect(lines.map(({ state, reason, effect }) => [state, reason, effect])).toEqual([
    ['PROPOSED', null, 'CREDIT'],
    ['UNMATCHED', 'AMOUNT_DIFFERS', 'REVIEW'],
    ['UNMATCHED', 'ORDER_ENDED', 'SUSPENSE'],
    ['UNMATCHED', 'NO_REFERENCE', null],
    ['UNMATCHED', 'SEVERAL_REFERENCES', null],
    ['OUT', null, null],
  ]);
  expect((await linesOf(idOf(sent), '&state=PROPOSED')).map((line) => line.order?.id)).toEqual([
    exact.id,
  ]);
});

test('the same statement · and one that overlaps · add only what is new', async () => {
  const account = freshAccount();
  const first = ['2026-01-05,5,USD,S-1,Bo,x', '2026-01-05,6,USD,,Bo,y'];
  const sent = await upload(clerk, account, first);
  const again = await upload(clerk, account, first);
  expect([again.status, idOf(again)]).toEqual([200, idOf(sent)]);
  expect([sent, again].map((each) => dataOf(each)['repeated'])).toEqual([false, true]);
  const more = await upload(clerk, account, [...first, '2026-01-06,7,USD,S-3,Bo,z']);
  expect([more.status, dataOf(more)]).toMatchObject([201, { lines: 3, added: 1 }]);
  const elsewhere = await upload(clerk, freshAccount(), first);
  expect(dataOf(elsewhere)['added']).toBe(2);
  const other = await upload(clerk, account, ['2026-01-05,9,USD,S-1,Bo,x']);
  expect([other.status, dataOf(other)['errors']]).toMatchObject([
    422,
    [{ field: 'row.2', code: 'already_claimed' }],
  ]);
});

test('lines · tried, then recorded · pay the order once and send the rest to a person', async () => {
  const [exact, differs, ended] = [await order(50), await order(60), await order(70)];
  await owner.post(`/deposits/${ended.id}/cancel`);
  const statement = idOf(
    await upload(clerk, freshAccount(), [
      `2026-01-05,50,USD,P-${exact.id},Ada,${exact.reference}`,
      `2026-01-05,61,USD,Q-${exact.id},Ada,${differs.reference}`,
      `2026-01-05,70,USD,R-${exact.id},Ada,${ended.reference}`,
    ]),
  );
  const [paying, more, late] = await linesOf(statement);
  const before = await receipts();
  const record = (body: object) => clerk.post(`/bank-statements/${statement}/record`, body);
  const proposed = { lines: [{ id: paying?.id }, { id: more?.id }, { id: 987_654 }] };
  const tried = await record({ ...proposed, dry_run: true });
  const outcome = {
    done: 1,
    failed: 2,
    items: [{ error: null }, { error: 'state_conflict' }, { error: 'not_found' }],
  };
  expect(dataOf(tried)).toMatchObject({ dry_run: true, ...outcome });
  expect(await receipts()).toBe(before);
  expect(dataOf(await record(proposed))).toMatchObject({ dry_run: false, ...outcome });
  await eventually(async () => expect(await statusOf(exact.id)).toBe('PAID'));
  expect(dataOf(await record({ lines: [{ id: paying?.id }] }))).toMatchObject({
    done: 0,
    items: [{ error: 'state_conflict' }],
  });
  const named = [
    { id: more?.id, deposit_id: differs.id },
    { id: late?.id, deposit_id: ended.id },
  ];
  expect(dataOf(await record({ lines: named }))).toMatchObject({ done: 2, failed: 0 });
  await eventually(async () => {
    expect(await statusOf(differs.id)).toBe('REVIEW');
    const tasks = await clerk.get('/tasks?kind=suspense&status=open');
    const { items } = dataOf(tasks) as { items: { subject: { id: number } }[] };
    expect(items.map(({ subject }) => subject.id)).toContain(ended.id);
  });
  expect((await linesOf(statement)).map(({ state }) => state)).toEqual([
    'RECORDED',
    'RECORDED',
    'RECORDED',
  ]);
  const audit = await stand.database.pool.query<{ actor_id: string; detail: object }>(
    `SELECT actor_id, detail FROM audit_log WHERE action = 'bank_statement.record'
     AND subject_id = $1 ORDER BY id`,
    [statement],
  );
  expect(audit.rows.map((row) => Number(row.actor_id))).toEqual([clerkId, clerkId, clerkId]);
});

test('a payment · typed in before its statement came · is that receipt and no second one', async () => {
  const { id, reference } = await order(50);
  await clerk.post(`/deposits/${id}/receipts`, { amount: 50, reference: `T-${id}` });
  const statement = idOf(
    await upload(clerk, freshAccount(), [`2026-01-05,50,USD,T-${id},Ada,${reference}`]),
  );
  const [line] = await linesOf(statement);
  const before = await receipts();
  const body = { lines: [{ id: line?.id, deposit_id: id }] };
  const answer = await clerk.post(`/bank-statements/${statement}/record`, body);
  expect(dataOf(answer)).toMatchObject({ done: 1 });
  expect(await receipts()).toBe(before);
});

test.each([
  ['another currency', ['2026-01-05,5,EUR,Z-1,,'], 'row.2.Currency'],
  ['a formula as reference', ['2026-01-05,5,USD,=1+1,,'], 'row.2.Reference'],
  ['a reference twice', ['2026-01-05,5,USD,Z,,', '2026-01-05,5,USD,Z,,'], 'row.3.Reference'],
])(
  'a statement with %s · is refused by row and column, and keeps nothing',
  async (_name, lines, field) => {
    const account = freshAccount();
    const answer = await upload(clerk, account, lines);
    expect([answer.status, dataOf(answer)['errors']]).toMatchObject([422, [{ field }]]);
    const { rows } = await stand.database.pool.query(
      'SELECT 1 FROM bank_statements WHERE account = $1',
      [account],
    );
    expect(rows).toEqual([]);
  },
);

test('a file of more than 2 MB · is refused', async () => {
  const answer = await upload(clerk, freshAccount(), ['x'.repeat(2 * 1024 * 1024)]);
  expect(answer.status).toBe(413);
});

test('statements · asked for by tenants and other roles · are not theirs', async () => {
  expect((await owner.get('/bank-statements')).status).toBe(404);
  const reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
  expect((await reviewer.get('/bank-statements')).status).toBe(403);
  expect((await upload(reviewer, 'x', ['2026-01-05,5,USD,Z,,'])).status).toBe(403);
  const one = idOf(await upload(clerk, freshAccount(), ['2026-01-05,5,USD,O-1,,']));
  const other = idOf(await upload(clerk, freshAccount(), ['2026-01-05,5,USD,O-2,,']));
  const [line] = await linesOf(one);
  const body = { lines: [{ id: line?.id, deposit_id: 1 }] };
  expect(dataOf(await clerk.post(`/bank-statements/${other}/record`, body))).toMatchObject({
    items: [{ error: 'not_found' }],
  });
});

test('a payment under its reference in other letters · is the payment that it was', async () => {
  const account = freshAccount();
  const line = (reference: string): string => `2026-01-05,25,USD,${reference},Shop,Money`;
  const first = await upload(clerk, account, [line('Ref 77a')]);
  expect(first.status).toBe(201);
  const again = await upload(clerk, ` ${account.toUpperCase()}`, [line('REF\u200b77A')]);
  expect(dataOf(again)).toMatchObject({ lines: 1, added: 0 });
  const twice = await upload(clerk, freshAccount(), [line('ref 9'), line('REF9')]);
  expect(twice.status).toBe(422);
});

test('the bank and the books · from the first balance on · differ by what is named, and a fee is explained once', async () => {
  expect(await position()).toEqual([]);
  await book(camt('2026-02-01', '100.00', [entry('2026-02-01', 'DBIT', '9.00', 'BEFORE')]));
  expect(await position()).toMatchObject([{ difference: 0, gap: 0, items: [] }]);
  const file = camt('2026-02-03', '128.00', [
    entry('2026-02-03', 'CRDT', '30.00', 'IN-1'),
    entry('2026-02-03', 'DBIT', '1.00', 'FEE'),
    entry('2026-02-03', 'DBIT', '1.00', 'FEE'),
  ]);
  const statement = await book(file);
  // Both fees say the same and are two; a statement that overlaps adds neither again.
  await book(camt('2026-02-03', '128.00', [entry('2026-02-03', 'DBIT', '1.00', 'FEE').repeat(2)]));
  const [account] = await position();
  expect(account).toMatchObject({ difference: 28, gap: 0, until: '2026-02-03' });
  expect(account?.items.map(({ item, amount, is_late }) => [item, amount, is_late])).toEqual([
    ['UNRECORDED', 30, false],
    ['UNKNOWN_OUT', -1, false],
    ['UNKNOWN_OUT', -1, false],
  ]);
  expect(await figureOf('bank_agrees_with_books')).toBe('0');
  await stand.database.pool.query(
    `UPDATE bank_statement_lines SET created_at = created_at - interval '3 days'`,
  );
  expect(await figureOf('bank_agrees_with_books')).toBe('32000000000');
  const url = `/bank-statements/${statement}/explain`;
  for (const each of account?.items ?? []) {
    const body = { line_id: each.line_id, note: 'Nothing of ours' };
    const answers = [await clerk.post(url, body), await clerk.post(url, body)];
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  }
  expect((await position())[0]).toMatchObject({ difference: 0, open: 0 });
  expect(await figureOf('bank_agrees_with_books')).toBe('0');
  // A day's statement that nobody uploaded.
  await book(camt('2026-02-05', '120.00', [entry('2026-02-05', 'DBIT', '3.00', 'LATER')]));
  expect((await position())[0]).toMatchObject({ gap: -5, difference: -8 });
  expect(await figureOf('bank_statements_lead_to_their_balances')).toBe('5000000000');
  const rewrite = 'UPDATE bank_statement_lines SET amount_nanos = 1';
  await expect(stand.database.pool.query(rewrite)).rejects.toThrow('as it said it');
});

describe('what a large movement is', () => {
  const LIMIT = 10_000;
  const THEFT = 'Rent of the office';
  let file = 0;
  const outgoing = async (...amounts: number[]): Promise<{ url: string; lines: number[] }> => {
    file += 1;
    const entries = amounts.map((amount, at) =>
      entry('2026-03-01', 'DBIT', amount.toFixed(2), `GONE-${file}-${at}`),
    );
    const statement = await book(camt(`2026-03-${String(file).padStart(2, '0')}`, '0.00', entries));
    const lines = await linesOf(statement);
    return { url: `/bank-statements/${statement}/explain`, lines: lines.map(({ id }) => id) };
  };
  const newClerk = async (role: 'FINANCE' | 'ADMIN' = 'FINANCE'): Promise<Caller> =>
    stand.as('admin', (await makeOperator(stand.database.db, role)).id);
  const shown = async (id: number) =>
    (
      await stand.database.pool.query(
        'SELECT explanation, explained_by::int AS by FROM bank_statement_lines WHERE id = $1',
        [id],
      )
    ).rows[0] as { explanation: string | null; by: number | null };

  test('waits for a second person, who is not the first', async () => {
    const maker = await newClerk();
    const { url, lines } = await outgoing(LIMIT + 1);
    const [line] = lines;
    const asked = await maker.post(url, { line_id: line, note: THEFT });
    const { approval_id: approval } = dataOf(asked) as { approval_id: number };
    expect([asked.status, asked.headers['location']]).toEqual([
      202,
      `/api/admin/approvals/${approval}`,
    ]);
    expect(await shown(line ?? 0)).toEqual({ explanation: null, by: null });
    expect((await maker.post(`/approvals/${approval}/approve`)).status).toBe(409);
    expect((await (await newClerk('ADMIN')).post(`/approvals/${approval}/approve`)).status).toBe(
      403,
    );
    const second = await newClerk();
    const { content, amount } = dataOf(await second.get(`/approvals/${approval}`));
    expect(amount).toBe(LIMIT + 1);
    expect(content).toContainEqual({ name: 'note', value: THEFT });
    expect((await second.post(`/approvals/${approval}/approve`)).status).toBe(200);
    expect(await shown(line ?? 0)).toMatchObject({ explanation: THEFT });
    expect((await second.post(`/approvals/${approval}/approve`)).status).toBe(409);
    expect((await maker.post(url, { line_id: line, note: 'Another' })).status).toBe(409);
  });

  test('is not cut into small ones, by one person or by several', async () => {
    const { url, lines } = await outgoing(LIMIT / 2, LIMIT / 2 - 1_000, 1_001);
    const statuses: number[] = [];
    for (const line of lines) {
      const maker = await newClerk();
      statuses.push((await maker.post(url, { line_id: line, note: THEFT })).status);
    }
    expect(statuses).toEqual([200, 200, 202]);
  });

  test('is not said past the API: the application may not, without an approval of just these words', async () => {
    const maker = await newClerk();
    const { url, lines } = await outgoing(LIMIT + 2);
    const [line] = lines;
    const say = async (note: string, by = clerkId) =>
      await stand.database.appPool.query(
        'UPDATE bank_statement_lines SET explanation = $2, explained_by = $3, explained_at = now() WHERE id = $1',
        [line, note, by],
      );
    await expect(say(THEFT)).rejects.toMatchObject({ constraint: 'explanation_needs_approval' });
    const { approval_id: approval } = dataOf(await maker.post(url, { line_id: line, note: THEFT }));
    await expect(say(THEFT)).rejects.toMatchObject({ constraint: 'explanation_needs_approval' });
    await stand.database.appPool.query(
      `UPDATE approvals SET state = 'APPROVED', checker_id = $2 WHERE id = $1`,
      [approval, clerkId],
    );
    await expect(say('A fee')).rejects.toMatchObject({ constraint: 'explanation_needs_approval' });
    await expect(say(THEFT)).rejects.toMatchObject({ constraint: 'explanation_needs_approval' });
    expect(await shown(line ?? 0)).toEqual({ explanation: null, by: null });
  });
});

test('a movement that a refund was sent by · said to be nothing of ours · is refused, and stays what it is', async () => {
  const { id: advertiserId } = await makeAdvertiser(stand.database.db);
  await payIn(stand.database, advertiserId, 'BANK', 80);
  const reference = `OUT-${(serial += 1)}`;
  const refundId = await sendBack(stand.database, { advertiserId, amount: 30, reference });
  const sent = entry('2026-04-01', 'DBIT', '30.00', reference);
  const fee = entry('2026-04-01', 'DBIT', '1.00', `FEE-${reference}`);
  const statement = await book(camt('2026-04-01', '0.00', [sent, fee]));
  const [line, other] = await linesOf(statement);
  const url = `/bank-statements/${statement}/explain`;
  const refused = await clerk.post(url, { line_id: line?.id, note: 'Rent of the office' });
  expect(refused.status).toBe(409);
  expect(dataOf(refused)).toMatchObject({ error: 'state_conflict', refund_id: refundId });
  expect((await linesOf(statement)).map(({ state }) => state)).toEqual(['OUT', 'OUT']);
  expect((await clerk.post(url, { line_id: other?.id, note: 'A fee' })).status).toBe(200);
});
