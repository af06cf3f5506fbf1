import {
  OPEN_DEPOSIT_STATUSES,
  depositLifecycle,
  receiptLifecycle,
  refundLifecycle,
  type RefundState,
} from '../../../domain/lifecycle/deposit.ts';
import { balanceRefundLifecycle } from '../../../domain/lifecycle/balance-refund.ts';
import { chart } from '../../../domain/ledger/chart.ts';
import { balance, sum } from '../../support/model.ts';
import { METHODS, type Order, type Part } from './deposits-model.ts';
import type { World } from './deposits-world.ts';

/** What must be so after each round, whoever was faster in it. */

interface OrderRow {
  id: string;
  status: (typeof depositLifecycle)['statuses'][number];
  received: string;
}
interface ReceiptRow {
  id: string;
  status: string;
  deposit: string;
  provider: string;
  reference: string;
  amount: string;
}
interface RefundRow {
  id: string;
  status: RefundState;
  request: string | null;
  pay: string | null;
  by: string | null;
  deposit: string;
}

const FEN = 10_000_000n;

export async function checkWorld(world: World, offNanos = 0n): Promise<void> {
  const { model } = world;
  const orders = await checkOrders(world);
  const receipts = await checkReceipts(world, orders);
  for (const order of model.orders) checkTruth(world, order, receipts);
  await checkRefunds(world);
  for (const id of world.advertisers) {
    const { available, held } = model.moneyOf(id);
    const now = {
      available: await balance(world.stand.database, chart.advertiserAvailable(id)),
      held: await balance(world.stand.database, chart.advertiserRefundHold(id)),
    };
    expect({ id, ...now }).toEqual({ id, available: available + offNanos, held });
  }
  expect(await balance(world.stand.database, 'suspense:%')).toBe(model.suspense);
  for (const method of METHODS) {
    const brought =
      (world.before.get(method) ?? 0n) -
      (await balance(world.stand.database, `w:${method.toLowerCase()}`));
    expect({ method, brought }).toEqual({ method, brought: model.broughtBy(method) });
  }
}

const idsOf = ({ model }: World): number[] => model.orders.map(({ id }) => id);

async function rowsOf<Row extends object>(world: World, text: string): Promise<Row[]> {
  const { rows } = await world.stand.database.pool.query<Row>(text, [idsOf(world)]);
  return rows;
}

async function checkOrders(world: World): Promise<OrderRow[]> {
  const rows = await rowsOf<OrderRow>(
    world,
    `SELECT id, status, received_nanos AS received FROM deposits WHERE id = ANY ($1) ORDER BY id`,
  );
  world.watch.look('order', depositLifecycle, rows);
  for (const { id, end, method } of world.model.orders) {
    const status = rows.find((row) => Number(row.id) === id)?.status ?? 'FAILED';
    // That its wallet has refused it nobody was told here.
    if (end === null && status === 'FAILED') expect(['ALIPAY', 'WECHAT']).toContain(method);
    else if (end === null) expect(OPEN_DEPOSIT_STATUSES).toContain(status);
    else expect({ id, status }).toEqual({ id, status: end });
  }
  return rows;
}

async function checkReceipts(world: World, orders: OrderRow[]): Promise<ReceiptRow[]> {
  const rows = await rowsOf<ReceiptRow>(
    world,
    `SELECT id, state AS status, deposit_id AS deposit, provider, provider_reference AS reference, amount_nanos AS amount
     FROM deposit_receipts WHERE deposit_id = ANY ($1) ORDER BY id`,
  );
  world.watch.look('receipt', receiptLifecycle, rows);
  for (const { id, status } of rows) {
    const { state } = await world.receipt(Number(id));
    expect({ receipt: id, status }).toEqual({ receipt: id, status: state });
  }
  const named = rows.map(({ provider, reference }) => `${provider} ${reference}`);
  expect(new Set(named).size).toBe(named.length);
  for (const { id, received } of orders) {
    const own = rows.filter(({ deposit }) => deposit === id).map(({ amount }) => BigInt(amount));
    expect({ id, received }).toEqual({ id, received: String(sum(own)) });
  }
  return rows;
}

