import { addressOfChild } from '../../../activities/providers/evm-address.ts';
import { tronAddressOfChild } from '../../../activities/providers/tron-address.ts';
import { FAKE_TOKEN, type TronBehaviour } from '../../../dev/sandboxes/tron.ts';
import { startTestSandboxes, type TestSandboxes } from '../../support/sandboxes.ts';
import { makeAdvertiser } from '../../support/make/account.ts';
import { balanceOf } from '../../support/make/money.ts';
import { createStand, type FlowStand } from '../../support/stand.ts';
import { eventually } from '../../support/until.ts';

/** Tokens that come to an order's address, on chains that are made anew, lag and lie. */
let stand: FlowStand;
let sandboxes: TestSandboxes;
let advertiserId: number;

beforeAll(async () => {
  sandboxes = await startTestSandboxes();
  const env = { ...sandboxes.env, PAYMENT_ASK_SECONDS: '60' };
  stand = await createStand({ flows: env, env });
}, 90_000);

beforeEach(async () => {
  advertiserId = (await makeAdvertiser(stand.database.db)).id;
  sandboxes.chain.behave({});
  sandboxes.tron.behave({});
  await look();
});

afterAll(async () => {
  await stand?.close();
  await sandboxes?.close();
}, 60_000);

const look = async () => await stand.flows.activities.lookAtChains();

/** What both chains can do, and do wrong. */
interface Rail {
  network: 'ERC20' | 'TRC20';
  confirmations: number;
  addressOf: (orderId: number) => string;
  send: (to: string, value: bigint) => void;
  sendFake: (to: string, value: bigint) => void;
  mine: (blocks?: number) => void;
  reorganise: (depth: number, keeps: boolean) => void;
  behave: (fault: 'none' | 'sends_all' | 'denies' | 'hides' | 'down') => void;
}

const ERC20: Rail = {
  network: 'ERC20',
  confirmations: 6,
  addressOf: (id) => addressOfChild(sandboxes.env['USDT_XPUB'] ?? '', id),
  send: (to, value) => void sandboxes.chain.send(to, value),
  sendFake: (to, value) => void sandboxes.chain.send(to, value, `0x${'fa'.repeat(20)}`),
  mine: (blocks) => sandboxes.chain.mine(blocks),
  reorganise: (depth, keeps) => sandboxes.chain.reorganise(depth, keeps),
  behave: (fault) =>
    sandboxes.chain.behave({
      sendsAll: fault === 'sends_all',
      denies: fault === 'denies',
      hidesLogs: fault === 'hides',
      isDown: fault === 'down',
    }),
};

const TRON_FAULTS = {
  none: {},
  sends_all: { logs: 'of_all_contracts' },
  denies: { solidity: 'denies' },
  hides: { logs: 'hidden' },
  down: { fault: 'cut' },
} as const satisfies Record<string, Partial<TronBehaviour>>;

const TRC20: Rail = {
  network: 'TRC20',
  confirmations: 19,
  addressOf: (id) => tronAddressOfChild(sandboxes.env['TRON_XPUB'] ?? '', id),
  send: (to, value) => void sandboxes.tron.send({ to, value }),
  sendFake: (to, value) => void sandboxes.tron.send({ to, value, contract: FAKE_TOKEN }),
  mine: (blocks) => sandboxes.tron.mine(blocks),
  reorganise: (depth, keeps) => sandboxes.tron.fork(depth, keeps),
  behave: (fault) => sandboxes.tron.behave(TRON_FAULTS[fault]),
};

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

