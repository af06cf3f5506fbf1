import { WorkflowUpdateStage } from '@temporalio/client';
import { issueDocuments } from '../../activities/documents/issue.ts';
import { postEntries } from '../../activities/core/ledger.ts';
import { inTransaction, runner } from '../../db/postgres.ts';
import { runBook } from '../../db/queries/books.ts';
import { billingBatch } from '../../domain/ledger/postings.ts';
import { decisionUpdateId, DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import {
  DEPOSIT_RECEIPT_SIGNAL,
  depositWorkflowId,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import { dataOf, idOf } from '../support/call.ts';
import { asOwner, type TestDatabase } from '../support/database.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, nanos, UNIT } from '../support/make/money.ts';
import { payIn } from '../support/make/paid-in.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

/** A receipt that was written by mistake (interface 4.6), wherever it has come by then. */
const BOOKS = [
  'suspense_equals_waiting_receipts',
  'refunds_are_what_their_receipts_say',
  'refund_holds_equal_open_refunds',
  'taken_back_receipts_equal_their_transfers',
];
let stand: FlowStand;
let database: TestDatabase;
let clerk: number;
let second: number;
let advertiserId: number;
let serial = 0;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  ({ database } = stand);
  clerk = (await makeOperator(database.db, 'FINANCE')).id;
  second = (await makeOperator(database.db, 'FINANCE')).id;
}, 90_000);
beforeEach(async () => {
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterEach(async () => {
  for (const name of BOOKS) {
    expect(await runBook(runner(database.db), name)).toMatchObject({ name, figure: '0' });
  }
  const { rows } = await database.pool.query(
    'SELECT sum(balance_nanos)::text AS all FROM ledger_accounts',
  );
  expect(rows).toEqual([{ all: '0' }]);
});
afterAll(async () => await stand?.close(), 60_000);

const desk = (operator = clerk) => stand.as('admin', operator);
const reference = (): string => `SLIP-${(serial += 1)}`;
const open = async (amount: number): Promise<number> =>
  idOf(
    await stand
      .as('advertiser', advertiserId)
      .post('/deposits', { amount, payment_method: 'BANK' }),
  );
const receive = async (order: number, amount: number, said = reference()): Promise<number> =>
  idOf(await desk().post(`/deposits/${order}/receipts`, { amount, reference: said }));
const ask = async (receipt: number, operator = clerk) =>
  await desk(operator).post(`/receipts/${receipt}/take-back`, {
    reason: 'Typed on the wrong order',
  });
const approvalOf = (asked: { headers: Record<string, string> }): string =>
  String(asked.headers['location']).replace('/api/admin', '');
const agree = async (asked: { headers: Record<string, string> }, operator = second) =>
  await desk(operator).post(`${approvalOf(asked)}/approve`);
const takeBack = async (receipt: number): Promise<void> => {
  const asked = await ask(receipt);
  expect(asked.status).toBe(202);
  expect((await agree(asked)).status).toBe(200);
};
const shown = async (order: number) =>
  dataOf(await desk().get(`/deposits/${order}`)) as {
    status: string;
    received: number;
    paid_at: string | null;
    receipts: {
      id: number;
      state: string;
      take_back: { refusal: string | null; approval_id: number | null };
    }[];
  };
const becomes = async (order: number, status: string): Promise<void> => {
  await eventually(async () => expect((await shown(order)).status).toBe(status));
};
const available = async () => await balanceOf(database, `adv:${advertiserId}:available`);
const held = async () => await balanceOf(database, `adv:${advertiserId}:refund_hold`);
const taskOf = async (workflowId: string): Promise<number> =>
  await eventually(async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [workflowId],
    );
    if (rows[0] === undefined) throw new Error(`no open task of ${workflowId}`);
    return Number(rows[0].id);
  });
const linesOf = async (table: string, column: string, order: number): Promise<string[]> =>
  (
    await database.pool.query<{ line: string }>(
      `SELECT ${column} AS line FROM ${table} WHERE subject_type = 'deposit' AND subject_id = $1 ORDER BY id`,
      [order],
    )
  ).rows.map(({ line }) => line);
