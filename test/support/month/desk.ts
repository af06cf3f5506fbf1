import { reversalWorkflowId } from '../../../workflows/contracts/reversal.ts';
import { withdrawalWorkflowId } from '../../../workflows/contracts/withdrawal.ts';
import { type Caller, dataOf, idOf } from '../call.ts';
import { image } from '../images.ts';
import type { FlowStand } from '../stand.ts';
import { eventually, until } from '../until.ts';
import type { Outside } from './agreement.ts';
import type { AdvertiserName, Cast } from './cast.ts';

/** The calendar month to come of the real time, by its days; the 0th is its eve. */
const REAL = new Date();
export const on = (day: number, hour = 0): Date =>
  new Date(Date.UTC(REAL.getUTCFullYear(), REAL.getUTCMonth() + 1, day, hour));
export const dayOf = (day: number): string => on(day).toISOString().slice(0, 10);
export const DAYS = new Date(
  Date.UTC(REAL.getUTCFullYear(), REAL.getUTCMonth() + 2, 0),
).getUTCDate();

export interface Order {
  id: number;
  reference: string;
}

type Answer = Awaited<ReturnType<Caller['get']>>;
export const good = (answer: Answer): Answer => {
  if (answer.status > 202) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
};

interface Desk {
  stand: FlowStand;
  outside: Outside;
  cast: Cast;
  /** Two of FINANCE: who asks, and who agrees. */
  finance: readonly [number, number];
}

