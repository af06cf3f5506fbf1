import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { PAYPAL_HONEST, type PaypalBehaviour } from '../../dev/sandboxes/paypal.ts';
import { startTestSandboxes, type TestSandboxes } from '../support/sandboxes.ts';
import type { PayoutChannel } from '../../domain/lifecycle/withdrawal.ts';
import { withdrawalWorkflowId } from '../../workflows/contracts/withdrawal.ts';
import { setByOwner } from '../support/by-owner.ts';
import { makeOperator, makePublisher } from '../support/make/account.ts';
import { balanceOf, fundPublisher, UNIT } from '../support/make/money.ts';
import { passKyc } from '../support/payouts.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually } from '../support/until.ts';

/** A withdrawal from request to end, by each provider that pays by itself: at most one payment, of exactly what arrives, whatever is lost. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let publisherId: number;
let finance: number;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  stand = await createStand({ flows: sandboxes.env });
  finance = (await makeOperator(stand.database.db, 'FINANCE')).id;
  await setByOwner(stand.database, 'payout.cooling_off_seconds', 0);
}, 90_000);

beforeEach(async () => {
  const { database } = stand;
  publisherId = (await makePublisher(database.db)).id;
  await passKyc(database, publisherId);
  await fundPublisher(database.db, publisherId, 500n * UNIT);
  sandboxes.paypal.behave(PAYPAL_HONEST);
  sandboxes.chain.behave({});
});

afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

/** Of 100, to an address that was named two days ago; approved by FINANCE. */
async function approved(accountInfo: string, channel: PayoutChannel = 'PAYPAL'): Promise<number> {
  const { flows, database } = stand;
  const { withdrawalId } = await flows.activities.requestWithdrawal({
    publisherId,
    amountNanos: 100n * UNIT,
    channel,
    accountInfo,
    bank: null,
    kycUrl: '',
    requestId: 'test',
  });
  await database.pool.query(
    `UPDATE withdrawals SET account_usable_from = now() - interval '1 day' WHERE id = $1`,
    [withdrawalId],
  );
  await decide(await taskOf(withdrawalId, 'withdrawal_review'), 'approve');
  return withdrawalId;
}

const taskOf = async (withdrawalId: number, kind: string): Promise<number> =>
  await eventually(async () => {
    const { rows } = await stand.database.pool.query<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND kind = $2 AND status = 'open'`,
      [withdrawalWorkflowId(withdrawalId), kind],
    );
    if (rows[0] === undefined) throw new Error(`no open ${kind} of ${withdrawalId}`);
    return Number(rows[0].id);
  });

async function decide(taskId: number, decision: string): Promise<void> {
  const body = { decision, reasons: [] };
  const answer = await stand.as('admin', finance).post(`/tasks/${taskId}/decision`, body);
  expect(answer.status).toBe(200);
}

const resultOf = async (id: number): Promise<unknown> =>
  await stand.flows.resultOf(withdrawalWorkflowId(id));

async function becomes(id: number, state: string): Promise<void> {
  await eventually(async () => {
    const { rows } = await stand.database.pool.query<{ state: string }>(
      'SELECT state FROM payouts WHERE withdrawal_id = $1',
      [id],
    );
    expect(rows[0]?.state).toBe(state);
  });
}

const batchesOf = (id: number) => sandboxes.paypal.batches.filter(({ key }) => key === `WD-${id}`);

const held = async (): Promise<bigint> =>
  await balanceOf(stand.database, `pub:${publisherId}:hold`);
const free = async (): Promise<bigint> =>
  await balanceOf(stand.database, `pub:${publisherId}:withdrawable`);

it.each<[string, Partial<PaypalBehaviour>]>([
  ['honest', {}],
  ['cut after it was done', { order: 'cut_after' }],
])('a server that is %s · PAID, once, what arrives', async (_what, behaviour) => {
  sandboxes.paypal.behave(behaviour);
  const id = await approved('ada@example.com');
  if (behaviour.order !== undefined) {
    await becomes(id, 'UNKNOWN');
    expect(await held()).toBe(100n * UNIT);
    sandboxes.paypal.behave(PAYPAL_HONEST);
  }
  await expect(resultOf(id)).resolves.toBe('PAID');
  const record = await stand.as('publisher', publisherId).get(`/withdrawals/${id}`);
  const { arrival_amount: arrival, reference } = record.body.data as Record<string, unknown>;
  expect(batchesOf(id)).toEqual([
    expect.objectContaining({ receiver: 'ada@example.com', value: Number(arrival).toFixed(2) }),
  ]);
  expect(reference).toBe(`TX-${batchesOf(id)[0]?.id}`);
  expect(await held()).toBe(0n);
  expect(await free()).toBe(400n * UNIT);
});

it('USDT: a node that is cut after it took the bytes · PAID by its own transaction, six blocks deep, exactly', async () => {
  sandboxes.chain.behave({ order: 'cut_after' });
  const id = await approved('0x70997970C51812dc3A010C7d01b50e0d17dc79C8', 'USDT');
  await becomes(id, 'UNKNOWN');
  expect(await held()).toBe(100n * UNIT);
  sandboxes.chain.mine(6);
  await expect(resultOf(id)).resolves.toBe('PAID');
  const record = await stand.as('publisher', publisherId).get(`/withdrawals/${id}`);
  const { arrival_amount: arrival, reference } = record.body.data as Record<string, unknown>;
  expect(sandboxes.chain.paid).toEqual([
    expect.objectContaining({ value: BigInt(Math.round(Number(arrival) * 1e6)) }),
  ]);
  expect(reference).toMatch(/^0x[0-9a-f]{64}$/);
  expect([await held(), await free()]).toEqual([0n, 400n * UNIT]);
});

it('PAXUM: cut after it was done · found by its reference, PAID once and exactly', async () => {
  sandboxes.paxum.behave({ transfer: 'cut_after' });
  const id = await approved('ada@example.com', 'PAXUM');
  await expect(resultOf(id)).resolves.toBe('PAID');
  const record = await stand.as('publisher', publisherId).get(`/withdrawals/${id}`);
  const { arrival_amount: arrival, reference } = record.body.data as Record<string, unknown>;
  expect(sandboxes.paxum.transfers).toEqual([
    expect.objectContaining({ id: reference, amount: Number(arrival).toFixed(2) }),
  ]);
  expect([await held(), await free()]).toEqual([0n, 400n * UNIT]);
});

it('an item that comes back · FAILED · everything withdrawable again', async () => {
  const id = await approved('ada+returned@example.com');
  await expect(resultOf(id)).resolves.toBe('FAILED');
  expect(batchesOf(id)).toHaveLength(1);
  expect([await held(), await free()]).toEqual([0n, 500n * UNIT]);
});

it('an order that never got there · the operator says it failed · PayPal is asked first, has it now, and it is not released', async () => {
  sandboxes.paypal.behave({ order: 'cut_before' });
  const id = await approved('ada+unclaimed@example.com');
  const task = await taskOf(id, 'payout_unknown');
  expect(batchesOf(id)).toEqual([]);
  sandboxes.paypal.behave(PAYPAL_HONEST);
  const answer = await stand
    .as('admin', finance)
    .post(`/tasks/${task}/decision`, { decision: 'confirm_failed', reasons: [] });
  expect(answer.status).toBe(409);
  expect(batchesOf(id)).toHaveLength(1);
  expect([await held(), await free()]).toEqual([100n * UNIT, 400n * UNIT]);
});
