import { type Caller, dataOf, idOf } from '../../support/call.ts';
import { makeAdvertiser, makeOperator } from '../../support/make/account.ts';
import { setByOwner } from '../../support/by-owner.ts';
import { createStand, type Stand } from '../../support/stand.ts';

/** What a receipt would bring about is said before it is written, and kept to. */
let stand: Stand;
let clerk: Caller;
let owner: Caller;

beforeAll(async () => {
  stand = await createStand();
  await setByOwner(stand.database, 'deposit.second_approval_above', 1_000);
  clerk = stand.as('admin', (await makeOperator(stand.database.db, 'FINANCE')).id);
  owner = stand.as('advertiser', (await makeAdvertiser(stand.database.db)).id);
});
afterAll(async () => {
  await stand.close();
});

const order = async (amount: number): Promise<number> =>
  idOf(await owner.post('/deposits', { amount, payment_method: 'BANK' }));
const effectOf = async (id: number, amount: string) =>
  await clerk.get(`/deposits/${id}/receipt-effect?amount=${amount}`);

test.each([
  ['just what was ordered', 100, '100', { difference: 0, effect: 'CREDIT' }],
  ['less than was ordered', 100, '60.5', { difference: -39.5, effect: 'REVIEW' }],
  ['more than was ordered', 100, '1000', { difference: 900, effect: 'REVIEW' }],
  [
    'what a second person must agree to',
    5_000,
    '5000',
    { difference: 0, effect: 'SECOND_APPROVAL' },
  ],
])('%s · is said before it is written', async (_what, ordered, amount, said) => {
  const id = await order(ordered);
  expect(dataOf(await effectOf(id, amount))).toEqual({
    ordered,
    received: 0,
    amount: Number(amount),
    currency: 'USD',
    ...said,
  });
});

test('no amount · is all that was ordered', async () => {
  const id = await order(20);
  expect(dataOf(await clerk.get(`/deposits/${id}/receipt-effect`))).toMatchObject({
    amount: 20,
    difference: 0,
    effect: 'CREDIT',
  });
});

test.each(['0', '-5', 'much', '1e3'])('an amount of "%s" · is refused', async (amount) => {
  expect((await effectOf(await order(20), amount)).status).toBe(422);
});

test('another role, and an order that there is not · see nothing', async () => {
  const id = await order(20);
  const reviewer = stand.as('admin', (await makeOperator(stand.database.db, 'REVIEWER')).id);
  expect((await reviewer.get(`/deposits/${id}/receipt-effect?amount=20`)).status).toBe(403);
  expect((await effectOf(987_654_321, '20')).status).toBe(404);
});

test('what was shown and is not so any more · is refused, and nothing is written', async () => {
  const id = await order(100);
  const record = async (amount: number, reference: string, effect: string) =>
    await clerk.post(`/deposits/${id}/receipts`, { amount, reference, effect });
  const wrong = await record(60, 'EFFECT-1', 'CREDIT');
  expect([wrong.status, wrong.body.data]).toMatchObject([409, { effect: 'REVIEW' }]);
  expect((await record(100, 'EFFECT-1', 'CREDIT')).status).toBe(201);
  // Said again it is the same receipt, whatever the order waits for by now.
  expect((await record(100, 'EFFECT-1', 'CREDIT')).status).toBe(200);
  // Somebody else was faster: a second payment does not pay the order.
  const second = await record(100, 'EFFECT-2', 'CREDIT');
  expect([second.status, second.body.data]).toMatchObject([409, { effect: 'SUSPENSE' }]);
  expect((dataOf(await clerk.get(`/deposits/${id}`))['receipts'] as object[]).length).toBe(1);
});