/** What people of both sides, operators and the bank's clerks do in the course of a month, by the platform's routes. */
export function monthDesk({ stand, outside, cast, finance }: Desk) {
  /** No token lasts a month: each is shown for a call. */
  const maker = (): Caller => stand.as('admin', finance[0]);
  const checker = (): Caller => stand.as('admin', finance[1]);
  const publisher = (name: keyof Cast['publishers']): Caller =>
    stand.as('publisher', cast.publishers[name]);

  async function rowOf<Row extends object>(sql: string, ...values: unknown[]): Promise<Row> {
    return await eventually(sql, async () => {
      const { rows } = await stand.database.pool.query<Row>(sql, values);
      if (rows[0] === undefined) throw new Error(`not yet of ${values.join()}: ${sql}`);
      return rows[0];
    });
  }

  async function decide(
    who: Caller,
    workflowId: string,
    decision: string,
    note?: string,
  ): Promise<void> {
    const { id } = await rowOf<{ id: string }>(
      `SELECT id FROM tasks WHERE workflow_id = $1 AND status = 'open'`,
      workflowId,
    );
    const reasons = decision === 'reject' ? [{ code: 'WRONG_AMOUNT' }] : [];
    good(
      await who.post(`/tasks/${id}/decision`, {
        decision,
        reasons,
        ...(note === undefined ? {} : { note }),
      }),
    );
  }

  /** A term of money, by two persons, from a day on. */
  async function agree(term: object, day: number): Promise<void> {
    const proposed = good(await maker().post('/money-terms', { ...term, from: dayOf(day) }));
    good(await checker().post(`/approvals/${String(dataOf(proposed)['approval_id'])}/approve`, {}));
  }

  async function order(who: AdvertiserName, amount: number, more: object): Promise<Order> {
    return dataOf(
      good(
        await stand.as('advertiser', cast.advertisers[who]).post('/deposits', { amount, ...more }),
      ),
    ) as never;
  }

  const becomes = async (id: number, status: string): Promise<unknown> =>
    await rowOf('SELECT id FROM deposits WHERE id = $1 AND status = $2', id, status);

  async function byWallet(name: 'alipay' | 'wechat', amount: number, fen?: bigint): Promise<Order> {
    const of = await order(name, amount, { payment_method: name.toUpperCase() });
    const wallet = outside.sandboxes[name];
    const trade = await eventually(() => {
      const found = wallet.desk.trades.get(of.reference);
      if (found === undefined) throw new Error('not told yet');
      return found;
    });
    trade.notifyUrl = `${stand.url}/payments/${name}/notices`;
    wallet.desk.pay(of.reference, fen);
    const told = await wallet.tellAbout(trade);
    if (told.join() !== '200') throw new Error(`a notice was answered ${told.join()}`);
    return of;
  }

  async function byToken(network: 'ERC20' | 'TRC20', amount: number): Promise<void> {
    const of = await order('usdt', amount, { payment_method: 'USDT', network });
    const { instructions } = await rowOf<{ instructions: { address: string } }>(
      'SELECT instructions FROM deposit_payments WHERE deposit_id = $1 AND opened_at IS NOT NULL',
      of.id,
    );
    const value = BigInt(amount * 1_000_000);
    const { chain, tron } = outside.sandboxes;
    if (network === 'ERC20') chain.send(instructions.address, value);
    else tron.send({ to: instructions.address, value });
    outside.tokensIn += value;
    chain.mine(6);
    tron.mine(19);
    await stand.flows.activities.lookAtChains();
    await becomes(of.id, 'PAID');
  }

  async function byCash(amount: number): Promise<void> {
    const of = await order('cash', amount, { payment_method: 'OFFLINE' });
    const slip = await maker().upload('/receipt-evidence', await image('png'), 'slip.png');
    outside.cashNanos += BigInt(amount) * 1_000_000_000n;
    const receipt = {
      amount,
      reference: `CASH-${of.id}`,
      evidence_id: idOf(good(slip)),
      reason: 'At the desk',
    };
    good(await maker().post(`/deposits/${of.id}/receipts`, receipt));
    await becomes(of.id, 'PAID');
  }

  /** What the bank has booked on a day, carried over; what names an order is recorded. */
  async function importStatement(day: number): Promise<number> {
    const file = outside.bank.statement(dayOf(day));
    const statement = idOf(good(await maker().upload('/bank-statements/camt053', file, 'day.xml')));
    const url = `/bank-statements/${statement}`;
    const { items } = dataOf(good(await maker().get(`${url}/lines?page_size=100`))) as {
      items: { id: number; state: string; order: { id: number } | null }[];
    };
    const ours = items.filter(({ state, order: of }) => of !== null && state !== 'RECORDED');
    if (ours.length > 0) {
      const lines = ours.map(({ id, order: of }) => ({ id, deposit_id: of?.id }));
      const recorded = good(await maker().post(`${url}/record`, { lines }));
      if (dataOf(recorded)['failed'] !== 0) throw new Error(JSON.stringify(dataOf(recorded)));
    }
    return statement;
  }

  /** Unused balance, by the way by which it came. */
  async function askBack(
    who: AdvertiserName,
    amount: number,
  ): Promise<{ id: number; parts: { id: number }[] }> {
    const body = { advertiser_id: cast.advertisers[who], amount, reason: 'They advertise less' };
    return dataOf(good(await maker().post('/balance-refunds', body))) as never;
  }

  const isBack = async (id: number): Promise<unknown> =>
    await rowOf(`SELECT id FROM balance_refunds WHERE id = $1 AND status = 'RETURNED'`, id);

  async function withdraw(
    who: keyof Cast['publishers'],
    amount: number,
    account?: string,
  ): Promise<number> {
    const payment_method = who.toUpperCase();
    const to = account === undefined ? {} : { account_info: account };
    const asked = await publisher(who).post('/withdrawals', { amount, payment_method, ...to });
    const id = idOf(good(asked));
    await decide(maker(), withdrawalWorkflowId(id), 'approve');
    return id;
  }

  /** What the flow of a withdrawal answers in its end. */
  const ends = async (id: number): Promise<unknown> =>
    await stand.flows.resultOf(withdrawalWorkflowId(id));

  /** An operator carries its file to the bank, which takes it and books it on a later day. */
  async function carryToBank(id: number, day: number) {
    await rowOf('SELECT 1 FROM payouts WHERE withdrawal_id = $1', id);
    const file = await maker().get(`/withdrawals/${id}/payout-file`);
    if (file.status !== 200) throw new Error(`no file: ${file.status} ${file.text}`);
    return outside.bank.carryOut(file.text, dayOf(day));
  }

  async function reverse(day: number, of: keyof Cast['publishers']): Promise<unknown> {
    const scope = {
      from: on(day).toISOString(),
      to: on(day + 1).toISOString(),
      publisher_id: cast.publishers[of],
    };
    const body = { source: 'TRAFFIC', reason: 'INVALID_TRAFFIC', note: 'A farm', ...scope };
    const reversalId = idOf(good(await maker().post('/reversals', body)));
    await decide(checker(), reversalWorkflowId({ reversalId }), 'approve');
    return await stand.flows.resultOf(reversalWorkflowId({ reversalId }));
  }

  /** The chain goes on until the wallet's payment is deep enough. */
  async function onChain(id: number): Promise<void> {
    await rowOf('SELECT 1 FROM chain_payments WHERE withdrawal_id = $1', id);
    await until(`withdrawal ${id} is PAID`, async () => {
      outside.sandboxes.chain.mine(6);
      const { rows } = await stand.database.pool.query<{ status: string }>(
        'SELECT status FROM withdrawals WHERE id = $1',
        [id],
      );
      return rows[0]?.status === 'PAID';
    });
  }

  return {
    maker,
    checker,
    publisher,
    rowOf,
    decide,
    agree,
    order,
    becomes,
    byWallet,
    byToken,
    byCash,
    importStatement,
    askBack,
    isBack,
    withdraw,
    ends,
    carryToBank,
    reverse,
    onChain,
  };
}