const told = async (order: number) =>
  await linesOf(
    'notifications',
    `concat_ws(' ', kind, params->>'amount', params->>'status')`,
    order,
  );
const spend = async (amount: number): Promise<void> => {
  const { id: publisherId } = await makePublisher(database.db);
  const totals = {
    spend: [{ advertiserId, campaignId: 1, priceNanos: nanos(amount), events: 1 }],
    earnings: [{ publisherId, publisherNanos: 0n, events: 1 }],
  };
  await inTransaction(database.db, async (tx) => {
    await postEntries(database.db, tx, billingBatch(`taken-spend:${(serial += 1)}`, 0, totals));
  });
};

test('on the wrong order · held at once, gone by a second person · the right order gets it, this one waits again', async () => {
  const [wrong, right] = [await open(50), await open(50)];
  const slip = reference();
  const receipt = await receive(wrong, 50, slip);
  await becomes(wrong, 'PAID');
  const asked = await ask(receipt);
  expect(asked.status).toBe(202);
  expect([await available(), await held()]).toEqual([0n, 50n * UNIT]);
  expect(await shown(wrong)).toMatchObject({
    status: 'PAID',
    receipts: [{ state: 'TAKING_BACK', take_back: { refusal: 'ASKED' } }],
  });
  expect((await ask(receipt, second)).body.data).toMatchObject({ reason: 'ASKED' });
  // Whoever wrote it and asked is not the second person.
  expect((await agree(asked, clerk)).status).toBe(409);
  expect((await agree(asked)).status).toBe(200);
  expect((await agree(asked)).status).toBe(409);
  expect([await available(), await held()]).toEqual([0n, 0n]);
  expect(await shown(wrong)).toMatchObject({
    status: 'PENDING',
    received: 0,
    paid_at: null,
    receipts: [{ state: 'TAKEN_BACK', take_back: { refusal: 'TAKEN_BACK' } }],
  });
  expect(await told(wrong)).toEqual(['deposit_paid 50 PAID', 'deposit_taken_back 50 PENDING']);
  expect(await linesOf('audit_log', 'action', wrong)).toEqual([
    'deposit.open',
    'deposit.receipt',
    'deposit.credit',
    'deposit.take_back_request',
    'deposit.take_back',
    'deposit.reopen',
  ]);
  // The payment behind it is one still, and the order's flow waits for its own.
  await receive(right, 50, slip);
  await becomes(right, 'PAID');
  await receive(wrong, 50);
  await becomes(wrong, 'PAID');
  expect(await available()).toBe(100n * UNIT);
});

test('while its flow is about to end · taken back · the flow that has read it as paid reads it again', async () => {
  const order = await open(30);
  const flow = stand.flows.client.workflow.getHandle(depositWorkflowId(order));
  // It is begun behind the answer.
  await eventually(async () => await flow.describe());
  // An Update that is under way keeps the flow from ending once it has read that nothing is left to do.
  stand.flows.faults.set('applyDepositDecision', new Error('away'));
  const decision = { taskId: 1, decisionId: 1 };
  await flow.startUpdate(DECIDE_UPDATE, {
    args: [decision],
    updateId: decisionUpdateId(decision.decisionId),
    waitForStage: WorkflowUpdateStage.ACCEPTED,
  });
  const receipt = await receive(order, 30);
  await becomes(order, 'PAID');
  const { runId } = await flow.describe();
  const signals = async () =>
    ((await flow.fetchHistory()).events ?? []).filter(
      ({ workflowExecutionSignaledEventAttributes: told }) =>
        told?.signalName === DEPOSIT_RECEIPT_SIGNAL,
    ).length;
  expect(await signals()).toBe(1);
  await takeBack(receipt);
  await eventually(async () => expect(await signals()).toBe(2));
  stand.flows.faults.delete('applyDepositDecision');
  await receive(order, 30);
  await becomes(order, 'PAID');
  expect((await flow.describe()).runId).toBe(runId);
});

