import { type Behaviour, HONEST, refundedOf, type Trade } from '../../dev/sandboxes/desk.ts';
import { issueDocuments } from '../../activities/documents/issue.ts';
import { runner } from '../../db/postgres.ts';
import { runBook } from '../../db/queries/books.ts';
import { refundWorkflowId } from '../../workflows/contracts/deposit.ts';
import { setByOwner } from '../support/by-owner.ts';
import { captureHistory } from '../support/histories.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { balanceOf, UNIT } from '../support/make/money.ts';
import { startTestSandboxes, type TestSandboxes } from '../support/sandboxes.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

/** Unused balance goes back to whoever paid it, whatever its wallet does: once, and never while it is also spent. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let advertiserId: number;
let maker: number;
let checker: number;
let references = 0;

const LIMIT = 500;
const BOOKS = [
  'refunds_are_what_their_receipts_say',
  'refund_holds_equal_open_refunds',
  'balance_refunds_equal_their_transfers',
  'refunds_within_receipts',
];

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '1' };
  stand = await createStand({ flows: env, env });
}, 90_000);

/** A deposit above it waits for a person as well: what a test pays in is paid in before. */
const limitTo = async (units: number): Promise<void> =>
  await setByOwner(stand.database, 'deposit.second_approval_above', units);

beforeEach(async () => {
  await limitTo(10_000);
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  // Limits count by the day: nobody has let anything through yet.
  maker = (await makeOperator(stand.database.db, 'FINANCE')).id;
  checker = (await makeOperator(stand.database.db, 'FINANCE')).id;
  sandboxes.alipay.desk.behave(HONEST);
  sandboxes.wechat.desk.behave(HONEST);
});