async function order({ network }: Pick<Rail, 'network'>, amount = 50): Promise<Order> {
  const { body } = await stand
    .as('advertiser', advertiserId)
    .post('/deposits', { amount, payment_method: 'USDT', network });
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

/** The keys of phrases that everybody knows; TRON's at m/44'/195'/0'. */
it.each([
  [
    addressOfChild,
    'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP',
    ['0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ],
  [
    tronAddressOfChild,
    'xpub6D1AabNHCupeiLM65ZR9UStMhJ1vCpyV4XbZdyhMZBiJXALQtmn9p42VTQckoHVn8WNqS7dqnJokZHAHcHGoaQgmv8D45oNUKx6DZMNZBCd',
    ['TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH', 'TSeJkUh4Qv67VNFwY8LaAxERygNdy6NQZK'],
  ],
])('%p · the addresses that everybody knows', (addressOf, xpub, addresses) => {
  expect([addressOf(xpub, 0), addressOf(xpub, 1)]).toEqual(addresses);
});

describe.each([
  ['ERC20', ERC20],
  ['TRC20', TRC20],
] as const)('%s', (_, rail) => {
  const { confirmations } = rail;

  it('address · one of each order, shown with what has to be sent', async () => {
    const one = await order(rail);
    const other = await order(rail);
    expect(one.payment).toMatchObject({
      kind: 'ADDRESS',
      network: rail.network,
      address: rail.addressOf(one.id),
      pay_amount: 50,
      pay_currency: 'USDT',
      confirmations,
    });
    expect(other.payment.address).not.toBe(one.payment.address);
  });

  it('as ordered · shown while it is on its way, credited once it is deep enough, once', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    await look();
    expect(await show(id)).toMatchObject({ status: 'PENDING', payment: { confirmations_seen: 1 } });
    rail.mine(confirmations - 2);
    await look();
    expect(await show(id)).toMatchObject({
      status: 'PENDING',
      payment: { confirmations_seen: confirmations - 1 },
    });
    rail.mine();
    await Promise.all([look(), look(), look()]);
    await becomes(id, 'PAID');
    rail.mine(confirmations);
    await look();
    expect(await receipts(id)).toBe(1);
    expect(await available()).toBe(50_000_000_000n);
  });

  it('another amount from the minimum on · credited as it came', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 62_345_678n);
    rail.mine(confirmations);
    await look();
    await becomes(id, 'PAID');
    expect(await available()).toBe(62_345_678_000n);
  });

  it('below the minimum · a person decides', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 9_999_999n);
    rail.mine(confirmations);
    await look();
    await becomes(id, 'REVIEW');
    expect(await available()).toBe(0n);
  });

  it('two payments to one address · the first pays the order, the second waits for a person', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    await look();
    await becomes(id, 'PAID');
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    await look();
    expect(await receipts(id)).toBe(2);
    expect(await available()).toBe(50_000_000_000n);
  });

  it('a reorganisation takes it away before it is deep enough · nothing was credited', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(2);
    await look();
    expect((await show(id)).payment.confirmations_seen).toBe(3);
    rail.reorganise(4, false);
    rail.mine(confirmations + 4);
    await look();
    expect(await show(id)).toMatchObject({
      status: 'PENDING',
      payment: { confirmations_seen: null },
    });
    expect(await receipts(id)).toBe(0);
  });

  it('a reorganisation moves it to another block · credited once, from there', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(2);
    await look();
    rail.reorganise(3, true);
    rail.mine(confirmations + 3);
    await look();
    await becomes(id, 'PAID');
    expect(await receipts(id)).toBe(1);
  });

  it('a reorganisation deeper than what is believed · said as a fault, and no second credit', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    await look();
    await becomes(id, 'PAID');
    rail.reorganise(confirmations + 2, true);
    rail.mine(confirmations + 2);
    await look();
    await look();
    expect(await receipts(id)).toBe(1);
    expect(await available()).toBe(50_000_000_000n);
  });

  it('a token of another contract, sent by a node that filters nothing · is nothing', async () => {
    const { id, payment } = await order(rail);
    rail.behave('sends_all');
    rail.sendFake(payment.address, 50_000_000n);
    rail.mine(confirmations);
    await look();
    expect(await receipts(id)).toBe(0);
  });

  it('a node that denies what it logged · is not believed, and asked again', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    rail.behave('denies');
    await expect(look()).rejects.toThrow('contradicts itself');
    expect(await receipts(id)).toBe(0);
    rail.behave('none');
    await look();
    await becomes(id, 'PAID');
  });

  it('logs that come later than their blocks · are found by the overlap', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    rail.behave('hides');
    await look();
    rail.behave('none');
    rail.mine();
    await look();
    await becomes(id, 'PAID');
  });

  it('a node that stands still · leaves the age of what was read; the next block renews it', async () => {
    const movedAt = async () => {
      const { rows } = await stand.database.pool.query<{ block: string; updated_at: Date }>(
        'SELECT block, updated_at FROM chain_cursors WHERE network = $1',
        [rail.network],
      );
      return rows[0];
    };
    const before = await movedAt();
    await look();
    expect(await movedAt()).toEqual(before);
    rail.mine();
    await look();
    const after = await movedAt();
    expect(Number(after?.block)).toBe(Number(before?.block) + 1);
    expect(after?.updated_at).not.toEqual(before?.updated_at);
  });

  it('a node that is down · the look fails, and the next begins where it was', async () => {
    const { id, payment } = await order(rail);
    rail.send(payment.address, 50_000_000n);
    rail.behave('down');
    await expect(look()).rejects.toThrow('fetch failed');
    rail.behave('none');
    rail.mine(confirmations * 20);
    await look();
    await becomes(id, 'PAID');
  });

  it('after the order was cancelled · in suspense, for a person', async () => {
    const { id, payment } = await order(rail);
    await stand.as('advertiser', advertiserId).post(`/deposits/${id}/cancel`);
    rail.send(payment.address, 50_000_000n);
    rail.mine(confirmations);
    await look();
    expect(await receipts(id)).toBe(1);
    expect((await show(id)).status).toBe('CANCELLED');
    expect(await available()).toBe(0n);
  });
});

