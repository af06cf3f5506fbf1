import { WorkflowUpdateFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createDepositActivities } from '../../activities/deposits/deposits.ts';
import type { DepositStatus } from '../../domain/lifecycle/deposit.ts';
import { DECIDE_UPDATE } from '../../workflows/contracts/decision.ts';
import {
  DEPOSIT_CANCEL_SIGNAL,
  DEPOSIT_RECEIPT_SIGNAL,
  depositWorkflowId,
  suspenseWorkflowId,
} from '../../workflows/contracts/deposit.ts';
import type { TestDatabase } from '../support/database.ts';
import { captureHistory } from '../support/histories.ts';
import { balanceOf, UNIT } from '../support/make/money.ts';
import type { TestFlows } from '../support/flows.ts';
import { eventually } from '../support/until.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { insertRow } from '../support/make/row.ts';
import { testWorkflowBundle } from '../support/workflow-bundle.ts';
import { createStand, type FlowStand } from '../support/stand.ts';

const WEEK_MS = 7 * 86_400_000;

let stand: FlowStand;
let database: TestDatabase;
let flows: TestFlows;
let advertiserId: number;
let maker: number;
let checker: number;
let references = 0;

beforeAll(async () => {
  stand = await createStand({ flows: {} });
  ({ database, flows } = stand);
  maker = (await makeOperator(database.db, 'FINANCE')).id;
  checker = (await makeOperator(database.db, 'FINANCE')).id;
}, 90_000);

beforeEach(async () => {
  advertiserId = (await makeAdvertiser(database.db)).id;
});

afterEach(expectBooksToAgree);

afterAll(async () => {
  await stand?.close();
}, 60_000);

const as: FlowStand['as'] = (realm, id) => stand.as(realm, id);

const reference = (): string => `STMT-${(references += 1)}`;

async function open(amount: number): Promise<{ id: number; reference: string }> {
  const answer = await as('advertiser', advertiserId).post('/deposits', {
    amount,
    payment_method: 'BANK',
  });
  expect(answer.status).toBe(201);
  return answer.body.data as { id: number; reference: string };
}

const receive = async (depositId: number, body: object, operator = maker) =>
  await as('admin', operator).post(`/deposits/${depositId}/receipts`, body);

const decide = async (taskId: number, decision: string, operator = checker, note?: string) =>
  await as('admin', operator).post(`/tasks/${taskId}/decision`, {
    decision,
    ...(note === undefined ? {} : { note }),
    reasons: decision === 'reject' ? [{ code: 'WRONG_AMOUNT' }] : [],
  });

async function statusOf(depositId: number): Promise<DepositStatus> {
  const { rows } = await database.pool.query<{ status: DepositStatus }>(
    'SELECT status FROM deposits WHERE id = $1',
    [depositId],
  );
  return rows[0]?.status ?? 'FAILED';
}