/** Each receipt is of money that somebody outside has paid, and says how much it was. */
function checkTruth(world: World, order: Order, receipts: readonly ReceiptRow[]): void {
  const own = receipts.filter(({ deposit }) => Number(deposit) === order.id);
  const said = own.map(({ reference, amount }) => `${reference} ${amount}`);
  const { model } = world;
  if (order.method === 'BANK' || order.method === 'OFFLINE') {
    const claimed = [...model.claimed].filter(([, claim]) => claim.order === order);
    const told = claimed.map(([key, { amountNanos }]) => `${key.split(' ')[1]} ${amountNanos}`);
    expect({ order: order.id, said: said.toSorted() }).toEqual({
      order: order.id,
      said: told.toSorted(),
    });
    return;
  }
  if (order.method === 'USDT') {
    const sent = model.tokens.filter(({ orderId }) => orderId === order.id);
    const left = sent.map(({ amountNanos }) => String(amountNanos));
    for (const { amount } of own) {
      expect(left).toContain(amount);
      left.splice(left.indexOf(amount), 1);
    }
    return;
  }
  const trade = world.tradeOf(order);
  if (own.length === 0) return;
  const paid = trade?.paid ?? 0n;
  const total = trade?.total ?? 1n;
  const worth = paid === total ? order.amountNanos : (paid * order.amountNanos) / total;
  expect(said).toEqual([`${trade?.transaction} ${worth}`]);
}

const MODELLED: Readonly<Record<RefundState, Part['state']>> = {
  ASKED: 'HELD',
  TO_SEND: 'HELD',
  SENDING: 'HELD',
  BY_HAND: 'HELD',
  SENT: 'SENT',
  RELEASED: 'RELEASED',
};

async function checkRefunds(world: World): Promise<void> {
  const rows = await rowsOf<RefundRow>(
    world,
    `SELECT w.id, w.state AS status, w.balance_refund_id AS request, w.pay_nanos AS pay, w.sent_by AS by, r.deposit_id AS deposit
     FROM deposit_refunds w JOIN deposit_receipts r ON r.id = w.receipt_id WHERE r.deposit_id = ANY ($1) ORDER BY w.id`,
  );
  world.watch.look('way back', refundLifecycle, rows);
  for (const row of rows) {
    const part = world.model.parts.find(({ id }) => id === Number(row.id));
    if (row.request !== null)
      expect({ id: row.id, state: MODELLED[row.status] }).toEqual({
        id: row.id,
        state: part?.state,
      });
    checkWallet(world, row);
  }
  const requests = await rowsOf<{ id: string; status: string }>(
    world,
    `SELECT DISTINCT b.id, b.status FROM balance_refunds b JOIN deposits d ON d.advertiser_id = b.advertiser_id
     WHERE d.id = ANY ($1)`,
  );
  expect(requests.length).toBe(world.model.requests.length);
  world.watch.look('request', balanceRefundLifecycle, requests);
}

/** A wallet sends back once, by one key, just what its way back says; and nothing of what a person sent by hand. */
function checkWallet(world: World, { id, status, pay, by, deposit }: RefundRow): void {
  const order = world.model.orders.find((each) => each.id === Number(deposit)) as Order;
  const trade = world.tradeOf(order);
  const done = [...(trade?.refunds ?? [])]
    .filter(
      ([key, { state }]) => key.startsWith(`${order.reference}B${id}N`) && state === 'SUCCESS',
    )
    .map(([, { amount }]) => String(amount * FEN));
  const about = { id, status, by, done };
  const isSent = status === 'SENT' && by === null;
  if (isSent) expect(about).toEqual({ ...about, done: [pay] });
  else if (status !== 'SENDING' && status !== 'TO_SEND')
    expect(about).toEqual({ ...about, done: [] });
  else expect(done.length).toBeLessThanOrEqual(1);
  const back = [...(trade?.refunds.values() ?? [])].filter(({ state }) => state === 'SUCCESS');
  expect(sum(back.map(({ amount }) => amount)) <= (trade?.paid ?? 0n)).toBe(true);
}

