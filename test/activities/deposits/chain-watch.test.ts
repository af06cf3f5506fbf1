import { addressOfChild } from '../../../activities/providers/evm-address.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { balanceOf } from '../../support/make/money.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { eventually } from '../../support/until.ts';

/** Tokens that come to an order's address, on a chain that is made anew, lags and lies. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let advertiserId: number;

const CONFIRMATIONS = 6;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '60' };
  stand = await createStand({ flows: env, env });
}, 90_000);

beforeEach(async () => {
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  sandboxes.chain.behave({});
  await look();
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

const look = async () => await stand.flows.activities.lookAtChains();

interface Order {
  id: number;
  status: string;
  received: number;
  payment: { address: string; state: string; confirmations_seen: number | null };
}

async function show(id: number): Promise<Order> {
  const { body } = await stand.as('advertiser', advertiserId).get(`/deposits/${id}`);
  return body.data as Order;
}

async function order(amount = 50): Promise<Order> {
  const { body } = await stand
    .as('advertiser', advertiserId)
    .post('/deposits', { amount, payment_method: 'USDT' });
  return await eventually(async () => {
    const shown = await show((body.data as Order).id);
    if (shown.payment.state !== 'OPEN') throw new Error('no address yet');
    return shown;
  });
}

const available = async (): Promise<bigint> =>
  await balanceOf(stand.database, `adv:${advertiserId}:available`);

const becomes = async (id: number, status: string): Promise<void> => {
  await eventually(async () => expect((await show(id)).status).toBe(status));
};

const receipts = async (id: number): Promise<number> => {
  const { rows } = await stand.database.pool.query<{ count: string }>(
    'SELECT count(*) FROM deposit_receipts WHERE deposit_id = $1',
    [id],
  );
  return Number(rows[0]?.count);
};

const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

it.each([
  [0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
  [1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
])(
  'child %i of the key that everybody knows · its address that everybody knows',
  (index, address) => {
    expect(addressOfChild(XPUB, index)).toBe(address);
  },
);

it('address · one of each order, shown with what has to be sent', async () => {
  const one = await order();
  const other = await order();
  expect(one.payment).toMatchObject({
    kind: 'ADDRESS',
    network: 'ERC20',
    address: addressOfChild(XPUB, one.id),
    pay_amount: 50,
    pay_currency: 'USDT',
    confirmations: CONFIRMATIONS,
  });
  expect(other.payment.address).not.toBe(one.payment.address);
});

it('as ordered · shown while it is on its way, credited once it is deep enough, once', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  await look();
  expect(await show(id)).toMatchObject({ status: 'PENDING', payment: { confirmations_seen: 1 } });
  sandboxes.chain.mine(CONFIRMATIONS - 2);
  await look();
  expect(await show(id)).toMatchObject({ status: 'PENDING', payment: { confirmations_seen: 5 } });
  sandboxes.chain.mine();
  await Promise.all([look(), look(), look()]);
  await becomes(id, 'PAID');
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  expect(await receipts(id)).toBe(1);
  expect(await available()).toBe(50_000_000_000n);
});

it('another amount from the minimum on · credited as it came', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 62_345_678n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  await becomes(id, 'PAID');
  expect(await available()).toBe(62_345_678_000n);
});

it('below the minimum · a person decides', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 9_999_999n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  await becomes(id, 'REVIEW');
  expect(await available()).toBe(0n);
});

it('two payments to one address · the first pays the order, the second waits for a person', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  await becomes(id, 'PAID');
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  expect(await receipts(id)).toBe(2);
  expect(await available()).toBe(50_000_000_000n);
});

it('a reorganisation takes it away before it is deep enough · nothing was credited', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(2);
  await look();
  expect((await show(id)).payment.confirmations_seen).toBe(3);
  sandboxes.chain.reorganise(4, false);
  sandboxes.chain.mine(CONFIRMATIONS + 4);
  await look();
  expect(await show(id)).toMatchObject({
    status: 'PENDING',
    payment: { confirmations_seen: null },
  });
  expect(await receipts(id)).toBe(0);
});

it('a reorganisation moves it to another block · credited once, from there', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(2);
  await look();
  sandboxes.chain.reorganise(3, true);
  sandboxes.chain.mine(CONFIRMATIONS + 3);
  await look();
  await becomes(id, 'PAID');
  expect(await receipts(id)).toBe(1);
});

it('a reorganisation deeper than what is believed · said as a fault, and no second credit', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  await becomes(id, 'PAID');
  sandboxes.chain.reorganise(CONFIRMATIONS + 2, true);
  sandboxes.chain.mine(CONFIRMATIONS + 2);
  await look();
  await look();
  expect(await receipts(id)).toBe(1);
  expect(await available()).toBe(50_000_000_000n);
});

it('a token of another contract, sent by a node that filters nothing · is nothing', async () => {
  const { id, payment } = await order();
  sandboxes.chain.behave({ sendsAll: true });
  sandboxes.chain.send(payment.address, 50_000_000n, `0x${'fa'.repeat(20)}`);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  expect(await receipts(id)).toBe(0);
});

it('a node that denies what it logged · is not believed, and asked again', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  sandboxes.chain.behave({ denies: true });
  await expect(look()).rejects.toThrow('contradicts itself');
  expect(await receipts(id)).toBe(0);
  sandboxes.chain.behave({});
  await look();
  await becomes(id, 'PAID');
});

it('logs that come later than their blocks · are found by the overlap', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  sandboxes.chain.behave({ hidesLogs: true });
  await look();
  sandboxes.chain.behave({});
  sandboxes.chain.mine();
  await look();
  await becomes(id, 'PAID');
});

it('a node that is down · the look fails, and the next begins where it was', async () => {
  const { id, payment } = await order();
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.behave({ isDown: true });
  await expect(look()).rejects.toThrow('fetch failed');
  sandboxes.chain.behave({});
  sandboxes.chain.mine(CONFIRMATIONS * 20);
  await look();
  await becomes(id, 'PAID');
});

it('after the order was cancelled · in suspense, for a person', async () => {
  const { id, payment } = await order();
  await stand.as('advertiser', advertiserId).post(`/deposits/${id}/cancel`);
  sandboxes.chain.send(payment.address, 50_000_000n);
  sandboxes.chain.mine(CONFIRMATIONS);
  await look();
  expect(await receipts(id)).toBe(1);
  expect((await show(id)).status).toBe('CANCELLED');
  expect(await available()).toBe(0n);
});
