import { takesAnyAmount } from '../../../domain/deposit-terms.ts';
import type { DepositMethod, DepositStatus } from '../../../domain/lifecycle/deposit.ts';
import { UNIT } from '../../support/make/money.ts';
import { sum } from '../../support/model.ts';

/** The default of deposit.second_approval_above, in units: above it two persons let money go. */
const LIMIT = 10_000n * UNIT;
const MINIMUM = 10n * UNIT;

export const METHODS = [
  'ALIPAY',
  'WECHAT',
  'USDT',
  'BANK',
  'OFFLINE',
] as const satisfies DepositMethod[];
export type Method = DepositMethod;

export type Command =
  | { do: 'open'; of: number; method: Method; amount: bigint }
  | { do: 'pay'; of: number; percent: number; copies: number; isStray: boolean; isAsked: boolean }
  | { do: 'cancel'; of: number; workers: number }
  | { do: 'lap'; of: number; workers: number; isLate: boolean }
  | {
      do: 'record';
      of: number;
      other: number;
      isElsewhere: boolean;
      percent: number;
      reference: number;
      by: number;
    }
  | { do: 'statement'; of: number; reference: number; by: number; workers: number }
  | { do: 'suspense' | 'way_back'; of: number; workers: number }
  | { do: 'decide'; of: number; nth: number; by: number; says: 'yes' | 'no'; workers: number }
  | { do: 'look_at_chain'; blocks: number; workers: number }
  | { do: 'refund'; of: number; amount: bigint | null; by: number; workers: number }
  | { do: 'answer_refund'; of: number; by: number; says: 'approve' | 'refuse' | 'withdraw' }
  | { do: 'spend'; of: number; amount: bigint };

export interface Order {
  id: number;
  advertiserId: number;
  method: Method;
  amountNanos: bigint;
  reference: string;
  end: DepositStatus | null;
}

export interface Receipt {
  id: number;
  order: Order;
  amountNanos: bigint;
  reference: string;
  /** Null: a provider says it. */
  recorder: number | null;
  state: 'SUSPENSE' | 'CREDITED' | 'REFUNDING' | 'REFUNDED';
  closesOrder: boolean;
  /** Who was the first to say it, of a move that two must agree on. */
  askedBy: Map<'credit' | 'refund', number | null>;
}

export interface Part {
  id: number;
  receipt: Receipt;
  amountNanos: bigint;
  state: 'HELD' | 'SENT' | 'RELEASED';
  request: Request;
}

export interface Request {
  balanceRefundId: number;
  /** Null: approved as it was asked for. */
  approvalId: number | null;
  advertiserId: number;
  maker: number;
}

interface Decided {
  order: Order;
  receipt: Receipt;
  flow: string;
  kind: string;
  decision: string;
  by: number;
  answer: string;
}

/** Sums and states, moved by what the platform has answered and by nothing else. */
export class Model {
  readonly orders: Order[] = [];
  readonly receipts: Receipt[] = [];
  readonly parts: Part[] = [];
  readonly requests: Request[] = [];
  /** What was sent to addresses. */
  readonly tokens: { orderId: number; amountNanos: bigint; reference: string }[] = [];
  /** What a person or a statement has said of a bank's reference, and was believed. */
  readonly claimed = new Map<string, { order: Order; amountNanos: bigint }>();
  readonly spent = new Map<number, bigint>();

  /** One winner: whoever is told of another end was told wrong. */
  ends(order: Order, end: DepositStatus): void {
    if (order.end !== null && order.end !== end) {
      throw new Error(`order ${order.id} is ${order.end}, and somebody was told ${end}`);
    }
    order.end = end;
  }

  claims(order: Order, reference: string, amountNanos: bigint): void {
    const key = `${order.method} ${reference}`;
    const earlier = this.claimed.get(key);
    if (earlier !== undefined && (earlier.order !== order || earlier.amountNanos !== amountNanos)) {
      throw new Error(`${key} was believed of ${earlier.order.id} and of ${order.id}`);
    }
    this.claimed.set(key, { order, amountNanos });
  }