/** Enough for an order to be decided by two, sent back, and its parts as well. */
const LAPS_MAX = 60;

/** With honest wallets and patient persons every order ends, and all money that came has a place. */
export async function checkEnd(world: World): Promise<void> {
  const { model } = world;
  world.weather({ alipay: {}, wechat: {} });
  world.mend();
  await world.run({ do: 'look_at_chain', blocks: 12, workers: 1 });
  await untilOver(world);
  // What is left is asked back, by two at once.
  for (const [of] of world.advertisers.entries()) {
    await world.run({ do: 'refund', of, amount: null, by: of, workers: 2 });
  }
  await untilOver(world);
  await checkWorld(world);
  expect(await unplaced(world)).toEqual([]);
  const came = (of: Order) => model.receipts.filter(({ order }) => order === of);
  for (const order of model.orders) {
    const sent = model.tokens.filter(({ orderId }) => orderId === order.id).length;
    const isPaid = world.tradeOf(order)?.state === 'PAID';
    if (order.method === 'USDT') expect(came(order).length).toBe(sent);
    else if (isPaid)
      expect({ order: order.id, came: came(order).length }).toEqual({ order: order.id, came: 1 });
  }
}

/** Money that waits, and for whom. */
const unplaced = async (world: World): Promise<object[]> =>
  await rowsOf(
    world,
    `SELECT r.id, r.provider, r.state, w.state AS way, w.attempt, w.answer, w.balance_refund_id AS request, d.status,
       ARRAY(SELECT kind || ' of ' || workflow_id FROM tasks t
         WHERE t.subject_type = 'deposit' AND t.subject_id = d.id AND t.status = 'open') AS asked
     FROM deposit_receipts r JOIN deposits d ON d.id = r.deposit_id LEFT JOIN deposit_refunds w ON w.receipt_id = r.id
     WHERE d.id = ANY ($1) AND (r.state IN ('SUSPENSE', 'REFUNDING') OR w.state NOT IN ('SENT', 'RELEASED')
       OR d.status IN ('PENDING', 'CONFIRMING', 'REVIEW'))`,
  );

async function isOver(world: World): Promise<boolean> {
  const { orders, receipts, parts } = world.model;
  const open = await rowsOf<OrderRow>(
    world,
    `SELECT id FROM deposits WHERE id = ANY ($1) AND status IN ('PENDING', 'CONFIRMING', 'REVIEW')`,
  );
  const waits = receipts.some(({ state }) => state === 'SUSPENSE' || state === 'REFUNDING');
  const isUnasked = orders.some(
    (order) =>
      world.tradeOf(order)?.state === 'PAID' && !receipts.some((each) => each.order === order),
  );
  return open.length === 0 && !waits && !isUnasked && parts.every(({ state }) => state !== 'HELD');
}

async function untilOver(world: World): Promise<void> {
  for (let lap = 0; lap < LAPS_MAX && !(await isOver(world)); lap += 1) await finish(world, lap);
}

async function finish(world: World, lap: number): Promise<void> {
  const { model } = world;
  for (const [at, order] of model.orders.entries()) {
    world.commands += 2;
    // Of every other order the money goes back.
    const says = lap < 3 && at % 2 === 0 ? 'no' : 'yes';
    await world.lap(order, { workers: 1, isLate: true });
    for (const nth of [0, 1, 2]) await world.desk.decide(order, { by: lap, says, workers: 1, nth });
  }
  for (const receipt of model.receipts) {
    if (receipt.state === 'SUSPENSE') await world.suspense(receipt, 1);
  }
  for (let at = 0; at < 4; at += 1) await world.wayBack(at + lap, 1);
  for (const [of] of model.requests.entries()) {
    await world.run({ do: 'answer_refund', of, by: lap, says: 'approve' });
  }
}
