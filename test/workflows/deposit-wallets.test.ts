import type { DepositStatus } from '../../domain/lifecycle/deposit.ts';
import { type Behaviour, HONEST, refundedOf, type Trade } from '../../dev/sandboxes/desk.ts';
import { startTestSandboxes, type TestSandboxes } from '../support/sandboxes.ts';
import { depositWorkflowId, suspenseWorkflowId } from '../../workflows/contracts/deposit.ts';
import { captureHistory } from '../support/histories.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { balanceOf } from '../support/make/money.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

/** Both wallets of yuan, whatever their servers do: at most one credit, of what they themselves confirm. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let advertiserId: number;
let checker: number;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '1' };
  stand = await createStand({ flows: env, env });
  checker = (await makeOperator(stand.database.db, 'FINANCE')).id;
}, 90_000);

beforeEach(async () => {
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  sandboxes.alipay.desk.behave(HONEST);
  sandboxes.wechat.desk.behave(HONEST);
});

/** Suspense holds what its receipts say, and everything sums to nothing. */
afterEach(async () => {
  const { rows } = await stand.database.pool.query<Record<string, string>>(
    `SELECT (SELECT COALESCE(sum(balance_nanos), 0) FROM ledger_accounts) AS total,
       (SELECT COALESCE(sum(balance_nanos), 0) FROM ledger_accounts WHERE code LIKE 'suspense:%') AS suspense,
       (SELECT COALESCE(sum(amount_nanos), 0) FROM deposit_receipts WHERE state IN ('SUSPENSE', 'REFUNDING')) AS waiting`,
  );
  expect(rows[0]?.['total']).toBe('0');
  expect(rows[0]?.['suspense']).toBe(rows[0]?.['waiting']);
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

type Method = 'ALIPAY' | 'WECHAT';
const METHODS = ['ALIPAY', 'WECHAT'] as const;

const walletOf = (method: Method) => (method === 'ALIPAY' ? sandboxes.alipay : sandboxes.wechat);

interface Order {
  id: number;
  reference: string;
}

async function order(method: Method, amount = 100): Promise<Order> {
  const answer = await stand
    .as('advertiser', advertiserId)
    .post('/deposits', { amount, payment_method: method });
  expect(answer.status).toBe(201);
  return answer.body.data as Order;
}

interface Shown {
  status: DepositStatus;
  received: number;
  payment: { state: string; qr: string | null; pay_amount: number; answer: string | null };
}

async function show({ id }: Order): Promise<Shown> {
  const answer = await stand.as('advertiser', advertiserId).get(`/deposits/${id}`);
  return answer.body.data as Shown;
}

/** Once its wallet has it. */
async function opened(method: Method, amount = 100): Promise<{ of: Order; trade: Trade }> {
  const of = await order(method, amount);
  const trade = await eventually(() => {
    const found = walletOf(method).desk.trades.get(of.reference);
    if (found === undefined) throw new Error('not told yet');
    return found;
  });
  trade.notifyUrl = `${stand.url}/payments/${method.toLowerCase()}/notices`;
  return { of, trade };
}

async function becomes(of: Order, status: DepositStatus): Promise<void> {
  await eventually(async () => expect((await show(of)).status).toBe(status));
}

const available = async (): Promise<bigint> =>
  await balanceOf(stand.database, `adv:${advertiserId}:available`);

async function count(sql: string, ...values: unknown[]): Promise<number> {
  const { rows } = await stand.database.pool.query<{ count: string }>(sql, values);
  return Number(rows[0]?.count);
}

const receipts = async ({ id }: Order): Promise<number> =>
  await count('SELECT count(*) FROM deposit_receipts WHERE deposit_id = $1', id);

async function stateOfReceipt({ id }: Order): Promise<string | undefined> {
  const { rows } = await stand.database.pool.query<{ state: string }>(
    'SELECT state FROM deposit_receipts WHERE deposit_id = $1',
    [id],
  );
  return rows[0]?.state;
}

const receiptOf = async ({ id }: Order): Promise<number> =>
  await count('SELECT id AS count FROM deposit_receipts WHERE deposit_id = $1', id);

const taskOf = async ({ id }: Order, kind: string): Promise<number> =>
  await eventually(async () => {
    const found = await count(
      `SELECT min(id) AS count FROM tasks WHERE kind = $2 AND status = 'open' AND subject_id = $1`,
      id,
      kind,
    );
    expect(found).toBeGreaterThan(0);
    return found;
  });

const decide = async (task: number, decision: string, note?: string) =>
  await stand.as('admin', checker).post(`/tasks/${task}/decision`, {
    decision,
    reasons: decision === 'reject' ? [{ code: 'WRONG_AMOUNT' }] : [],
    ...(note === undefined ? {} : { note }),
  });

/** 202: noted, and a busy flow answers later. */
const TAKEN = [200, 202];

/** Until the flow has asked the wallet again, whatever it was told before. */
async function askedAgain({ id }: Order): Promise<void> {
  const read = async () => {
    const { rows } = await stand.database.pool.query<{ asked_at: Date | null }>(
      'SELECT asked_at FROM deposit_payments WHERE deposit_id = $1',
      [id],
    );
    return rows[0]?.asked_at?.getTime() ?? 0;
  };
  const before = await read();
  await eventually(async () => expect(await read()).toBeGreaterThan(before));
}

it('methods · say which can be used, and what they ask for', async () => {
  const { body } = await stand.as('advertiser', advertiserId).get('/deposits/methods');
  const { items } = body.data as { items: { method: string }[] };
  const of = (method: string) => items.find((each) => each.method === method);
  expect(of('ALIPAY')).toEqual({
    method: 'ALIPAY',
    usable: true,
    reason: null,
    currency: 'USD',
    pay_currency: 'CNY',
    rate: 7.2,
    minimum: 10,
    expires_in: 1_800,
    networks: [],
    fields: ['amount', 'payment_method'],
  });
  expect(of('USDT')).toMatchObject({ usable: true, pay_currency: 'USDT', rate: null });
  expect(of('BANK')).toMatchObject({ usable: true, pay_currency: 'USD', rate: null });
});

describe.each(METHODS)('%s', (method) => {
  it('paid as ordered · one credit of the order', async () => {
    const { of, trade } = await opened(method);
    await eventually(async () => {
      const { payment } = await show(of);
      expect(payment).toMatchObject({
        state: 'OPEN',
        kind: 'QR',
        pay_amount: 720,
        pay_currency: 'CNY',
      });
    });
    walletOf(method).desk.pay(of.reference);
    expect(await walletOf(method).tellAbout(trade)).toEqual([200]);
    await becomes(of, 'PAID');
    expect(await available()).toBe(100_000_000_000n);
    await stand.flows.resultOf(depositWorkflowId(of.id));
    await captureHistory(
      stand.flows.client,
      { workflowId: depositWorkflowId(of.id) },
      'depositWorkflow.wallet-paid',
    );
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `SELECT payload->>'workflowId' AS id FROM outbox WHERE dedupe_key LIKE $1`,
      [`start:payment:${of.id}:%`],
    );
    const workflowId = rows[0]?.id ?? '';
    await expect(stand.flows.resultOf(workflowId)).resolves.toBe('PAID');
    await captureHistory(stand.flows.client, { workflowId }, 'depositPaymentWorkflow.paid');
  });

  it('ten copies of one notification at once · each stored, one credit', async () => {
    const { of, trade } = await opened(method);
    walletOf(method).desk.behave({ copies: 10 });
    walletOf(method).desk.pay(of.reference);
    expect(await walletOf(method).tellAbout(trade)).toEqual(Array.from({ length: 10 }, () => 200));
    await becomes(of, 'PAID');
    const stored = 'SELECT count(*) FROM provider_notices WHERE deposit_id = $1';
    expect(await count(stored, of.id)).toBe(10);
    expect(await receipts(of)).toBe(1);
    expect(await available()).toBe(100_000_000_000n);
  });

  it('nobody is told · the wallet is asked, and credited once', async () => {
    const { of } = await opened(method);
    walletOf(method).desk.pay(of.reference);
    await becomes(of, 'PAID');
    expect(await available()).toBe(100_000_000_000n);
  });

  it.each(['forged', 'altered', 'stale'] as const)(
    'a notification that is %s · stored, refused, and nothing is asked because of it',
    async (notice) => {
      const { of, trade } = await opened(method);
      walletOf(method).desk.behave({ notice, queryLies: 'unpaid' });
      const message = walletOf(method).noticeOf({ ...trade, paid: trade.total });
      const answer = await fetch(trade.notifyUrl, { method: 'POST', ...message });
      expect(answer.status).toBe(method === 'WECHAT' ? 401 : 400);
      const { rows } = await stand.database.pool.query<{ verdict: string; body: Buffer }>(
        'SELECT verdict, body FROM provider_notices ORDER BY id DESC LIMIT 1',
      );
      expect(rows[0]?.verdict).toBe(notice === 'stale' ? 'STALE' : 'FORGED');
      expect(rows[0]?.body.toString()).toBe(message.body);
      expect(
        await count(
          'SELECT count(*) FROM outbox WHERE dedupe_key LIKE $1',
          `start:payment:${of.id}:%`,
        ),
      ).toBe(0);
      expect(await receipts(of)).toBe(0);
    },
  );

  it('a right notification of what was never paid · asked, and nothing credited', async () => {
    const { of, trade } = await opened(method);
    const message = walletOf(method).noticeOf({ ...trade, paid: trade.total });
    expect((await fetch(trade.notifyUrl, { method: 'POST', ...message })).status).toBe(200);
    await askedAgain(of);
    expect(await show(of)).toMatchObject({ status: 'PENDING', payment: { answer: 'WAITING' } });
    expect(await available()).toBe(0n);
  });

  it.each([
    ['unpaid', 'WAITING'],
    ['other_order', 'OTHER_ORDER'],
    ['other_currency', 'OTHER_CURRENCY'],
    ['unsigned', 'AWAY'],
  ] as const)(
    'its books say %s · nothing is credited, and it is said',
    async (queryLies, answer) => {
      const { of, trade } = await opened(method);
      await eventually(async () => expect((await show(of)).payment.state).toBe('OPEN'));
      walletOf(method).desk.behave({ queryLies });
      walletOf(method).desk.pay(of.reference);
      await walletOf(method).tellAbout(trade);
      await eventually(async () => expect((await show(of)).payment.answer).toBe(answer));
      expect(await receipts(of)).toBe(0);
      // It comes to its senses: what was paid is credited then.
      walletOf(method).desk.behave(HONEST);
      await becomes(of, 'PAID');
      expect(await available()).toBe(100_000_000_000n);
    },
  );

  it('its books say that more was paid than ordered · a person decides, and nothing is credited before', async () => {
    const { of, trade } = await opened(method);
    walletOf(method).desk.behave({ queryLies: 'other_amount' });
    walletOf(method).desk.pay(of.reference);
    await walletOf(method).tellAbout(trade);
    await becomes(of, 'REVIEW');
    expect(await receipts(of)).toBe(1);
    expect(await available()).toBe(0n);
  });

  it('less than ordered · a person decides, and nothing is credited before', async () => {
    const { of, trade } = await opened(method);
    walletOf(method).desk.pay(of.reference, 36_000n);
    await walletOf(method).tellAbout(trade);
    await becomes(of, 'REVIEW');
    expect(await show(of)).toMatchObject({ received: 50 });
    expect(await available()).toBe(0n);
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      [depositWorkflowId(of.id)],
    );
    const decided = await stand
      .as('admin', checker)
      .post(`/tasks/${rows[0]?.id}/decision`, { decision: 'approve', reasons: [] });
    expect(TAKEN).toContain(decided.status);
    await eventually(async () => expect(await available()).toBe(50_000_000_000n));
  });

  it('the answer to the order is lost after it was taken · one trade, and it can be paid', async () => {
    walletOf(method).desk.behave({ hangsAfter: ['open'] });
    const { of, trade } = await opened(method);
    await eventually(async () => expect((await show(of)).payment.state).toBe('OPENING'));
    walletOf(method).desk.behave(HONEST);
    await eventually(async () => expect((await show(of)).payment.state).toBe('OPEN'));
    expect(walletOf(method).desk.trades.get(of.reference)).toBe(trade);
    walletOf(method).desk.pay(of.reference);
    await becomes(of, 'PAID');
    expect(await receipts(of)).toBe(1);
  });

  it('the answer to the question is lost · asked again, credited once', async () => {
    const { of, trade } = await opened(method);
    walletOf(method).desk.behave({ hangsAfter: ['query'] });
    walletOf(method).desk.pay(of.reference);
    await walletOf(method).tellAbout(trade);
    await eventually(async () => expect((await show(of)).payment.answer).toBe('AWAY'));
    walletOf(method).desk.behave(HONEST);
    await becomes(of, 'PAID');
    expect(await receipts(of)).toBe(1);
  });

  it('refused by the wallet · the order has failed, and says with which word', async () => {
    walletOf(method).desk.behave({ refuses: 'ACCESS_FORBIDDEN' });
    const of = await order(method);
    await becomes(of, 'FAILED');
    expect((await show(of)).payment).toMatchObject({
      state: 'REFUSED',
      refusal: 'ACCESS_FORBIDDEN',
    });
  });

  it('cancelled · closed at the wallet, where nobody can pay it any more', async () => {
    const { of, trade } = await opened(method);
    const cancelled = await stand.as('advertiser', advertiserId).post(`/deposits/${of.id}/cancel`);
    expect(cancelled.status).toBe(200);
    await eventually(() => expect(trade.state).toBe('CLOSED'));
    expect(walletOf(method).desk.pay(of.reference)).toBe(false);
    await eventually(async () => expect((await show(of)).payment.state).toBe('CLOSED'));
  });

  it('cancelled · the answer is lost after it was closed · closed once more, and said so', async () => {
    const { of, trade } = await opened(method);
    walletOf(method).desk.behave({ hangsAfter: ['close'] });
    await stand.as('advertiser', advertiserId).post(`/deposits/${of.id}/cancel`);
    await eventually(() => expect(trade.state).toBe('CLOSED'));
    expect((await show(of)).payment.state).not.toBe('CLOSED');
    walletOf(method).desk.behave(HONEST);
    await eventually(async () => expect((await show(of)).payment.state).toBe('CLOSED'));
    expect(await receipts(of)).toBe(0);
  });

  it.each(['CANCELLED', 'EXPIRED'] as const)(
    'paid as it was %s · in suspense, told late as well, credited by a person once',
    async (end) => {
      const { of, trade } = await opened(method);
      // It is down while the order ends, and somebody has paid before it is up again.
      walletOf(method).desk.behave({ isDown: true });
      if (end === 'EXPIRED') await stand.flows.activities.expireDeposit({ depositId: of.id });
      else await stand.as('advertiser', advertiserId).post(`/deposits/${of.id}/cancel`);
      walletOf(method).desk.pay(of.reference);
      walletOf(method).desk.behave({ copies: 3 });
      await walletOf(method).tellAbout(trade);
      await eventually(async () => expect(await receipts(of)).toBe(1));
      expect((await show(of)).status).toBe(end);
      expect(await available()).toBe(0n);
      const task = await eventually(async () => {
        const { rows } = await stand.database.pool.query<{ id: string }>(
          `SELECT id FROM tasks WHERE kind = 'suspense' AND status = 'open' AND subject_id = $1`,
          [of.id],
        );
        expect(rows).toHaveLength(1);
        return rows[0]?.id;
      });
      const decided = await stand
        .as('admin', checker)
        .post(`/tasks/${task}/decision`, { decision: 'credit', reasons: [] });
      expect(TAKEN).toContain(decided.status);
      await eventually(async () => expect(await available()).toBe(100_000_000_000n));
      expect(await receipts(of)).toBe(1);
    },
  );

  /** Paid half as much again as ordered, and not wanted: what a person says begins the way back. */
  async function sendingBack(behaviour: Partial<Behaviour>): Promise<{ of: Order; trade: Trade }> {
    const { of, trade } = await opened(method);
    walletOf(method).desk.pay(of.reference, 108_000n);
    await walletOf(method).tellAbout(trade);
    await becomes(of, 'REVIEW');
    walletOf(method).desk.behave(behaviour);
    const answer = await decide(await taskOf(of, 'deposit_review'), 'reject');
    expect(TAKEN).toContain(answer.status);
    return { of, trade };
  }

  const sentBack = async (of: Order, trade: Trade): Promise<void> => {
    await becomes(of, 'REFUNDED');
    expect(await stateOfReceipt(of)).toBe('REFUNDED');
    expect(refundedOf(trade)).toBe(108_000n);
    expect(await available()).toBe(0n);
    await stand.flows.resultOf(depositWorkflowId(of.id));
  };

  it.each<[string, Partial<Behaviour>]>([
    ['at once', {}],
    ['after a while', { refunds: 'slow' }],
    ['without an answer', { hangsAfter: ['refund'] }],
  ])('sent back %s · told when it was, exactly once and all of it', async (_how, behaviour) => {
    const { of, trade } = await sendingBack(behaviour);
    await sentBack(of, trade);
    expect([...trade.refunds.keys()]).toEqual([`${of.reference}B${await receiptOf(of)}N1`]);
    const workflowId = suspenseWorkflowId(await receiptOf(of));
    await expect(stand.flows.resultOf(workflowId)).resolves.toBe('REFUNDED');
    const name = `suspenseWorkflow.sent-back-by-${method.toLowerCase()}`;
    await captureHistory(stand.flows.client, { workflowId }, name);
  });

  it('to be sent back · the wallet is away · nobody is told that it was, until it is', async () => {
    const { of, trade } = await sendingBack({ isDown: true });
    await eventually(async () => expect(await stateOfReceipt(of)).toBe('REFUNDING'));
    expect((await show(of)).status).toBe('REVIEW');
    expect(refundedOf(trade)).toBe(0n);
    walletOf(method).desk.behave(HONEST);
    await sentBack(of, trade);
  });

  it('refused for want of balance · a person is asked, and has it sent again · once', async () => {
    const { of, trade } = await sendingBack({ refunds: 'poor' });
    const task = await taskOf(of, 'deposit_refund');
    expect((await show(of)).status).toBe('REVIEW');
    walletOf(method).desk.behave(HONEST);
    expect(TAKEN).toContain((await decide(task, 'send_again')).status);
    await sentBack(of, trade);
  });

  it('failed after it was taken · sent anew, and never counted before · once', async () => {
    const { of, trade } = await sendingBack({ refunds: 'fails_late' });
    await eventually(() => {
      expect(trade.refunds.size).toBe(1);
      // Alipay takes it again as soon as it has said that there is none.
      if (method === 'WECHAT') {
        expect([...trade.refunds.values()].map(({ state }) => state)).toEqual(['FAILED']);
      }
    });
    expect(await stateOfReceipt(of)).toBe('REFUNDING');
    walletOf(method).desk.behave(HONEST);
    // WeChat Pay says that it has failed, for good; Alipay that there is none, and takes it again.
    if (method === 'WECHAT') await decide(await taskOf(of, 'deposit_refund'), 'send_again');
    await sentBack(of, trade);
  });

  it('taken and never ended · a person who sends it as well · is refused: it would go twice', async () => {
    const { of, trade } = await sendingBack({ refunds: 'stuck' });
    const receiptId = await receiptOf(of);
    await eventually(() => expect(refundedOf(trade)).toBe(108_000n));
    // A day of silence asks it.
    await stand.flows.activities.askAboutRefund({ receiptId });
    const early = await decide(await taskOf(of, 'deposit_refund'), 'sent_back', 'WIRE-1');
    expect(early.status).toBe(409);
    expect(early.body.message).toContain('it may still do it');
    for (const refund of trade.refunds.values()) refund.state = 'SUCCESS';
    await sentBack(of, trade);
  });

  it('refused · sent by a person · who names the reference, which is kept; the wallet sends nothing', async () => {
    const { of, trade } = await sendingBack({ refunds: 'poor' });
    const task = await taskOf(of, 'deposit_refund');
    expect((await decide(task, 'sent_back')).status).toBe(422);
    expect((await decide(task, 'sent_back', 'WIRE-1')).status).toBe(200);
    await becomes(of, 'REFUNDED');
    const { rows } = await stand.database.pool.query(
      'SELECT state, reference, sent_by FROM deposit_refunds WHERE id = $1',
      [await receiptOf(of)],
    );
    expect(rows).toEqual([{ state: 'SENT', reference: 'WIRE-1', sent_by: String(checker) }]);
    expect(trade.refunds.size).toBe(0);
  });

  it('eight laps at once, and once more after its end · one refund, one posting', async () => {
    const { of, trade } = await sendingBack({ isDown: true });
    const receiptId = await receiptOf(of);
    walletOf(method).desk.behave(HONEST);
    const lap = async () => await stand.flows.activities.sendRefund({ receiptId });
    await Promise.all(Array.from({ length: 8 }, lap));
    expect(await lap()).toBe('SENT');
    await sentBack(of, trade);
    expect(trade.refunds.size).toBe(1);
  });
});