test('asked for twice under one key · is asked for once', async () => {
  const order = await open(20);
  const receipt = await receive(order, 20);
  await becomes(order, 'PAID');
  const body = { reason: 'Typed twice' };
  const once = async () =>
    await desk()
      .post(`/receipts/${receipt}/take-back`, body)
      .set('Idempotency-Key', `take-${receipt}`);
  const [first, again] = [await once(), await once()];
  expect([first.status, again.status]).toEqual([202, 202]);
  expect(dataOf(again)).toEqual(dataOf(first));
  expect(await held()).toBe(20n * UNIT);
});

test('typed twice · the second, in suspense · its question is nobody’s any more, and the order stays paid', async () => {
  const order = await open(50);
  await receive(order, 50);
  await becomes(order, 'PAID');
  const twice = await receive(order, 50);
  await taskOf(suspenseWorkflowId(twice));
  await takeBack(twice);
  await expect(stand.flows.resultOf(suspenseWorkflowId(twice))).resolves.toBe('SETTLED');
  expect(await shown(order)).toMatchObject({ status: 'PAID', received: 50 });
  expect(await available()).toBe(50n * UNIT);
});

test('typed twice, and both credited · either goes, and the order stays paid by the other', async () => {
  const order = await open(50);
  const first = await receive(order, 50);
  await becomes(order, 'PAID');
  const twice = await receive(order, 50);
  const task = await taskOf(suspenseWorkflowId(twice));
  await desk(second).post(`/tasks/${task}/decision`, { decision: 'credit', reasons: [] });
  expect(await available()).toBe(100n * UNIT);
  await takeBack(first);
  expect(await shown(order)).toMatchObject({ status: 'PAID', received: 50 });
  expect(await available()).toBe(50n * UNIT);
});

test('of another sum than came · while a person is asked about it · the order waits again, by the same flow', async () => {
  const order = await open(100);
  const receipt = await receive(order, 10);
  const task = await taskOf(depositWorkflowId(order));
  await takeBack(receipt);
  expect(await shown(order)).toMatchObject({ status: 'PENDING', received: 0 });
  const late = await desk(second).post(`/tasks/${task}/decision`, {
    decision: 'approve',
    reasons: [],
  });
  expect(late.status).toBe(409);
  await receive(order, 100);
  await becomes(order, 'PAID');
  expect(await available()).toBe(100n * UNIT);
});

test('decided while a second person was asked · what was asked for is not what it is any more', async () => {
  const order = await open(100);
  const receipt = await receive(order, 60);
  const task = await taskOf(depositWorkflowId(order));
  const asked = await ask(receipt);
  await desk(second).post(`/tasks/${task}/decision`, { decision: 'approve', reasons: [] });
  expect((await agree(asked)).status).toBe(409);
  expect(await available()).toBe(60n * UNIT);
  // Asked for again it is of what is credited.
  await takeBack(receipt);
  expect([await available(), await held()]).toEqual([0n, 0n]);
});

test('to be sent back by a person, though nothing had come · nobody sends it, and the order waits again', async () => {
  const order = await open(10);
  const receipt = await receive(order, 1_000);
  const task = await taskOf(depositWorkflowId(order));
  const reasons = [{ code: 'WRONG_AMOUNT' }];
  await desk(second).post(`/tasks/${task}/decision`, { decision: 'reject', reasons });
  const back = await taskOf(suspenseWorkflowId(receipt));
  await takeBack(receipt);
  await expect(stand.flows.resultOf(suspenseWorkflowId(receipt))).resolves.toBe('TAKEN_BACK');
  const sent = { decision: 'sent_back', note: 'WIRE-1', reasons: [] };
  expect((await desk(second).post(`/tasks/${back}/decision`, sent)).status).toBe(409);
  expect((await shown(order)).status).toBe('PENDING');
});

