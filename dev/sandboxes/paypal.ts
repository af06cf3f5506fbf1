import { randomBytes } from 'node:crypto';
import { type Answer, type Asked, HANGS } from './desk.ts';

/** What PayPal's server does wrong from now on; all of it off is an honest one. */
export interface PaypalBehaviour {
  /** Of an order: nothing, or cut before it is done or after, or answered 503 before or after. */
  order: 'answered' | 'cut_before' | 'cut_after' | 'fails_before' | 'fails_after';
  /** Answers 500 to everything. */
  isDown: boolean;
  /** The error's name with which orders are refused (422); null: none is. */
  refuses: string | null;
  /** Does not know ids any more, as after 30 days: the same one is a new payment. */
  forgets: boolean;
  /** Of what a batch is shown to pay. */
  shows: 'right' | 'other_amount' | 'other_receiver' | 'other_id';
}

export const PAYPAL_HONEST: PaypalBehaviour = {
  order: 'answered',
  isDown: false,
  refuses: null,
  forgets: false,
  shows: 'right',
};

export interface PaypalBatch {
  id: string;
  key: string;
  receiver: string;
  value: string;
  currency: string;
  /** Of its one item. */
  status: string;
  looks: number;
}

interface OrderBody {
  sender_batch_header?: { sender_batch_id?: string };
  items?: { receiver?: string; amount?: { value?: string; currency?: string } }[];
}

/** What becomes of an item by the mark behind `+` in its receiver's address; else it is paid. */
const ENDS: Readonly<Record<string, string>> = {
  bounce: 'FAILED',
  returned: 'RETURNED',
  unclaimed: 'UNCLAIMED',
  blocked: 'BLOCKED',
};

/**
 * PayPal's Payouts REST v1 as a sender meets it. An item is PENDING when it is first looked at, and has ended
 * the second time. All in memory: a new one knows nothing.
 */
export class PaypalSandbox {
  readonly batches: PaypalBatch[] = [];
  behaviour: PaypalBehaviour = { ...PAYPAL_HONEST };
  readonly #application: { clientId: string; secret: string };
  readonly #base: () => string;
  #token = '';

  constructor(application: { clientId: string; secret: string }, base: () => string) {
    this.#application = application;
    this.#base = base;
  }

  behave(change: Partial<PaypalBehaviour>): void {
    this.behaviour = { ...PAYPAL_HONEST, ...change };
  }

  /** Tokens that were given are worth nothing any more. */
  endTokens(): void {
    this.#token = '';
  }

  /** Everything under /v1/. */
  answer({ method, url, headers, body }: Asked): Answer | typeof HANGS {
    if (this.behaviour.isDown) return json(500, { name: 'INTERNAL_SERVICE_ERROR' });
    if (url.pathname === '/v1/oauth2/token') return this.#giveToken(headers['authorization'] ?? '');
    if (this.#token === '' || headers['authorization'] !== `Bearer ${this.#token}`) {
      return json(401, { name: 'AUTHENTICATION_FAILURE' });
    }
    if (method === 'POST') return this.#order(JSON.parse(body) as OrderBody);
    const id = url.pathname.split('/').at(-1);
    const batch = this.batches.find((each) => each.id === id);
    return batch === undefined ? json(404, { name: 'INVALID_RESOURCE_ID' }) : this.#show(batch);
  }

  #giveToken(authorization: string): Answer {
    const { clientId, secret } = this.#application;
    const expected = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`;
    if (authorization !== expected) return json(401, { error: 'invalid_client' });
    this.#token = randomBytes(16).toString('hex');
    return json(200, { access_token: this.#token, token_type: 'Bearer', expires_in: 32_400 });
  }

  #order(body: OrderBody): Answer | typeof HANGS {
    const { order, refuses, forgets } = this.behaviour;
    if (order === 'cut_before') return HANGS;
    if (order === 'fails_before') return json(503, { name: 'SERVICE_UNAVAILABLE' });
    const asked = askedIn(body);
    const { key } = asked;
    const earlier = forgets ? undefined : this.batches.find((each) => each.key === key);
    if (earlier !== undefined) return this.#refuseTwice(earlier);
    if (refuses !== null) return json(422, { name: refuses, message: 'refused' });
    if (!asked.isWhole) {
      return json(400, { name: 'VALIDATION_ERROR', details: [{ issue: 'malformed' }] });
    }
    const batch = this.#make(asked);
    if (order === 'cut_after') return HANGS;
    if (order === 'fails_after') return json(503, { name: 'SERVICE_UNAVAILABLE' });
    return json(201, { batch_header: headerOf(batch), links: [this.#linkTo(batch)] });
  }

  #make({ key, receiver, value, currency }: AskedBatch): PaypalBatch {
    const id = randomBytes(7).toString('hex').toUpperCase().slice(0, 13);
    const batch = { id, key, receiver, value, currency, status: 'PENDING', looks: 0 };
    this.batches.push(batch);
    return batch;
  }

  #refuseTwice(batch: PaypalBatch): Answer {
    return json(400, {
      name: 'USER_BUSINESS_ERROR',
      message: 'Duplicate sender_batch_id.',
      details: [
        {
          field: 'SENDER_BATCH_ID',
          issue: 'A batch with this id exists.',
          link: [this.#linkTo(batch)],
        },
      ],
    });
  }

  #show(batch: PaypalBatch): Answer {
    batch.looks += 1;
    const mark = /\+([a-z]+)@/.exec(batch.receiver)?.[1] ?? '';
    if (batch.looks > 1) batch.status = ENDS[mark] ?? 'SUCCESS';
    const { shows } = this.behaviour;
    const key = shows === 'other_id' ? `${batch.key}0` : batch.key;
    const hasFailed = batch.status === 'FAILED';
    return json(200, {
      batch_header: headerOf({ ...batch, key }),
      items: [
        {
          payout_item_id: `ITEM-${batch.id}`,
          ...(batch.status === 'SUCCESS' ? { transaction_id: `TX-${batch.id}` } : {}),
          transaction_status: batch.status,
          payout_batch_id: batch.id,
          payout_item: {
            recipient_type: 'EMAIL',
            receiver: shows === 'other_receiver' ? `not-${batch.receiver}` : batch.receiver,
            amount: {
              value: shows === 'other_amount' ? `9${batch.value}` : batch.value,
              currency: batch.currency,
            },
            sender_item_id: key,
          },
          ...(hasFailed ? { errors: { name: 'RECEIVER_ACCOUNT_LOCKED' } } : {}),
        },
      ],
    });
  }

  #linkTo({ id }: PaypalBatch): object {
    return { href: `${this.#base()}/v1/payments/payouts/${id}`, rel: 'self', method: 'GET' };
  }
}

interface AskedBatch extends Pick<PaypalBatch, 'key' | 'receiver' | 'value' | 'currency'> {
  isWhole: boolean;
}

function askedIn({ sender_batch_header: header, items = [] }: OrderBody): AskedBatch {
  const key = header?.sender_batch_id ?? '';
  const { receiver = '', amount = {} } = items[0] ?? {};
  const { value = '', currency = '' } = amount;
  const isWhole = items.length === 1 && /^\d+\.\d\d$/.test(value) && key !== '' && receiver !== '';
  return { key, receiver, value, currency, isWhole };
}

const headerOf = ({ id, key, status }: PaypalBatch): object => ({
  payout_batch_id: id,
  batch_status: status === 'PENDING' ? 'PENDING' : 'SUCCESS',
  sender_batch_header: { sender_batch_id: key },
});

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});