/** What its owner was told of an order, and of how much. */
async function told(depositId: number): Promise<string[]> {
  const { rows } = await database.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', kind, params->>'amount', params->>'status') AS line FROM notifications
     WHERE subject_type = 'deposit' AND subject_id = $1 ORDER BY id`,
    [depositId],
  );
  return rows.map(({ line }) => line);
}

async function becomes(depositId: number, status: DepositStatus): Promise<void> {
  await eventually(async () => {
    expect(await statusOf(depositId)).toBe(status);
  });
}

async function taskOf(workflowId: string): Promise<number> {
  return await eventually(async () => {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [workflowId],
    );
    if (rows[0] === undefined) throw new Error(`no open task of ${workflowId}`);
    return Number(rows[0].id);
  });
}

const balance = async (code: string): Promise<bigint> => await balanceOf(database, code);

const available = async (): Promise<bigint> => await balance(`adv:${advertiserId}:available`);

/** Suspense holds exactly the receipts that say so, and all balances sum to nothing. */
async function expectBooksToAgree(): Promise<void> {
  const { rows } = await database.pool.query<{ total: string; suspense: string; waiting: string }>(
    `SELECT (SELECT COALESCE(sum(balance_nanos), 0) FROM ledger_accounts) AS total,
       (SELECT COALESCE(sum(balance_nanos), 0) FROM ledger_accounts WHERE code LIKE 'suspense:%') AS suspense,
       (SELECT COALESCE(sum(amount_nanos), 0) FROM deposit_receipts WHERE state IN ('SUSPENSE', 'REFUNDING')) AS waiting`,
  );
  expect(rows[0]?.total).toBe('0');
  expect(rows[0]?.suspense).toBe(rows[0]?.waiting);
}

describe('an order', () => {
  it('exact receipt · credited once, shown in balance and transactions', async () => {
    const order = await open(25.5);
    expect(order.reference).toMatch(/^RF\d{2}\d{9}$/);
    const before = await as('advertiser', advertiserId).get('/deposits/balance');
    expect(before.body.data).toEqual({
      currency: 'USD',
      balance: 0,
      available: 0,
      held: 0,
      pending_deposits: 25.5,
      arriving_deposits: 0,
      unpaid_deposits: 25.5,
      spend_today: 0,
    });
    const body = { amount: 25.5, reference: reference() };
    expect((await receive(order.id, body)).status).toBe(201);
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('PAID');
    expect(await available()).toBe(25_500_000_000n);

    const again = await receive(order.id, body);
    expect(again.status).toBe(200);
    expect(await available()).toBe(25_500_000_000n);
    const list = await as('advertiser', advertiserId).get('/deposits/transactions');
    expect(list.body.data.items).toEqual([
      expect.objectContaining({
        type: 'DEPOSIT',
        amount: 25.5,
        balance_after: 25.5,
        subject: { type: 'deposit', id: order.id },
      }),
    ]);
    const { rows } = await database.pool.query(
      `SELECT 1 FROM outbox WHERE kind = 'publish' AND payload->>'id' = $1`,
      [String(advertiserId)],
    );
    expect(rows).toHaveLength(1);
  });

  it('another amount than ordered · asks an operator · approve credits what was received', async () => {
    const order = await open(100);
    await receive(order.id, { amount: 60, reference: reference() });
    await becomes(order.id, 'REVIEW');
    // What came is on its way; what was ordered beyond it nobody is told to pay.
    const money = await as('advertiser', advertiserId).get('/deposits/balance');
    expect(money.body.data).toMatchObject({
      pending_deposits: 100,
      arriving_deposits: 60,
      unpaid_deposits: 0,
    });
    const taskId = await taskOf(depositWorkflowId(order.id));
    const shown = await as('admin', checker).get(`/tasks/${taskId}`);
    expect(shown.body.data).toMatchObject({
      kind: 'deposit_review',
      decisions: ['approve', 'reject'],
      detail: { deposit: { amount: 100, received: 60 }, receipts: [{ amount: 60 }] },
    });
    const decided = await decide(taskId, 'approve');
    expect(decided.status).toBe(200);
    expect(await statusOf(order.id)).toBe('PAID');
    expect(await available()).toBe(60n * UNIT);
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('PAID');
  });

  it('too much received · rejected · refunded, nothing credited', async () => {
    const order = await open(10);
    await receive(order.id, { amount: 1_000, reference: reference() });
    const taskId = await taskOf(depositWorkflowId(order.id));
    expect((await decide(taskId, 'reject', checker, 'Ten were ordered')).status).toBe(200);
    // No machine sends a wire: until somebody has, nobody is told so.
    const { rows } = await database.pool.query<{ id: string }>(
      'SELECT id FROM deposit_receipts WHERE deposit_id = $1',
      [order.id],
    );
    const back = await taskOf(suspenseWorkflowId(Number(rows[0]?.id)));
    expect(await statusOf(order.id)).toBe('REVIEW');
    // Whoever sends it sees how much, to whom, and who said why.
    const { body: asked } = await as('admin', checker).get(`/tasks/${back}`);
    const { username: said } = await database.db.models.operators.findByPk(checker, {
      rejectOnEmpty: true,
    });
    expect(asked.data.detail.way_back).toMatchObject({
      amount: 1_000,
      currency: 'USD',
      method: 'BANK',
      payer: null,
      order_reference: order.reference,
      account_name: expect.stringMatching(/./),
      reasons: ['WRONG_AMOUNT'],
      why: 'Ten were ordered',
      asked_by: said,
      balance_refund_id: null,
    });
    expect((await decide(back, 'sent_back')).status).toBe(422);
    expect((await decide(back, 'sent_back', checker, 'WIRE-BACK-7')).status).toBe(200);
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('REFUNDED');
    expect(await available()).toBe(0n);
    expect(await told(order.id)).toEqual(['deposit_failed 10 REFUNDED']);
  });

  it('above the limit · whoever entered it · may not approve it; a second person may', async () => {
    const order = await open(20_000);
    await receive(order.id, { amount: 20_000, reference: reference() });
    const taskId = await taskOf(depositWorkflowId(order.id));
    expect(await available()).toBe(0n);
    const own = await decide(taskId, 'approve', maker);
    expect(own.status).toBe(403);
    expect(own.body.data.error).toBe('forbidden_role');
    expect((await decide(taskId, 'approve', checker)).status).toBe(200);
    expect(await available()).toBe(20_000n * UNIT);
  });

  it('two decisions at once · exactly one 200, money moves once', async () => {
    const order = await open(20_000);
    await receive(order.id, { amount: 20_000, reference: reference() });
    const taskId = await taskOf(depositWorkflowId(order.id));
    const third = (await makeOperator(database.db, 'FINANCE')).id;
    const answers = await Promise.all([
      decide(taskId, 'approve', checker),
      decide(taskId, 'approve', third),
    ]);
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(await available()).toBe(20_000n * UNIT);
  });

  it('same reference · another amount or another order · 409, nothing posted', async () => {
    const order = await open(50);
    const other = await open(50);
    const body = { amount: 50, reference: reference() };
    await receive(order.id, body);
    expect((await receive(order.id, { ...body, amount: 51 })).status).toBe(409);
    expect((await receive(other.id, body)).status).toBe(409);
    await becomes(order.id, 'PAID');
    expect(await available()).toBe(50n * UNIT);
  });

  it('same receipt · entered by two operators at once · one receipt, credited once', async () => {
    const order = await open(50);
    const body = { amount: 50, reference: reference() };
    const answers = await Promise.all([
      receive(order.id, body, maker),
      receive(order.id, body, checker),
    ]);
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 201]);
    await becomes(order.id, 'PAID');
    expect(await available()).toBe(50n * UNIT);
  });

  it('two receipts · the first pays · the second waits in suspense until an operator credits it', async () => {
    const order = await open(50);
    await receive(order.id, { amount: 50, reference: reference() });
    const second = await receive(order.id, { amount: 50, reference: reference() });
    const taskId = await taskOf(suspenseWorkflowId(second.body.data.id as number));
    expect(await available()).toBe(50n * UNIT);
    const shown = await as('admin', checker).get(`/tasks/${taskId}`);
    expect(shown.body.data).toMatchObject({ kind: 'suspense', decisions: ['credit', 'refund'] });
    expect((await decide(taskId, 'credit')).status).toBe(200);
    expect(await available()).toBe(100n * UNIT);
    expect(await statusOf(order.id)).toBe('PAID');
    expect(await told(order.id)).toEqual([
      'deposit_paid 50 PAID',
      'deposit_held 50 PAID',
      'deposit_paid 50 PAID',
    ]);
  });

  it('second receipt · while the first waits for a second person · does not wait for it', async () => {
    const order = await open(20_000);
    await receive(order.id, { amount: 20_000, reference: reference() });
    const first = await taskOf(depositWorkflowId(order.id));
    const second = await receive(order.id, { amount: 5, reference: reference() });
    const taskId = await taskOf(suspenseWorkflowId(second.body.data.id as number));
    expect((await decide(taskId, 'refund')).status).toBe(200);
    expect((await decide(first, 'approve')).status).toBe(200);
    expect(await available()).toBe(20_000n * UNIT);
  });
});

describe('cancel and expiry', () => {
  it('cancel · while pending · cancelled; late money goes to suspense', async () => {
    const order = await open(30);
    const mine = as('advertiser', advertiserId);
    const cancelled = await mine.post(`/deposits/${order.id}/cancel`);
    expect(cancelled.body.data.status).toBe('CANCELLED');
    expect((await mine.post(`/deposits/${order.id}/cancel`)).status).toBe(409);
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('CANCELLED');
    const late = await receive(order.id, { amount: 30, reference: reference() });
    expect(late.status).toBe(201);
    const taskId = await taskOf(suspenseWorkflowId(late.body.data.id as number));
    expect(await available()).toBe(0n);
    expect((await decide(taskId, 'refund')).status).toBe(200);
    expect(await statusOf(order.id)).toBe('CANCELLED');
    // It is told that it went back when it did, and not when that was decided.
    expect(await told(order.id)).toEqual(['deposit_held 30 CANCELLED']);
    const workflowId = suspenseWorkflowId(late.body.data.id as number);
    const back = await taskOf(workflowId);
    expect((await decide(back, 'sent_back', checker, 'WIRE-BACK-8')).status).toBe(200);
    await expect(flows.resultOf(workflowId)).resolves.toBe('REFUNDED');
    expect(await told(order.id)).toEqual([
      'deposit_held 30 CANCELLED',
      'deposit_failed 30 REFUNDED',
    ]);
  });

  it('cancel · after money arrived · 409; by another advertiser · 404', async () => {
    const order = await open(30);
    const stranger = (await makeAdvertiser(database.db)).id;
    expect((await as('advertiser', stranger).post(`/deposits/${order.id}/cancel`)).status).toBe(
      404,
    );
    expect((await as('advertiser', stranger).get(`/deposits/${order.id}`)).status).toBe(404);
    await receive(order.id, { amount: 30, reference: reference() });
    const answer = await as('advertiser', advertiserId).post(`/deposits/${order.id}/cancel`);
    expect(answer.status).toBe(409);
    await becomes(order.id, 'PAID');
  });

  /** The clock of such an order stands a week ago, so that its week ends in a moment. */
  const endingIn = (milliseconds: number) =>
    createDepositActivities({
      ...flows.deps,
      clock: () => new Date(Date.now() - WEEK_MS + milliseconds),
    });

  it('deadline · without money · expired; with money before it · paid', async () => {
    const order = { advertiserId, amountNanos: 40n * UNIT, paymentMethod: 'BANK' } as const;
    const unpaid = await endingIn(1_500).openDeposit(order);
    // Paid as the money comes: nobody waits for this one to end.
    const paid = await endingIn(60_000).openDeposit(order);
    await receive(paid.id, { amount: 40, reference: reference() });
    await expect(flows.resultOf(depositWorkflowId(unpaid.id))).resolves.toBe('EXPIRED');
    await expect(flows.resultOf(depositWorkflowId(paid.id))).resolves.toBe('PAID');
    const late = await receive(unpaid.id, { amount: 40, reference: reference() });
    const taskId = await taskOf(suspenseWorkflowId(late.body.data.id as number));
    expect((await decide(taskId, 'credit')).status).toBe(200);
    expect(await statusOf(unpaid.id)).toBe('EXPIRED');
    expect(await available()).toBe(80n * UNIT);
  });

  it('money · while nobody delivers messages · the deadline finds it and pays', async () => {
    // Long enough to start its flow and to receive its money, on a busy machine as well.
    const order = await endingIn(4_000).openDeposit({
      advertiserId,
      amountNanos: 40n * UNIT,
      paymentMethod: 'BANK',
    });
    await eventually(async () => {
      await flows.client.workflow.getHandle(depositWorkflowId(order.id)).describe();
    });
    flows.delivery.on = false;
    await receive(order.id, { amount: 40, reference: reference() });
    flows.delivery.on = true;
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('PAID');
    expect(await available()).toBe(40n * UNIT);
  });
});

describe('what does not count', () => {
  it('signals sent by hand · no row behind them · change nothing', async () => {
    const order = await open(30);
    const handle = flows.client.workflow.getHandle(depositWorkflowId(order.id));
    await eventually(async () => {
      await handle.signal(DEPOSIT_RECEIPT_SIGNAL, { receiptId: 999_999 });
    });
    await handle.signal(DEPOSIT_CANCEL_SIGNAL);
    await receive(order.id, { amount: 30, reference: reference() });
    await expect(flows.resultOf(depositWorkflowId(order.id))).resolves.toBe('PAID');
  });

  it('Update sent by hand · no authenticated row · refused, money stays in suspense', async () => {
    const order = await open(100);
    await receive(order.id, { amount: 60, reference: reference() });
    const taskId = await taskOf(depositWorkflowId(order.id));
    await expect(
      flows.client.workflow.getHandle(depositWorkflowId(order.id)).executeUpdate(DECIDE_UPDATE, {
        args: [{ taskId, decisionId: 999_999 }],
      }),
    ).rejects.toBeInstanceOf(WorkflowUpdateFailedError);
    expect(await available()).toBe(0n);
    expect(await statusOf(order.id)).toBe('REVIEW');
  });
});

describe('input', () => {
  it.each([
    ['amount 0', { amount: 0, payment_method: 'BANK' }, 'amount', undefined],
    ['below the minimum', { amount: 9.99, payment_method: 'BANK' }, 'amount', 'min'],
    ['seven decimals', { amount: 10.0000001, payment_method: 'BANK' }, 'amount', 'amount'],
    ['text that is no decimal', { amount: '1e1', payment_method: 'BANK' }, 'amount', 'type'],
    ['no method', { amount: 10 }, 'payment_method', 'required'],
    ['an unknown method', { amount: 10, payment_method: 'CASH' }, 'payment_method', 'one_of'],
    [
      'a method that is not configured',
      { amount: 10, payment_method: 'USDT' },
      'payment_method',
      'not_available',
    ],
    [
      'an unknown field',
      { amount: 10, payment_method: 'BANK', bonus: 1 },
      'bonus',
      'unknown_field',
    ],
  ])('deposit · %s · 422 names the field', async (_name, body, field, code) => {
    const answer = await as('advertiser', advertiserId).post('/deposits', body);
    expect(answer.status).toBe(422);
    expect(answer.body.data.errors).toContainEqual(
      expect.objectContaining(code === undefined ? { field } : { field, code }),
    );
  });

  it.each([
    ['no reference', { amount: 10 }],
    ['a negative amount', { amount: -1, reference: 'x' }],
    ['a future time', { amount: 10, reference: 'x', received_at: '2999-01-01T00:00:00Z' }],
    ['a malformed time', { amount: 10, reference: 'x', received_at: 'yesterday' }],
    ['unknown evidence', { amount: 10, reference: 'x', evidence_media_id: 999_999 }],
  ])('receipt · %s · 422 and nothing posted', async (_name, body) => {
    const order = await open(10);
    expect((await receive(order.id, body)).status).toBe(422);
    expect(await statusOf(order.id)).toBe('PENDING');
  });

  it('receipt · by a reviewer · 403; for an unknown order · 404', async () => {
    const order = await open(10);
    const reviewer = (await makeOperator(database.db, 'REVIEWER')).id;
    const body = { amount: 10, reference: reference() };
    expect((await receive(order.id, body, reviewer)).status).toBe(403);
    expect((await receive(999_999, body)).status).toBe(404);
  });

  it('deposit · with an incomplete profile · 412 with what is missing', async () => {
    const name = `bare${references}${advertiserId}`;
    const bare = await insertRow(database, 'accounts', {
      kind: 'ADVERTISER',
      username: name,
      email: `${name}@test.example`,
      password_hash: 'x',
    });
    const answer = await as('advertiser', bare).post('/deposits', {
      amount: 10,
      payment_method: 'BANK',
    });
    expect(answer.status).toBe(412);
    expect(answer.body.data.missing).toEqual(expect.arrayContaining(['contact_name']));
  });
});

it('every step · run twice · one effect', async () => {
  const { activities } = flows;
  flows.delivery.on = false;
  const order = await open(100);
  const { receiptId } = await activities.recordReceipt({
    depositId: order.id,
    amountNanos: 60n * UNIT,
    reference: reference(),
    receivedAt: null,
    evidence: null,
    operatorId: maker,
    requestId: 'r',
  });
  const step = { depositId: order.id, receiptId };
  expect(await activities.confirmReceipt(step)).toBe('REVIEW');
  expect(await activities.confirmReceipt(step)).toBe('REVIEW');
  const { question } = await activities.readDeposit({ depositId: order.id });
  const taskId = question?.taskId ?? 0;
  const { decisionId } = await activities.decideTask({
    taskId,
    operator: { id: checker, role: 'FINANCE' },
    decision: 'approve',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'r',
  });
  const decision = { depositId: order.id, decision: { taskId, decisionId } };
  expect(await activities.applyDepositDecision(decision)).toBe('PAID');
  expect(await activities.applyDepositDecision(decision)).toBe('PAID');
  expect(await activities.expireDeposit({ depositId: order.id })).toBe('PAID');
  expect(await available()).toBe(60n * UNIT);
  flows.delivery.on = true;
});

it('histories · when asked for · are kept', async () => {
  const kept: [string, string][] = [
    ['paid', `status = 'PAID' AND amount_nanos = received_nanos`],
    ['cancelled', `status = 'CANCELLED'`],
    ['expired', `status = 'EXPIRED'`],
    ['sent-back', `status = 'REFUNDED'`],
    ['partial-approved', `status = 'PAID' AND received_nanos < amount_nanos`],
    ['second-approval', `status = 'PAID' AND amount_nanos >= 20000000000000`],
    ['waiting', `status = 'REVIEW'`],
  ];
  for (const [name, where] of kept) {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT id FROM deposits WHERE ${where} ORDER BY id LIMIT 1`,
    );
    const workflowId = depositWorkflowId(Number(rows[0]?.id));
    await captureHistory(flows.client, { workflowId }, `depositWorkflow.${name}`);
  }
  for (const state of ['CREDITED', 'REFUNDED']) {
    const { rows } = await database.pool.query<{ id: string }>(
      `SELECT r.id FROM deposit_receipts r JOIN tasks t ON t.workflow_id = 'suspense:' || r.id
       WHERE r.state = $1 ORDER BY r.id LIMIT 1`,
      [state],
    );
    const workflowId = suspenseWorkflowId(Number(rows[0]?.id));
    const name = state === 'CREDITED' ? 'credited' : 'sent-back-by-hand';
    await captureHistory(flows.client, { workflowId }, `suspenseWorkflow.${name}`);
  }
});

it('every history of this file · replayed against the code · deterministic', async () => {
  let replayed = 0;
  for await (const result of Worker.runReplayHistories(
    { workflowBundle: await testWorkflowBundle() },
    flows.client.workflow.list().intoHistories(),
  )) {
    expect(result.error).toBeUndefined();
    replayed += 1;
  }
  expect(replayed).toBeGreaterThan(10);
});