test('refused · what was held can be spent again, and it may be asked for again', async () => {
  const order = await open(50);
  const receipt = await receive(order, 50);
  await becomes(order, 'PAID');
  const asked = await ask(receipt);
  await desk(second).post(`${approvalOf(asked)}/refuse`, { note: 'It did arrive' });
  expect([await available(), await held()]).toEqual([50n * UNIT, 0n]);
  expect(await shown(order)).toMatchObject({
    receipts: [{ state: 'CREDITED', take_back: { refusal: null } }],
  });
  const again = await ask(receipt);
  await desk().post(`${approvalOf(again)}/withdraw`);
  expect([await available(), await held()]).toEqual([50n * UNIT, 0n]);
  expect((await shown(order)).status).toBe('PAID');
});

test('spent, sent back, or said by a provider · refused by name, and nothing moves', async () => {
  const order = await open(50);
  const receipt = await receive(order, 50);
  await becomes(order, 'PAID');
  await spend(0.01);
  const spent = await ask(receipt);
  expect([spent.status, spent.body.data]).toMatchObject([409, { reason: 'SPENT' }]);
  expect((await shown(order)).receipts[0]?.take_back.refusal).toBe('SPENT');
  // Other money would cover it; but some of it is on its way back to whoever paid it.
  await receive(order, 10);
  await makeRefund();
  expect((await ask(receipt)).body.data).toMatchObject({ reason: 'REFUNDED' });
  const signed = await payIn(database, advertiserId, 'ALIPAY', 30);
  expect((await ask(signed)).body.data).toMatchObject({ reason: 'SAID_BY_PROVIDER' });
  expect((await desk().post('/receipts/987654321/take-back', { reason: 'None' })).status).toBe(404);
  const reviewer = (await makeOperator(database.db, 'REVIEWER')).id;
  expect((await ask(receipt, reviewer)).status).toBe(403);
});

const makeRefund = async (): Promise<void> => {
  const body = { advertiser_id: advertiserId, amount: 1, reason: 'They stop' };
  expect((await desk().post('/balance-refunds', body)).status).toBe(201);
};

test('of a bank statement · its line may be recorded anew', async () => {
  const order = await open(40);
  const receipt = await receive(order, 40);
  await becomes(order, 'PAID');
  await asOwner(database.db, async (owner) => {
    const sql = runner(owner);
    await sql.query(
      `WITH s AS (INSERT INTO bank_statements (account, format, sha256, line_count, added_count, outgoing_count, operator_id)
         VALUES ('DE00', 'CSV', 'x', 1, 1, 0, $1) RETURNING id)
       INSERT INTO bank_statement_lines (statement_id, account, line, booked_on, amount_nanos, currency, reference,
         receipt_id, recorded_by, recorded_at)
       SELECT s.id, 'DE00', 1, current_date, 40000000000, 'USD', 'LINE-1', $2, $1, now() FROM s`,
      [clerk, receipt],
    );
  });
  await takeBack(receipt);
  const { rows } = await database.pool.query(
    'SELECT receipt_id, recorded_by FROM bank_statement_lines',
  );
  expect(rows).toEqual([{ receipt_id: null, recorded_by: null }]);
});

test('credited, with a receipt of ours · a credit note says what it takes back', async () => {
  const order = await open(40);
  const receipt = await receive(order, 40);
  await becomes(order, 'PAID');
  const owner = stand.as('advertiser', advertiserId);
  const papers = async (kind: string) => {
    await issueDocuments(stand.flows.deps);
    const { items } = dataOf(await owner.get(`/documents?kind=${kind}`)) as {
      items: { id: number; number: string; total: number }[];
    };
    return items;
  };
  const [given] = await papers('DEPOSIT_RECEIPT');
  expect(given?.total).toBe(40);
  await takeBack(receipt);
  const [note] = await papers('CREDIT_NOTE');
  expect(note?.total).toBe(-40);
  const { text: csv } = await owner.get(`/documents/${note?.id}/file?format=csv`);
  expect(csv).toContain(`document,corrects,,,${given?.number}\r\n`);
  const book = 'receipts_equal_the_ledger';
  expect(await runBook(runner(database.db), book)).toMatchObject({ figure: '0' });
});