  comes(
    receipt: Pick<Receipt, 'id' | 'order' | 'amountNanos' | 'reference' | 'recorder'>,
  ): Receipt {
    const known = this.receipts.find(({ id }) => id === receipt.id);
    if (known !== undefined) return known;
    const made: Receipt = { ...receipt, state: 'SUSPENSE', closesOrder: false, askedBy: new Map() };
    this.receipts.push(made);
    return made;
  }

  confirmed(order: Order, receipt: Receipt, said: string): void {
    const { amountNanos, recorder } = receipt;
    const fits =
      amountNanos === order.amountNanos || (takesAnyAmount(order.method) && amountNanos >= MINIMUM);
    if (said === 'PAID') {
      if (!fits || amountNanos > LIMIT) throw new Error(`receipt ${receipt.id} was not to pay`);
      this.#moves(receipt, 'CREDITED');
      this.ends(order, 'PAID');
    } else if (said === 'SECOND_APPROVAL') {
      if (amountNanos <= LIMIT) throw new Error(`receipt ${receipt.id} needs no second person`);
      receipt.askedBy.set('credit', recorder);
    } else if (said === 'REVIEW' && fits) {
      throw new Error(`receipt ${receipt.id} fits its order`);
    }
  }

  /** GRANTED to the last of the persons that it takes. */
  #agrees(receipt: Receipt, what: 'credit' | 'refund', by: number): boolean {
    if (receipt.amountNanos <= LIMIT) return true;
    const isAsked = receipt.askedBy.has(what);
    const isSigned = what === 'credit' && receipt.recorder === null;
    const first = isAsked ? receipt.askedBy.get(what) : isSigned ? null : (receipt.recorder ?? by);
    receipt.askedBy.set(what, first ?? null);
    return first !== by;
  }

  decided({ order, receipt, flow, kind, decision, by, answer }: Decided): void {
    if (kind === 'deposit_refund') {
      this.#decidedWay(receipt, flow, decision, answer);
      return;
    }
    const what = decision === 'credit' || decision === 'approve' ? 'credit' : 'refund';
    const isGranted = this.#agrees(receipt, what, by);
    const isSuspense = kind === 'suspense';
    const to = isGranted ? (what === 'credit' ? 'CREDITED' : 'REFUNDING') : 'SUSPENSE';
    if (to !== 'SUSPENSE') {
      this.#moves(receipt, to);
      if (!isSuspense) receipt.closesOrder = true;
      if (!isSuspense && to === 'CREDITED') this.ends(order, 'PAID');
    }
    const expected = isSuspense ? to : to === 'CREDITED' ? 'PAID' : null;
    const isOther = expected === null ? answer === 'PAID' : answer !== expected;
    if (isOther)
      throw new Error(`receipt ${receipt.id}: ${decision} of ${kind} answered ${answer}`);
  }

  #decidedWay(receipt: Receipt, flow: string, decision: string, answer: string): void {
    if (decision === 'send_again') return;
    const way = flow.startsWith('refund:')
      ? { refundId: Number(flow.slice('refund:'.length)) }
      : { receiptId: receipt.id };
    const to = decision === 'give_back' ? 'RELEASED' : 'receiptId' in way ? 'REFUNDED' : 'SENT';
    if (answer !== to) throw new Error(`${flow}: ${decision} answered ${answer}`);
    if (to === 'RELEASED') this.#partMoves(this.#part(way), 'RELEASED');
    else this.sentBack(way, 'SENT');
  }

  sentBack(way: { receiptId: number } | { refundId: number }, said: string): void {
    if ('refundId' in way) {
      if (said === 'SENT' || said === 'RELEASED') this.#partMoves(this.#part(way), said);
      return;
    }
    if (said !== 'SENT') return;
    const receipt = this.receipts.find(({ id }) => id === way.receiptId);
    if (receipt === undefined) throw new Error(`nobody knows receipt ${way.receiptId}`);
    this.#moves(receipt, 'REFUNDED');
    if (receipt.closesOrder) this.ends(receipt.order, 'REFUNDED');
  }

  #part(way: { receiptId: number } | { refundId: number }): Part {
    const part = 'refundId' in way ? this.parts.find(({ id }) => id === way.refundId) : undefined;
    if (part === undefined) throw new Error('nobody knows this part');
    return part;
  }

  #moves(receipt: Receipt, to: Receipt['state']): void {
    const from = FROM[to];
    if (receipt.state !== to && receipt.state !== from) {
      throw new Error(`receipt ${receipt.id} is ${receipt.state}, and somebody was told ${to}`);
    }
    receipt.state = to;
  }

  #partMoves(part: Part, to: 'SENT' | 'RELEASED'): void {
    if (part.state !== to && part.state !== 'HELD') {
      throw new Error(`part ${part.id} is ${part.state}, and somebody was told ${to}`);
    }
    part.state = to;
  }

  asksRefund(
    request: Request & { amountNanos: bigint | null },
    parts: readonly Pick<Part, 'id' | 'receipt' | 'amountNanos'>[],
  ): void {
    const { amountNanos, ...asked } = request;
    const held = sum(parts.map((part) => part.amountNanos));
    if (amountNanos !== null && held !== amountNanos) throw new Error('a part is missing');
    if (held > LIMIT && asked.approvalId === null) throw new Error('one person alone asks for it');
    if (parts.some(({ receipt }) => receipt.order.advertiserId !== asked.advertiserId)) {
      throw new Error('what another has paid in goes back to them');
    }
    this.requests.push(asked);
    this.parts.push(...parts.map((part) => ({ ...part, state: 'HELD' as const, request: asked })));
  }

  answersRefund(request: Request, says: 'approve' | 'refuse' | 'withdraw', by: number): void {
    if ((says === 'withdraw') !== (by === request.maker)) {
      throw new Error(`${says} of ${request.balanceRefundId} by the wrong person`);
    }
    request.approvalId = null;
    if (says === 'approve') return;
    for (const part of this.parts) if (part.request === request) this.#partMoves(part, 'RELEASED');
  }

  spends(advertiserId: number, amount: bigint): void {
    this.spent.set(advertiserId, (this.spent.get(advertiserId) ?? 0n) + amount);
  }

  /** What an advertiser can spend, and what is held to go back to them. */
  moneyOf(advertiserId: number): { available: bigint; held: bigint } {
    const own = this.receipts.filter(({ order }) => order.advertiserId === advertiserId);
    const credited = own.filter(({ state }) => state === 'CREDITED');
    const parts = this.parts.filter(({ request }) => request.advertiserId === advertiserId);
    const [held, sent] = (['HELD', 'SENT'] as const).map((state) =>
      sum(parts.filter((part) => part.state === state).map(({ amountNanos }) => amountNanos)),
    );
    const paidIn = sum(credited.map(({ amountNanos }) => amountNanos));
    const gone = (held ?? 0n) + (sent ?? 0n) + (this.spent.get(advertiserId) ?? 0n);
    return { available: paidIn - gone, held: held ?? 0n };
  }

  /** What waits for somebody to say where it belongs, or for its way back. */
  get suspense(): bigint {
    const waits = this.receipts.filter(
      ({ state }) => state === 'SUSPENSE' || state === 'REFUNDING',
    );
    return sum(waits.map(({ amountNanos }) => amountNanos));
  }

  /** What has come by a method and has not gone back. */
  broughtBy(method: Method): bigint {
    const own = this.receipts.filter(({ order }) => order.method === method);
    const came = sum(
      own.filter(({ state }) => state !== 'REFUNDED').map((each) => each.amountNanos),
    );
    const parts = this.parts.filter(
      ({ state, receipt }) => state === 'SENT' && receipt.order.method === method,
    );
    return came - sum(parts.map(({ amountNanos }) => amountNanos));
  }
}

const FROM = {
  SUSPENSE: 'SUSPENSE',
  CREDITED: 'SUSPENSE',
  REFUNDING: 'SUSPENSE',
  REFUNDED: 'REFUNDING',
} as const;
