import { createActivities } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../activities/deps.ts';
import type { DepositProvider } from '../../../activities/providers/deposit-port.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { UNIT } from '../../support/make/money.ts';
import { testProviders } from '../../support/providers.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { activityDeps } from '../../support/settlement.ts';

/** A worker that was thought dead goes on with a way back that others have gone on with meanwhile. */
let database: TestDatabase;
let sandboxes: TestSandboxes;
let deps: ActivityDeps;
let steps: ReturnType<typeof createActivities>;
let advertiserId: number;

beforeAll(async () => {
  [database, sandboxes] = [await createTestDatabase(), await startTestSandboxes()];
  deps = { ...activityDeps(database), providers: testProviders(sandboxes.env) };
  steps = createActivities(deps);
  advertiserId = (await makeAdvertiser(database.db)).id;
});
afterAll(async () => {
  await sandboxes?.close();
  await database?.close();
});

/** Half of what was paid by Alipay, on its way back, and the wallet's own account of what it sent. */
async function halfOnItsWay() {
  const { desk } = sandboxes.alipay;
  desk.behave({});
  const order = { advertiserId, amountNanos: 40n * UNIT, paymentMethod: 'ALIPAY' } as const;
  const { id: depositId } = await steps.openDeposit(order);
  await steps.openPayment({ depositId });
  const deposit = await database.db.models.deposits.findByPk(depositId, { rejectOnEmpty: true });
  desk.pay(deposit.reference);
  await steps.askPayment({ depositId });
  const { receiptIds } = await steps.readDeposit({ depositId });
  for (const receiptId of receiptIds) await steps.confirmReceipt({ depositId, receiptId });
  const { balanceRefundId } = await steps.requestBalanceRefund({
    advertiserId,
    amountNanos: 20n * UNIT,
    reason: 'They stop',
    operatorId: (await makeOperator(database.db, 'FINANCE')).id,
    requestId: 'test',
  });
  const where = { balanceRefundId };
  const part = await database.db.models.depositRefunds.findOne({ where, rejectOnEmpty: true });
  const sent = () =>
    [...(desk.trades.get(deposit.reference)?.refunds.values() ?? [])].filter(
      ({ state }) => state === 'SUCCESS',
    ).length;
  return { way: { refundId: part.id }, sent };
}

/** The same steps of a worker that stands still before this question until it is woken. */
function standingStill(at: 'query' | 'queryRefund') {
  let wake = (): void => undefined;
  let stands = (): void => undefined;
  const woken = new Promise<void>((resolve) => (wake = resolve));
  const standing = new Promise<void>((resolve) => (stands = resolve));
  const { rails } = deps.providers;
  const still = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    stands();
    await woken;
    return await call();
  };
  const provider: typeof rails.provider = (method) => {
    const real = rails.provider(method) as DepositProvider;
    return {
      ...real,
      query: async (order) =>
        at === 'query' ? await still(() => real.query(order)) : await real.query(order),
      queryRefund: async (order) =>
        at === 'queryRefund'
          ? await still(() => real.queryRefund(order))
          : await real.queryRefund(order),
    };
  };
  const providers = { ...deps.providers, rails: { ...rails, provider } };
  return { steps: createActivities({ ...deps, providers }), standing, wake };
}

/** Its wallet refuses it, and a person has it tried again. */
async function refusedAndTriedAgain(way: { refundId: number }): Promise<void> {
  sandboxes.alipay.desk.behave({ refunds: 'poor' });
  expect(await steps.sendRefund(way)).toBe('BY_HAND');
  const question = await steps.askAboutRefund(way);
  const { id } = await makeOperator(database.db, 'FINANCE');
  const { decisionId } = await steps.decideTask({
    taskId: question?.taskId ?? 0,
    operator: { id, role: 'FINANCE' },
    decision: 'send_again',
    reasons: [],
    note: null,
    evidenceMediaId: null,
    requestId: 'test',
  });
  const decision = { taskId: question?.taskId ?? 0, decisionId };
  expect(await steps.applyRefundDecision({ ...way, decision })).toBe('TO_SEND');
}

test('about to begin the first try, when a person has begun the second · sends nothing by the first', async () => {
  const { way, sent } = await halfOnItsWay();
  const late = standingStill('query');
  const sending = late.steps.sendRefund(way);
  await late.standing;
  await refusedAndTriedAgain(way);
  sandboxes.alipay.desk.behave({ hangsAfter: ['refund'] });
  late.wake();
  expect(await sending).toBe('WAITING');
  expect(sent()).toBe(0);
  sandboxes.alipay.desk.behave({});
  expect(await steps.sendRefund(way)).toBe('SENT');
  expect(sent()).toBe(1);
});

test('asking about the first try, when the second was sent · sends nothing by the first', async () => {
  const { way, sent } = await halfOnItsWay();
  sandboxes.alipay.desk.behave({ isDown: true });
  const { refundId } = way;
  await steps.sendRefund(way);
  await database.pool.query(
    `UPDATE deposit_refunds SET state = 'SENDING', pay_nanos = 140000000000, pay_currency = 'CNY', paid_nanos = 280000000000
     WHERE id = $1`,
    [refundId],
  );
  sandboxes.alipay.desk.behave({});
  const late = standingStill('queryRefund');
  const sending = late.steps.sendRefund(way);
  await late.standing;
  await refusedAndTriedAgain(way);
  sandboxes.alipay.desk.behave({});
  expect(await steps.sendRefund(way)).toBe('SENT');
  late.wake();
  expect(await sending).not.toBe('BY_HAND');
  expect(sent()).toBe(1);
});
