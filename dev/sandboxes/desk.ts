import { randomInt } from 'node:crypto';

/** What a wallet's server does wrong from now on; all of it off is an honest, quick one. */
export interface Behaviour {
  /** Notifications of each payment. */
  copies: number;
  /** Before the first of them. */
  delayMs: number;
  /** Of what it is silent after having done it: the connection is cut instead of answered. */
  hangsAfter: ('open' | 'query' | 'close' | 'refund')[];
  /** Answers 500 instead of doing anything. */
  isDown: boolean;
  /** Notifies of what was never paid, and says so when it is asked. */
  queryLies: 'no' | 'unpaid' | 'other_order' | 'other_amount' | 'other_currency' | 'unsigned';
  notice: 'right' | 'forged' | 'altered' | 'stale' | 'none';
  /** The word with which an order is refused; null: none is. */
  refuses: string | null;
  /**
   * What becomes of money that is to go back: `slow` ends with the first look, `stuck` never by itself,
   * `fails_late` is taken and then fails, `poor` is refused for want of balance.
   */
  refunds: 'right' | 'slow' | 'stuck' | 'fails_late' | 'poor';
}

export interface Refund {
  /** In fen. */
  amount: bigint;
  state: 'PROCESSING' | 'STUCK' | 'SUCCESS' | 'FAILED';
}

export const HONEST: Behaviour = {
  copies: 1,
  delayMs: 0,
  hangsAfter: [],
  isDown: false,
  queryLies: 'no',
  notice: 'right',
  refuses: null,
  refunds: 'right',
};

export interface Trade {
  orderNo: string;
  /** In fen. */
  total: bigint;
  currency: string;
  title: string;
  notifyUrl: string;
  expiresAt: Date | null;
  state: 'WAITING' | 'PAID' | 'CLOSED';
  transaction: string | null;
  /** What was really paid, in fen. */
  paid: bigint;
  paidAt: Date | null;
  /** By the key of each. */
  refunds: Map<string, Refund>;
}

/** One wallet's books in memory, and how it behaves. */
export class Desk {
  readonly trades = new Map<string, Trade>();
  behaviour: Behaviour = { ...HONEST };

  behave(change: Partial<Behaviour>): void {
    this.behaviour = { ...HONEST, ...change };
  }

  /** The same order again is the same trade; null where its sum differs. */
  open(
    order: Pick<Trade, 'orderNo' | 'total' | 'currency' | 'title' | 'notifyUrl' | 'expiresAt'>,
  ): Trade | null {
    const earlier = this.trades.get(order.orderNo);
    if (earlier !== undefined) return earlier.total === order.total ? earlier : null;
    const trade: Trade = {
      ...order,
      state: 'WAITING',
      transaction: null,
      paid: 0n,
      paidAt: null,
      refunds: new Map(),
    };
    this.trades.set(order.orderNo, trade);
    return trade;
  }

  /** Somebody pays; false where nothing can be paid any more. */
  pay(orderNo: string, paid?: bigint): boolean {
    const trade = this.trades.get(orderNo);
    if (trade === undefined || trade.state !== 'WAITING') return false;
    trade.state = 'PAID';
    trade.paid = paid ?? trade.total;
    trade.paidAt = new Date();
    trade.transaction = `${Date.now()}${randomInt(1e9, 1e10 - 1)}`;
    return true;
  }

  /** Takes a refund once per key; a word: why it is refused. */
  refund(trade: Trade | undefined, key: string, amount: bigint): Refund | string {
    const earlier = trade?.refunds.get(key);
    if (earlier !== undefined && earlier.amount !== amount) return 'OTHER_AMOUNT';
    if (earlier !== undefined && earlier.state !== 'FAILED') return earlier;
    const { refunds: behaviour } = this.behaviour;
    if (trade?.state !== 'PAID') return 'NOT_PAID';
    if (behaviour === 'poor') return 'NOT_ENOUGH';
    if (refundedOf(trade) + amount > trade.paid) return 'TOO_MUCH';
    const state =
      behaviour === 'right' ? 'SUCCESS' : behaviour === 'stuck' ? 'STUCK' : 'PROCESSING';
    const made: Refund = { amount, state };
    trade.refunds.set(key, made);
    return made;
  }

  /** What the wallet says of a refund when it is asked. */
  lookAt(refund: Refund): Refund {
    if (refund.state === 'PROCESSING') {
      refund.state = this.behaviour.refunds === 'fails_late' ? 'FAILED' : 'SUCCESS';
    }
    return refund;
  }

  /** What of this behaviour the wallet says of a trade when it is asked. */
  told(trade: Trade): Trade {
    const { queryLies } = this.behaviour;
    if (queryLies === 'unpaid') return { ...trade, state: 'WAITING' };
    if (queryLies === 'other_order') return { ...trade, orderNo: 'RF00000000000' };
    if (queryLies === 'other_amount') return { ...trade, paid: trade.paid + 100n };
    if (queryLies === 'other_currency') return { ...trade, currency: 'JPY' };
    return trade;
  }
}

/** What has gone back of a trade, or is on its way, in fen. */
export const refundedOf = ({ refunds }: Trade): bigint =>
  [...refunds.values()]
    .filter(({ state }) => state !== 'FAILED')
    .reduce((sum, { amount }) => sum + amount, 0n);

/** `12.34` of fen, and back. */
export const yuan = (fen: bigint): string => `${fen / 100n}.${String(fen % 100n).padStart(2, '0')}`;
export const fen = (text: string): bigint => {
  const [whole = '0', cents = ''] = text.split('.');
  return BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0').slice(0, 2));
};

/** Cuts the connection instead of answering, as a network does. */
export const HANGS = Symbol('hangs');
export interface Answer {
  status: number;
  type: string;
  body: string;
  headers?: Record<string, string>;
}

export interface Asked {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a notification and says what was answered; 0: nobody. */
export async function notify(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: string },
): Promise<number> {
  try {
    const answer = await fetch(url, { method: 'POST', headers, body });
    await answer.text();
    return answer.status;
  } catch {
    return 0;
  }
}
