import { createActivities } from '../../../activities/index.ts';
import { postEntries } from '../../../activities/core/ledger.ts';
import type { Trade } from '../../../dev/sandboxes/desk.ts';
import { inTransaction, violatedConstraint } from '../../../db/postgres.ts';
import { isRail } from '../../../domain/deposit-terms.ts';
import { billingBatch } from '../../../domain/ledger/postings.ts';
import { makeAdvertiser, makeOperator, makePublisher } from '../../support/make/account.ts';
import { UNIT } from '../../support/make/money.ts';
import {
  balance,
  byWorkers,
  type Person,
  pick,
  unlessRefused,
  Watch,
} from '../../support/model.ts';
import {
  type Command,
  type Method,
  METHODS,
  Model,
  type Order,
  type Receipt,
} from './deposits-model.ts';
import { Desk } from './deposits-desk.ts';
import type { Stand, Weather } from './deposits-stand.ts';

type OfOrder = Extract<
  Command,
  { do: 'pay' | 'cancel' | 'lap' | 'record' | 'statement' | 'decide' }
>;

let serial = 0;

/** Everything of one course, asked for by the platform's own steps, as its flows would call them. */
export class World {
  readonly stand: Stand;
  readonly model: Model;
  readonly advertisers: number[];
  readonly persons: Person[];
  readonly desk = new Desk(this);
  readonly watch = new Watch();
  /** What the outside world's accounts held before. */
  readonly before: ReadonlyMap<Method, bigint>;
  commands = 0;
  readonly steps: ReturnType<typeof createActivities>;

  private constructor(
    stand: Stand,
    of: { advertisers: number[]; persons: Person[]; before: ReadonlyMap<Method, bigint> },
  ) {
    this.stand = stand;
    this.model = new Model();
    this.advertisers = of.advertisers;
    this.persons = of.persons;
    this.before = of.before;
    this.steps = createActivities(stand.deps);
  }

  static async begin(stand: Stand): Promise<World> {
    const { db } = stand.database;
    const advertisers = [(await makeAdvertiser(db)).id, (await makeAdvertiser(db)).id];
    const persons: Person[] = [];
    for (let made = 0; made < 3; made += 1) {
      persons.push({ id: (await makeOperator(db, 'FINANCE')).id, role: 'FINANCE' });
    }
    const before = new Map<Method, bigint>();
    for (const method of METHODS) {
      before.set(method, await balance(stand.database, `w:${method.toLowerCase()}`));
    }
    const world = new World(stand, { advertisers, persons, before });
    world.weather({ alipay: {}, wechat: {} });
    for (const [of, method] of [...METHODS, ...METHODS].entries()) {
      await world.#open({ of, method, amount: 40n * UNIT });
    }
    for (const order of world.model.orders) await world.lap(order, { workers: 1, isLate: false });
    return world;
  }

  weather({ alipay, wechat }: Weather): void {
    this.stand.sandboxes.alipay.desk.behave(alipay);
    this.stand.sandboxes.wechat.desk.behave(wechat);
  }

  /** What a wallet has taken and never ends by itself: its merchant mends it in the wallet's own pages. */
  mend(): void {
    const { alipay, wechat } = this.stand.sandboxes;
    const trades = [alipay, wechat].flatMap(({ desk }) => [...desk.trades.values()]);
    for (const refund of trades.flatMap(({ refunds }) => [...refunds.values()])) {
      if (refund.state === 'STUCK') refund.state = 'SUCCESS';
    }
  }

  async run(each: Command): Promise<void> {
    this.commands += 1;
    switch (each.do) {
      case 'open':
        return await this.#open(each);
      case 'spend':
        return await this.#spend(pick(this.advertisers, each.of) ?? 0, each.amount);
      case 'refund':
        return await this.desk.askRefund(each);
      case 'answer_refund':
        return await this.desk.answerRefund(each);
      case 'look_at_chain':
        this.stand.sandboxes.chain.mine(each.blocks);
        return void (await byWorkers(each.workers, async () => await this.steps.lookAtChains()));
      case 'suspense':
        return await this.suspense(pick(this.model.receipts, each.of), each.workers);
      case 'way_back':
        return await this.wayBack(each.of, each.workers);
      case 'pay':
      case 'cancel':
      case 'lap':
      case 'record':
      case 'statement':
      case 'decide': {
        const order = pick(this.model.orders, each.of);
        if (order !== undefined) await this.#runOf(order, each);
      }
    }
  }

