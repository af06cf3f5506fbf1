import { createHash, randomInt } from 'node:crypto';
import { type Answer, type Asked, HANGS } from './desk.ts';

/** What Paxum's server does wrong from now on. */
export interface PaxumBehaviour {
  /** Of a transfer: whether it is carried out, and what is heard of it. */
  transfer: 'answered' | 'cut_before' | 'cut_after' | 'fails_before' | 'fails_after' | 'odd_after';
  isDown: boolean;
  /** The code with which a transfer is refused; null: none is. */
  refuses: string | null;
  /** Of the history: what it leaves out, and what it says of a transfer. */
  history: 'right' | 'hidden' | 'refused' | 'other_amount' | 'other_receiver';
}

export const PAXUM_HONEST: PaxumBehaviour = {
  transfer: 'answered',
  isDown: false,
  refuses: null,
  history: 'right',
};

export interface PaxumTransfer {
  id: string;
  reference: string;
  receiver: string;
  amount: string;
  currency: string;
  status: string;
  looks: number;
}

/** What becomes of a transfer by the mark behind `+` in its receiver's address; else it is COMPLETED. */
const ENDS: Readonly<Record<string, string>> = { declined: 'DECLINED', returned: 'REFUNDED' };

/** Signed fields of each method, in the order of the documents. */
const SIGNED: Readonly<Record<string, readonly string[]>> = {
  transferFunds: ['toEmail', 'amount', 'currency', 'reference'],
  transactionHistory: ['accountId', 'fromDate', 'toDate', 'pageSize', 'pageNumber'],
};

/**
 * Paxum's form API as a sender meets it: it pays every transfer it is sent, the same reference or not. A transfer is
 * PENDING when it is first listed, and has ended the second time. All in memory: a new one knows nothing.
 */
export class PaxumSandbox {
  readonly transfers: PaxumTransfer[] = [];
  behaviour: PaxumBehaviour = { ...PAXUM_HONEST };
  readonly #account: { email: string; secret: string };

  constructor(account: { email: string; secret: string }) {
    this.#account = account;
  }

  behave(change: Partial<PaxumBehaviour>): void {
    this.behaviour = { ...PAXUM_HONEST, ...change };
  }

  /** POST /paymentAPI.php */
  answer({ body }: Asked): Answer | typeof HANGS {
    if (this.behaviour.isDown) return { status: 503, type: 'text/plain', body: 'down' };
    const form = new URLSearchParams(body);
    const method = form.get('method') ?? '';
    if (!this.#isSigned(method, form)) return said(method, '63');
    return method === 'transferFunds' ? this.#transfer(form) : this.#list(form);
  }

  #isSigned(method: string, form: URLSearchParams): boolean {
    const fields = SIGNED[method];
    if (fields === undefined || form.get('fromEmail') !== this.#account.email) return false;
    const text = [this.#account.secret, ...fields.map((name) => form.get(name) ?? '')].join('');
    return form.get('key') === createHash('md5').update(text).digest('hex');
  }

  #transfer(form: URLSearchParams): Answer | typeof HANGS {
    const { transfer, refuses } = this.behaviour;
    if (transfer === 'cut_before') return HANGS;
    if (transfer === 'fails_before') return { status: 502, type: 'text/plain', body: 'gateway' };
    if (refuses !== null) return said('transferFunds', refuses);
    const amount = form.get('amount') ?? '';
    if (!/^\d+\.\d\d$/.test(amount)) return said('transferFunds', '13');
    const made: PaxumTransfer = {
      id: String(randomInt(1e9, 1e10)),
      reference: form.get('reference') ?? '',
      receiver: form.get('toEmail') ?? '',
      amount,
      currency: form.get('currency') ?? '',
      status: 'PENDING',
      looks: 0,
    };
    this.transfers.push(made);
    if (transfer === 'cut_after') return HANGS;
    if (transfer === 'fails_after') return { status: 502, type: 'text/plain', body: 'gateway' };
    if (transfer === 'odd_after') return said('transferFunds', '96');
    return said('transferFunds', '00', `<TransactionId>${made.id}</TransactionId>`);
  }

  #list(form: URLSearchParams): Answer {
    const { history } = this.behaviour;
    if (history === 'refused') return said('transactionHistory', '91');
    const size = Number(form.get('pageSize'));
    const first = (Number(form.get('pageNumber')) - 1) * size;
    const page = history === 'hidden' ? [] : this.transfers.slice(first, first + size);
    const list = page.map((each) => this.#shown(each)).join('');
    return said('transactionHistory', '00', `<Transactions>${list}</Transactions>`);
  }

  #shown(transfer: PaxumTransfer): string {
    const { history } = this.behaviour;
    transfer.looks += 1;
    const mark = /\+([a-z]+)@/.exec(transfer.receiver)?.[1] ?? '';
    if (transfer.looks > 1) transfer.status = ENDS[mark] ?? 'COMPLETED';
    const amount = history === 'other_amount' ? `9${transfer.amount}` : transfer.amount;
    const receiver = history === 'other_receiver' ? `not-${transfer.receiver}` : transfer.receiver;
    return `<Transaction><TransactionId>${transfer.id}</TransactionId><Reference>${transfer.reference}</Reference><ToEmail>${receiver.replaceAll('&', '&amp;')}</ToEmail><Amount>${amount}</Amount><Currency>${transfer.currency}</Currency><Status>${transfer.status}</Status></Transaction>`;
  }
}

const said = (method: string, code: string, more = ''): Answer => ({
  status: 200,
  type: 'text/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?><Response><Method>${method}</Method><ResponseCode>${code}</ResponseCode>${more}</Response>`,
});