it.each([
  ['TRC20', TRC20, ERC20],
  ['ERC20', ERC20, TRC20],
] as const)('%s has no node · the other chain is credited all the same', async (_, dead, alive) => {
  const here = await order(dead);
  const there = await order(alive);
  for (const [rail, { payment }] of [
    [dead, here],
    [alive, there],
  ] as const) {
    rail.send(payment.address, 50_000_000n);
    rail.mine(rail.confirmations);
  }
  dead.behave('down');
  await expect(look()).rejects.toThrow('fetch failed');
  await becomes(there.id, 'PAID');
  expect(await receipts(here.id)).toBe(0);
  dead.behave('none');
  await look();
  await becomes(here.id, 'PAID');
});

it('TRC20 · one transaction of three movements, told twice and numbered otherwise later · each once', async () => {
  const one = await order(TRC20);
  const two = await order(TRC20);
  const half = { to: one.payment.address, value: 30_000_000n };
  sandboxes.tron.send(half, half, { to: two.payment.address, value: 50_000_000n });
  for (const way of ['twice', 'backwards'] as const) {
    sandboxes.tron.behave({ logs: way, countsByTransaction: way === 'backwards' });
    sandboxes.tron.mine(TRC20.confirmations - 1);
    await look();
  }
  expect([await receipts(one.id), await receipts(two.id)]).toEqual([2, 1]);
  await becomes(two.id, 'PAID');
});

it('methods · name the chains of USDT; where none is asked for, the first of them', async () => {
  const as = stand.as('advertiser', advertiserId);
  const { body } = await as.get('/deposits/methods');
  const { items } = body.data as {
    items: { method: string; networks: string[]; fields: string[] }[];
  };
  const of = (method: string) => items.find((each) => each.method === method);
  expect(of('USDT')).toMatchObject({
    networks: ['ERC20', 'TRC20'],
    fields: ['amount', 'payment_method', 'network'],
  });
  expect(of('BANK')).toMatchObject({ networks: [], fields: ['amount', 'payment_method'] });
  const unnamed = await as.post('/deposits', { amount: 50, payment_method: 'USDT' });
  expect(unnamed.body.data).toMatchObject({ payment: { network: 'ERC20' } });
});