afterEach(async () => {
  for (const name of BOOKS) {
    const book = await runBook(runner(stand.database.db), name);
    expect(book).toMatchObject({ name, figure: '0' });
  }
  expect(await balance('total')).toBe(0n);
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

type Wallet = 'ALIPAY' | 'WECHAT';
const WALLETS = ['ALIPAY', 'WECHAT'] as const;
const deskOf = (method: Wallet) => (method === 'ALIPAY' ? sandboxes.alipay : sandboxes.wechat).desk;

interface Order {
  id: number;
  reference: string;
}
interface Part {
  id: number;
  reference: string;
  payment_method: string;
  way: string;
  amount: number;
  pay_amount: number | null;
  state: string;
  answer: string | null;
  sent_reference: string | null;
  task_id: number | null;
}
interface Refund {
  id: number;
  status: string;
  amount: number;
  held: number;
  sent: number;
  released: number;
  approval_id: number | null;
  parts: Part[];
}

const desk = (operatorId = maker) => stand.as('admin', operatorId);
const advertiser = () => stand.as('advertiser', advertiserId);

async function balance(which: 'available' | 'refund_hold' | 'total'): Promise<bigint> {
  if (which !== 'total') return await balanceOf(stand.database, `adv:${advertiserId}:${which}`);
  const { rows } = await stand.database.pool.query<{ nanos: string }>(
    'SELECT COALESCE(sum(balance_nanos), 0) AS nanos FROM ledger_accounts',
  );
  return BigInt(rows[0]?.nanos ?? 0);
}

async function order(method: string, amount: number): Promise<Order> {
  const { body } = await advertiser().post('/deposits', { amount, payment_method: method });
  return body.data as Order;
}

const paid = async (of: Order): Promise<void> => {
  await eventually(async () => {
    const { body } = await advertiser().get(`/deposits/${of.id}`);
    expect((body.data as { status: string }).status).toBe('PAID');
  });
};

/** By a wallet, in yuan. */
async function payIn(method: Wallet, amount: number): Promise<{ of: Order; trade: Trade }> {
  const of = await order(method, amount);
  const trade = await eventually(() => {
    const found = deskOf(method).trades.get(of.reference);
    if (found === undefined) throw new Error('not told yet');
    return found;
  });
  deskOf(method).pay(of.reference);
  await paid(of);
  return { of, trade };
}

/** By a wire, which a person has entered. */
async function wire(amount: number): Promise<Order> {
  const of = await order('BANK', amount);
  const clerk = (await makeOperator(stand.database.db, 'FINANCE')).id;
  const body = { amount, reference: `WIRE-${(references += 1)}` };
  const answer = await desk(clerk).post(`/deposits/${of.id}/receipts`, body);
  expect(answer.status).toBeLessThan(300);
  await paid(of);
  return of;
}

const ask = async (amount?: number, operatorId = maker) =>
  await desk(operatorId).post('/balance-refunds', {
    advertiser_id: advertiserId,
    ...(amount === undefined ? {} : { amount }),
    reason: 'They stop advertising',
  });

const shown = async (id: number): Promise<Refund> =>
  (await desk().get(`/balance-refunds/${id}`)).body.data as Refund;

async function asked(amount?: number): Promise<Refund> {
  const { status, body } = await ask(amount);
  expect(status).toBe(201);
  return body.data as Refund;
}

const ends = async (id: number, status: string): Promise<Refund> =>
  await eventually(async () => {
    const refund = await shown(id);
    expect(refund.status).toBe(status);
    return refund;
  });

/** What its owner was told of unused balance, and of how much. */
async function told(): Promise<string[]> {
  const { rows } = await stand.database.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', n.kind, n.params->>'amount', n.params->>'method') AS line FROM notifications n
     WHERE n.account_id = $1 AND n.kind LIKE 'balance_refund%' ORDER BY n.id`,
    [advertiserId],
  );
  // Each by a letter as well, as are the deposits.
  const { rows: letters } = await stand.database.pool.query<{ written: boolean }>(
    `SELECT (SELECT count(*) FROM mails WHERE account_id = $1 AND kind = 'notice')
       = (SELECT count(*) FROM notifications WHERE account_id = $1) AS written`,
    [advertiserId],
  );
  expect(letters).toEqual([{ written: true }]);
  return rows.map(({ line }) => line);
}

const taskOf = async (id: number): Promise<number> =>
  await eventually(async () => {
    const task = (await shown(id)).parts.find((part) => part.task_id !== null)?.task_id;
    if (task === undefined || task === null) throw new Error('nobody is asked');
    return task;
  });

const decide = async (task: number, decision: string, note?: string) =>
  await desk(checker).post(`/tasks/${task}/decision`, {
    decision,
    reasons: [],
    ...(note === undefined ? {} : { note }),
  });

const partId = ({ parts }: Refund): number => parts[0]?.id ?? 0;

describe.each(WALLETS)('%s', (method) => {
  it.each<[string, Partial<Behaviour>]>([
    ['at once', {}],
    ['after a while', { refunds: 'slow' }],
    ['without an answer', { hangsAfter: ['refund'] }],
  ])('sent back %s · once, just what is asked for, and the rest stays', async (_how, behaviour) => {
    const { of, trade } = await payIn(method, 100);
    deskOf(method).behave(behaviour);
    const refund = await asked(40);
    expect(refund).toMatchObject({ amount: 40, parts: [{ way: 'PROVIDER', amount: 40 }] });
    const { sent, parts } = await ends(refund.id, 'RETURNED');
    expect({ sent, parts }).toMatchObject({
      sent: 40,
      parts: [{ state: 'SENT', pay_amount: 288, answer: 'REFUNDED' }],
    });
    // 40 of 100 at 7.2, in fen.
    expect(refundedOf(trade)).toBe(28_800n);
    expect([...trade.refunds.keys()]).toEqual([`${of.reference}B${partId(refund)}N1`]);
    expect(await balance('available')).toBe(60n * UNIT);
    expect(await balance('refund_hold')).toBe(0n);
    const workflowId = refundWorkflowId(partId(refund));
    await expect(stand.flows.resultOf(workflowId)).resolves.toBe('SENT');
    const name = `refundWorkflow.sent-by-${method.toLowerCase()}`;
    await captureHistory(stand.flows.client, { workflowId }, name);
    // Its owner reads it: the order, the balance, and what was moved.
    const { body } = await advertiser().get(`/deposits/${of.id}`);
    expect(body.data).toMatchObject({ status: 'PAID', returning: 0, returned: 40 });
    const { body: moves } = await advertiser().get('/deposits/transactions');
    expect((moves.data as { items: { type: string; amount: number }[] }).items[0]).toMatchObject({
      type: 'BALANCE_REFUND_HOLD',
    });
    expect(await told()).toEqual(['balance_refund_begun 40', `balance_refund_sent 40 ${method}`]);
    await issueDocuments(stand.flows.deps);
    const { body: papers } = await advertiser().get('/documents?kind=REFUND_RECEIPT');
    const [receipt] = (papers.data as { items: { id: number; total: number }[] }).items;
    expect(receipt?.total).toBe(40);
    const { text: csv } = await advertiser().get(`/documents/${receipt?.id}/file?format=csv`);
    expect(csv).toContain(`document,sent_by,,,${method}\r\n`);
    expect(csv).toContain(`document,sent_reference,,,${[...trade.refunds.keys()].join()}\r\n`);
    expect(csv).toContain('document,sent_amount,,,288 CNY\r\n');
  });

  it('in three parts that no fen divides · their sum is what was paid, to the fen', async () => {
    const { trade } = await payIn(method, 10.01);
    for (const part of [3.33, 3.33, undefined]) {
      const refund = await asked(part);
      await ends(refund.id, 'RETURNED');
    }
    expect(trade.refunds.size).toBe(3);
    expect(refundedOf(trade)).toBe(trade.paid);
    expect(await balance('available')).toBe(0n);
    expect((await ask(0.01)).status).toBe(422);
  });

  it('its wallet is away · held, not spent and not said to be sent, until it is', async () => {
    const { trade } = await payIn(method, 100);
    deskOf(method).behave({ isDown: true });
    const { id } = await asked();
    await eventually(async () => expect(await shown(id)).toMatchObject({ status: 'RETURNING' }));
    const { body } = await advertiser().get('/deposits/balance');
    expect(body.data).toMatchObject({ balance: 100, available: 0, held: 100 });
    expect(refundedOf(trade)).toBe(0n);
    deskOf(method).behave(HONEST);
    await ends(id, 'RETURNED');
    expect(refundedOf(trade)).toBe(trade.paid);
  });

  it('refused for want of balance · a person has it sent again · once', async () => {
    const { trade } = await payIn(method, 100);
    deskOf(method).behave({ refunds: 'poor' });
    const { id } = await asked();
    const task = await taskOf(id);
    expect(await balance('refund_hold')).toBe(100n * UNIT);
    deskOf(method).behave(HONEST);
    expect((await decide(task, 'send_again')).status).toBe(200);
    await ends(id, 'RETURNED');
    expect(refundedOf(trade)).toBe(trade.paid);
  });

  it('refused for good · given back to the balance, and it can be asked for anew', async () => {
    const { trade } = await payIn(method, 100);
    deskOf(method).behave({ refunds: 'poor' });
    const refund = await asked(40);
    expect((await decide(await taskOf(refund.id), 'give_back')).status).toBe(200);
    expect(await ends(refund.id, 'KEPT')).toMatchObject({
      sent: 0,
      released: 40,
      parts: [{ state: 'RELEASED' }],
    });
    expect(await balance('available')).toBe(100n * UNIT);
    expect(await told()).toEqual(['balance_refund_begun 40', `balance_refund_kept 40 ${method}`]);
    expect(trade.refunds.size).toBe(0);
    const workflowId = refundWorkflowId(partId(refund));
    await expect(stand.flows.resultOf(workflowId)).resolves.toBe('RELEASED');
    await captureHistory(stand.flows.client, { workflowId }, 'refundWorkflow.given-back');
    deskOf(method).behave(HONEST);
    await ends((await asked()).id, 'RETURNED');
    expect(refundedOf(trade)).toBe(trade.paid);
  });

  it('failed after it was taken · sent anew, and never counted before · once', async () => {
    const { trade } = await payIn(method, 100);
    deskOf(method).behave({ refunds: 'fails_late' });
    const { id } = await asked();
    await eventually(() => expect(trade.refunds.size).toBe(1));
    expect(await balance('refund_hold')).toBe(100n * UNIT);
    // WeChat Pay says that it has failed, for good; Alipay that there is none, and takes it again.
    const task = method === 'WECHAT' ? await taskOf(id) : 0;
    deskOf(method).behave(HONEST);
    if (method === 'WECHAT') await decide(task, 'send_again');
    await ends(id, 'RETURNED');
    expect(refundedOf(trade)).toBe(trade.paid);
  });

  it.each(['sent_back', 'give_back'])(
    'taken and never ended · a person says %s · is refused: it would be paid twice',
    async (decision) => {
      const { trade } = await payIn(method, 100);
      deskOf(method).behave({ refunds: 'stuck' });
      const refund = await asked();
      await eventually(() => expect(refundedOf(trade)).toBe(trade.paid));
      // A day of silence asks it.
      await stand.flows.activities.askAboutRefund({ refundId: partId(refund) });
      const early = await decide(await taskOf(refund.id), decision, 'WIRE-1');
      expect(early.status).toBe(409);
      expect(await balance('available')).toBe(0n);
      for (const sent of trade.refunds.values()) sent.state = 'SUCCESS';
      await ends(refund.id, 'RETURNED');
    },
  );

  it('eight laps at once, and once more after its end · one refund, one posting', async () => {
    const { trade } = await payIn(method, 100);
    deskOf(method).behave({ isDown: true });
    const refund = await asked();
    deskOf(method).behave(HONEST);
    const lap = async () => await stand.flows.activities.sendRefund({ refundId: partId(refund) });
    await Promise.all(Array.from({ length: 8 }, lap));
    expect(await lap()).toBe('SENT');
    await ends(refund.id, 'RETURNED');
    expect(await told()).toHaveLength(2);
    expect(trade.refunds.size).toBe(1);
  });
});

describe('by hand', () => {
  it('a wire · a person sends it and says under which reference', async () => {
    await wire(80);
    const refund = await asked(30);
    expect(refund.parts).toMatchObject([{ payment_method: 'BANK', way: 'BY_HAND' }]);
    const task = await taskOf(refund.id);
    expect((await decide(task, 'send_again')).status).toBe(422);
    expect((await decide(task, 'sent_back')).status).toBe(422);
    expect((await decide(task, 'sent_back', 'OUT-7')).status).toBe(200);
    const { parts } = await ends(refund.id, 'RETURNED');
    expect(parts).toMatchObject([{ state: 'SENT', sent_reference: 'OUT-7', pay_amount: null }]);
    expect(await balance('available')).toBe(50n * UNIT);
    const workflowId = refundWorkflowId(partId(refund));
    await expect(stand.flows.resultOf(workflowId)).resolves.toBe('SENT');
    await captureHistory(stand.flows.client, { workflowId }, 'refundWorkflow.sent-by-hand');
  });

  it('of several receipts · newest first, each by its own way; one is sent, one kept', async () => {
    await wire(50);
    const { trade } = await payIn('ALIPAY', 100);
    const { body } = await desk().get(`/advertisers/${advertiserId}/refundable?amount=120`);
    expect(body.data).toMatchObject({
      available: 150,
      refundable: 150,
      parts: [
        { payment_method: 'ALIPAY', way: 'PROVIDER', amount: 100 },
        { payment_method: 'BANK', way: 'BY_HAND', amount: 20 },
      ],
    });
    const refund = await asked(120);
    await eventually(() => expect(refundedOf(trade)).toBe(trade.paid));
    expect((await decide(await taskOf(refund.id), 'give_back')).status).toBe(200);
    expect(await ends(refund.id, 'RETURNED')).toMatchObject({ sent: 100, released: 20, held: 0 });
    expect(await told()).toEqual([
      'balance_refund_begun 120',
      'balance_refund_sent 100 ALIPAY',
      'balance_refund_kept 20 BANK',
    ]);
    expect(await balance('available')).toBe(50n * UNIT);
  });
});

it('while conversions are held that it may have to pay · what they cost stays', async () => {
  await wire(80);
  const { pool } = stand.database;
  const held = async (status: string, units: bigint): Promise<void> => {
    await pool.query(
      `INSERT INTO conversions (advertiser_id, dedupe_key, event_type, status, price_nanos, held_at)
       VALUES ($1, $2, 'PURCHASE', $3, $4, now())`,
      [advertiserId, `tx:${status}`, status, (units * UNIT).toString()],
    );
  };
  await held('PENDING', 30n);
  // Decided by now, one way or the other.
  await held('REJECTED', 40n);
  const refundable = async () =>
    (await desk().get(`/advertisers/${advertiserId}/refundable`)).body.data as object;
  expect(await refundable()).toMatchObject({
    available: 80,
    pending_conversions: 30,
    refundable: 50,
    amount: 50,
  });
  const body = { advertiser_id: advertiserId, reason: 'They are leaving' };
  const more = await desk().post('/balance-refunds', { ...body, amount: 50.01 });
  expect(more.body).toMatchObject({ data: { errors: [{ field: 'amount', code: 'max' }] } });
  expect(await balance('available')).toBe(80n * UNIT);
  expect(await asked(50)).toMatchObject({ held: 50 });
  await pool.query(`UPDATE conversions SET status = 'REJECTED' WHERE advertiser_id = $1`, [
    advertiserId,
  ]);
  expect(await refundable()).toMatchObject({ pending_conversions: 0, refundable: 30 });
});

describe('above the limit', () => {
  it('waits for a second person, held · nobody but another one approves, once', async () => {
    const { trade } = await payIn('ALIPAY', LIMIT + 100);
    await limitTo(LIMIT);
    const answer = await ask();
    expect(answer.status).toBe(202);
    const refund = answer.body.data as Refund;
    expect(refund).toMatchObject({ status: 'REQUESTED', held: LIMIT + 100 });
    expect(await balance('available')).toBe(0n);
    const approve = async (by: number) =>
      await desk(by).post(`/approvals/${refund.approval_id}/approve`);
    expect((await approve(maker)).status).toBe(409);
    const admin = (await makeOperator(stand.database.db, 'ADMIN')).id;
    expect((await approve(admin)).status).toBe(403);
    // Before that nothing is sent, whoever begins its flow.
    const way = { refundId: partId(refund) };
    expect(await stand.flows.activities.sendRefund(way)).toBe('WAITING');
    expect(trade.refunds.size).toBe(0);
    expect((await approve(checker)).status).toBe(200);
    expect((await approve(checker)).status).toBe(409);
    await ends(refund.id, 'RETURNED');
    expect(refundedOf(trade)).toBe(trade.paid);
  });

  it.each(['refuse', 'withdraw'])(
    '%s · all of it can be spent again, nothing is sent',
    async (move) => {
      const { trade } = await payIn('WECHAT', LIMIT + 1);
      await limitTo(LIMIT);
      const { id, approval_id } = (await ask()).body.data as Refund;
      const by = move === 'refuse' ? checker : maker;
      const body = move === 'refuse' ? { note: 'They owe us' } : undefined;
      expect((await desk(by).post(`/approvals/${approval_id}/${move}`, body)).status).toBe(200);
      expect(await shown(id)).toMatchObject({ status: 'KEPT', released: LIMIT + 1, held: 0 });
      expect(await balance('available')).toBe(BigInt(LIMIT + 1) * UNIT);
      const sum = LIMIT + 1;
      expect(await told()).toEqual([`balance_refund_begun ${sum}`, `balance_refund_kept ${sum}`]);
      expect((await desk(checker).post(`/approvals/${approval_id}/approve`)).status).toBe(409);
      expect(trade.refunds.size).toBe(0);
    },
  );

  it('in slices below it · the same person · is held to the limit of a day', async () => {
    await payIn('ALIPAY', LIMIT + 100);
    await limitTo(LIMIT);
    await ends((await asked(LIMIT - 1)).id, 'RETURNED');
    expect((await ask(2)).status).toBe(202);
    // Of the account as well: a second person alone gets no further.
    expect((await ask(2, checker)).status).toBe(202);
  });
});