  async #runOf(order: Order, each: OfOrder): Promise<void> {
    switch (each.do) {
      case 'pay':
        return await this.#pay(order, each);
      case 'cancel':
        return await this.#cancel(order, each.workers);
      case 'lap':
        return await this.lap(order, each);
      case 'record':
        return await this.desk.record(this.desk.byHand(each.of) ?? order, each);
      case 'statement':
        return await this.desk.statement(order, each);
      case 'decide':
        return await this.desk.decide(order, each);
    }
  }

  person(at: number): Person {
    return pick(this.persons, at) as Person;
  }

  async #open({ of, method, amount }: Omit<Extract<Command, { do: 'open' }>, 'do'>): Promise<void> {
    const advertiserId = pick(this.advertisers, of) ?? 0;
    const asked = { advertiserId, amountNanos: amount, paymentMethod: method };
    const network = method === 'USDT' ? ({ network: 'ERC20' } as const) : {};
    const { id } = await this.steps.openDeposit({ ...asked, ...network });
    const { rows } = await this.query<{ reference: string }>(
      'SELECT reference FROM deposits WHERE id = $1',
      [id],
    );
    const reference = rows[0]?.reference ?? '';
    this.model.orders.push({ id, advertiserId, method, amountNanos: amount, reference, end: null });
  }

  async query<Row extends object>(text: string, values: unknown[]) {
    return await this.stand.database.pool.query<Row>(text, values);
  }

  tradeOf({ method, reference }: Order): Trade | undefined {
    return this.#wallet(method)?.desk.trades.get(reference);
  }

  #wallet(method: Method) {
    const { alipay, wechat } = this.stand.sandboxes;
    return method === 'ALIPAY' ? alipay : method === 'WECHAT' ? wechat : undefined;
  }

  /** Somebody pays, and the wallet tells of it, or somebody else says so. */
  async #pay(order: Order, each: Extract<Command, { do: 'pay' }>): Promise<void> {
    const { method } = order;
    if (method === 'USDT') return await this.#sendTokens(order, each.percent);
    const wallet = this.#wallet(method);
    const trade = this.tradeOf(order);
    // Nobody can pay what has not been shown to them.
    if (wallet === undefined || trade === undefined || !(await this.#isShown(order))) return;
    wallet.desk.pay(order.reference, (trade.total * BigInt(each.percent)) / 100n);
    const notice = wallet.noticeOf(each.isStray ? { ...trade, orderNo: 'RF00000000000' } : trade);
    const raw = { headers: notice.headers, body: Buffer.from(notice.body) };
    await byWorkers(each.copies, async () => {
      if (!isRail(method)) return;
      const verdict = await this.steps.takeNotice(method, raw);
      if (verdict === 'TAKEN' && each.isAsked) await this.#ask(order);
    });
  }

  async #isShown({ id }: Order): Promise<boolean> {
    const { rows } = await this.query(
      'SELECT 1 FROM deposit_payments WHERE deposit_id = $1 AND opened_at IS NOT NULL',
      [id],
    );
    return rows.length > 0;
  }

  async #sendTokens(order: Order, percent: number): Promise<void> {
    const { rows } = await this.query<{ address: string }>(
      'SELECT address FROM deposit_payments WHERE deposit_id = $1 AND opened_at IS NOT NULL',
      [order.id],
    );
    const value = (order.amountNanos * BigInt(percent)) / 100n / 1_000n;
    if (rows[0] === undefined || value === 0n) return;
    const reference = this.stand.sandboxes.chain.send(rows[0].address, value);
    this.model.tokens.push({ orderId: order.id, amountNanos: value * 1_000n, reference });
  }

  async #ask({ id: depositId }: Order): Promise<void> {
    await this.steps.askPayment({ depositId });
  }

  async #cancel(order: Order, workers: number): Promise<void> {
    const { id: depositId, advertiserId } = order;
    const answers = await byWorkers(
      workers,
      async () =>
        await unlessRefused(this.steps.cancelDeposit({ depositId, advertiserId }).then(() => true)),
    );
    const done = answers.filter((answer) => answer === true).length;
    if (done > 1) throw new Error(`order ${depositId} was cancelled twice`);
    if (done === 1) this.model.ends(order, 'CANCELLED');
  }

  /** What its flow does next, by so many workers that have read the same. */
  async lap(
    order: Order,
    { workers, isLate }: { workers: number; isLate: boolean },
  ): Promise<void> {
    const depositId = order.id;
    const state = await this.steps.readDeposit({ depositId });
    await byWorkers(workers, async () => {
      for (const receiptId of state.receiptIds) {
        const receipt = await this.receipt(receiptId);
        const said = await this.steps.confirmReceipt({ depositId, receiptId });
        this.model.confirmed(order, receipt, said);
      }
      if (state.receiptIds.length > 0) return;
      if (!isRail(order.method)) {
        if (isLate && state.status === 'PENDING') await this.#expire(order);
        return;
      }
      if (state.isUnopened === true && state.status === 'PENDING') {
        await this.steps.openPayment({ depositId });
      } else if (state.closed) {
        if ((await this.steps.closePayment({ depositId })) === 'PAID') await this.#ask(order);
      } else if (state.status === 'PENDING') {
        const said = await this.steps.askPayment({ depositId });
        if (isLate && said !== 'PAID' && said !== 'COMING') await this.#expire(order);
      }
    });
  }

  async #expire(order: Order): Promise<void> {
    const status = await this.steps.expireDeposit({ depositId: order.id });
    if (status === 'EXPIRED') this.model.ends(order, 'EXPIRED');
  }

  /** By what its row says that never changes; what becomes of it the model knows. */
  async receipt(id: number): Promise<Receipt> {
    const known = this.model.receipts.find((each) => each.id === id);
    if (known !== undefined) return known;
    const { rows } = await this.query<Record<string, string | null>>(
      `SELECT deposit_id, amount_nanos, provider_reference, operator_id FROM deposit_receipts WHERE id = $1`,
      [id],
    );
    const [row] = rows;
    const order = this.model.orders.find((each) => each.id === Number(row?.['deposit_id']));
    if (row === undefined || order === undefined) throw new Error(`receipt ${id} is nobody's`);
    return this.model.comes({
      id,
      order,
      amountNanos: BigInt(row['amount_nanos'] ?? 0),
      reference: row['provider_reference'] ?? '',
      recorder: row['operator_id'] === null ? null : Number(row['operator_id']),
    });
  }

  /** The flow of money that fits no open order, where it was begun. */
  async suspense(receipt: Receipt | undefined, workers: number): Promise<void> {
    if (receipt === undefined) return;
    const begun = await this.query('SELECT 1 FROM outbox WHERE dedupe_key = $1', [
      `start:suspense:${receipt.id}`,
    ]);
    if (begun.rows.length === 0) return;
    await byWorkers(
      workers,
      async () => await this.steps.openSuspenseTask({ receiptId: receipt.id }),
    );
  }

  /** By the wallet's own account, in fen: what it has sent back, or still may, of one way back. */
  wentBack(order: Order, refundId: number): bigint {
    const trade = this.tradeOf(order);
    return [...(trade?.refunds ?? [])]
      .filter(
        ([key, { state }]) =>
          key.startsWith(`${order.reference}B${refundId}N`) &&
          state !== 'FAILED' &&
          state !== 'STUCK',
      )
      .reduce((all, [, { amount }]) => all + amount, 0n);
  }

  /** One lap of a way back, of a receipt or of a part of a balance; a person is asked where no machine sends it. */
  async wayBack(at: number, workers: number): Promise<void> {
    const receipts = this.model.receipts.filter(({ state }) => state === 'REFUNDING');
    const ways = [
      ...receipts.map(({ id }) => ({ receiptId: id })),
      ...this.model.parts
        .filter(({ state }) => state === 'HELD')
        .map(({ id }) => ({ refundId: id })),
    ];
    const way = pick(ways, at);
    if (way === undefined) return;
    const answers = await byWorkers(workers, async () => await this.steps.sendRefund(way));
    for (const said of answers) this.model.sentBack(way, said);
    if (answers.includes('BY_HAND')) await this.steps.askAboutRefund(way);
  }

  /** Advertising: whatever of it the balance does not cover is refused. */
  async #spend(advertiserId: number, amount: bigint): Promise<void> {
    const { db } = this.stand.database;
    const { id: publisherId } = await makePublisher(db);
    const totals = {
      spend: [{ advertiserId, campaignId: 1, priceNanos: amount, events: 1 }],
      earnings: [{ publisherId, publisherNanos: 0n, events: 1 }],
    };
    try {
      await inTransaction(db, async (tx) => {
        await postEntries(db, tx, billingBatch(`model-spend:${(serial += 1)}`, 0, totals));
      });
    } catch (error) {
      if (violatedConstraint(error) !== 'no_overdraft') throw error;
      return;
    }
    this.model.spends(advertiserId, amount);
  }
}
