import { runner } from '../../db/postgres.ts';
import { runBooks } from '../../db/queries/books.ts';
import { HONEST } from '../../dev/sandboxes/desk.ts';
import { depositWorkflowId } from '../../workflows/contracts/deposit.ts';
import { dataOf, idOf } from '../support/call.ts';
import { flowDesk } from '../support/flow-desk.ts';
import { captureHistory } from '../support/histories.ts';
import { makeAdvertiser, makeOperator } from '../support/make/account.ts';
import { balanceOf, UNIT } from '../support/make/money.ts';
import { startTestSandboxes, type TestSandboxes } from '../support/sandboxes.ts';
import { createStand, type FlowStand } from '../support/stand.ts';
import { eventually, until } from '../support/until.ts';

/** A step of an order is refused, and then its flow is terminated, reset or cancelled in Temporal. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let advertiserId: number;
let finance: number;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '1' };
  stand = await createStand({ flows: env, env, realTime: true });
  finance = (await makeOperator(stand.database.db, 'FINANCE')).id;
}, 90_000);

beforeEach(async () => {
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  sandboxes.alipay.desk.behave(HONEST);
});

afterEach(async () => {
  const checks = await runBooks(runner(stand.database.db));
  expect(checks.filter((check) => !check.ok)).toEqual([]);
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

const { query, handle, openTask, begunAgain, refused, reset, reconcile, terminate } = flowDesk(
  () => stand,
);

/** Its wallet has it, and then the row that says what the wallet is to be asked is gone. */
async function refusedOrder() {
  const order = { amount: 100, payment_method: 'ALIPAY' };
  const made = await stand.as('advertiser', advertiserId).post('/deposits', order);
  const [id, { reference }] = [idOf(made), dataOf(made) as { reference: string }];
  const workflowId = depositWorkflowId(id);
  const opened = 'SELECT 1 FROM deposit_payments WHERE deposit_id = $1 AND opened_at IS NOT NULL';
  await until('its wallet has it', async () => (await query(opened, [id])).length > 0);
  const trade = sandboxes.alipay.desk.trades.get(reference);
  if (trade === undefined) throw new Error('its wallet does not have it');
  trade.notifyUrl = `${stand.url}/payments/alipay/notices`;
  const [row] = await query('DELETE FROM deposit_payments WHERE deposit_id = $1 RETURNING *', [id]);
  const task = await openTask(workflowId, 'money_refused');
  const mend = async (): Promise<void> => {
    await query(
      'INSERT INTO deposit_payments SELECT * FROM jsonb_populate_record(NULL::deposit_payments, $1)',
      [JSON.stringify(row)],
    );
  };
  return { id, workflowId, trade, task, mend };
}

const stands = async (id: number) => ({
  deposit: (await query<{ status: string }>('SELECT status FROM deposits WHERE id = $1', [id]))[0]
    ?.status,
  receipts: await query('SELECT state FROM deposit_receipts WHERE deposit_id = $1', [id]),
  available: await balanceOf(stand.database, `adv:${advertiserId}:available`),
});
const CREDITED = { deposit: 'PAID', receipts: [{ state: 'CREDITED' }], available: 100n * UNIT };
const UNTOUCHED = { deposit: 'PENDING', receipts: [], available: 0n };

const tasksOf = async (id: number) =>
  await query('SELECT kind, status FROM tasks WHERE subject_id = $1 AND subject_type = $2', [
    id,
    'deposit',
  ]);

const decide = async (task: number, decision: string): Promise<number> =>
  (await stand.as('admin', finance).post(`/tasks/${task}/decision`, { decision, reasons: [] }))
    .status;

it('terminate and a lap, then reset · begun again and asked about again, nothing moved; mended, it is paid once', async () => {
  const { id, workflowId, trade, mend } = await refusedOrder();
  await terminate(workflowId);
  const task = await refused(workflowId);
  await reset(workflowId);
  expect(await refused(workflowId)).toBe(task);
  expect(await stands(id)).toEqual(UNTOUCHED);
  await mend();
  sandboxes.alipay.desk.pay(trade.orderNo);
  expect(await decide(task, 'retry')).toBe(200);
  await expect(handle(workflowId).result()).resolves.toBe('PAID');
  expect(await stands(id)).toEqual(CREDITED);
  await captureHistory(stand.flows.client, { workflowId }, 'depositWorkflow.refused-then-mended');
});

it('terminate, mended before a lap begins it again · goes on without the question, asks its wallet, is paid once', async () => {
  const { id, workflowId, trade, mend } = await refusedOrder();
  await handle(workflowId).terminate('by mistake');
  await mend();
  // Nobody is told: only whoever asks the wallet knows.
  sandboxes.alipay.desk.pay(trade.orderNo);
  await begunAgain(workflowId);
  await expect(handle(workflowId).result()).resolves.toBe('PAID');
  expect(await stands(id)).toEqual(CREDITED);
  await reconcile();
  expect(await tasksOf(id)).toEqual([{ kind: 'money_refused', status: 'void' }]);
});

it('money that came while its operator was asked, then terminate and a lap · is credited once, and is nobody’s question', async () => {
  const { id, workflowId, trade, mend } = await refusedOrder();
  await mend();
  sandboxes.alipay.desk.pay(trade.orderNo);
  expect(await sandboxes.alipay.tellAbout(trade)).toEqual([200]);
  await eventually(async () => {
    expect(await stands(id)).toEqual({
      deposit: 'CONFIRMING',
      receipts: [{ state: 'SUSPENSE' }],
      available: 0n,
    });
  });
  await handle(workflowId).terminate('by mistake');
  await begunAgain(workflowId);
  await expect(handle(workflowId).result()).resolves.toBe('PAID');
  await reconcile();
  expect(await tasksOf(id)).toEqual([{ kind: 'money_refused', status: 'void' }]);
});

it.each(['cancel', 'terminate', 'reset'] as const)(
  '%s of the flow that a notice of its wallet began · the order asks by itself, and is credited once',
  async (how) => {
    const { id, workflowId, trade, task, mend } = await refusedOrder();
    await mend();
    expect(await decide(task, 'retry')).toBe(200);
    sandboxes.alipay.desk.behave({ isDown: true });
    sandboxes.alipay.desk.pay(trade.orderNo);
    expect(await sandboxes.alipay.tellAbout(trade)).toEqual([200]);
    const asking = await until('the notice is asked about', async () => {
      const [row] = await query<{ id: string }>(
        `SELECT payload->>'workflowId' AS id FROM outbox WHERE payload->>'workflowId' LIKE $1`,
        [`payment:${id}:%`],
      );
      return row?.id;
    });
    await eventually(async () => {
      expect((await handle(asking).describe()).historyLength).toBeGreaterThan(8);
    });
    if (how === 'reset') await reset(asking);
    else await handle(asking)[how]();
    expect(await stands(id)).toEqual(UNTOUCHED);
    sandboxes.alipay.desk.behave(HONEST);
    await expect(handle(workflowId).result()).resolves.toBe('PAID');
    expect(await stands(id)).toEqual(CREDITED);
  },
);

it.each([
  ['cancel in Temporal', 'void'],
  ['the answer “end”', 'decided'],
])('%s · is heeded: cancelled, closed at its wallet, the question %s', async (how, status) => {
  const { id, workflowId, trade, task, mend } = await refusedOrder();
  await mend();
  if (status === 'void') await handle(workflowId).cancel();
  else expect([how, await decide(task, 'end')]).toEqual([how, 200]);
  await expect(handle(workflowId).result()).resolves.toBe('CANCELLED');
  expect(await stands(id)).toEqual({ ...UNTOUCHED, deposit: 'CANCELLED' });
  expect(trade.state).toBe('CLOSED');
  expect(await tasksOf(id)).toEqual([{ kind: 'money_refused', status }]);
});
