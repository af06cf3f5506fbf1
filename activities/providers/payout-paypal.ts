import type { KeyedProvider, PayoutFinding, PayoutOrder, PayoutOutcome } from './payout-port.ts';
import { callProvider, fieldsOf, type ProviderAnswer, wordOf } from './provider-call.ts';

/** A REST application of PayPal that may send payouts. */
export interface PaypalSettings {
  /** Origin, such as `https://api-m.paypal.com`; no trailing slash. */
  api: string;
  clientId: string;
  secret: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * PayPal knows an order's id for 30 days, and pays it once within them. A day less, as its clock is
 * not ours: later the same order would be another payment.
 */
const KNOWN_MS = 29 * 86_400_000;
/** A question is answered or given up within that. */
const ASKING_MS = 3_600_000;
/** A token that ends sooner is not begun with. */
const TOKEN_REST_MS = 60_000;
const PAYOUTS = '/v1/payments/payouts';
const BATCH_LINK = /\/v1\/payments\/payouts\/([A-Za-z0-9_-]{1,64})(?:[/?]|$)/;
/** What says that the order itself is wrong; any other refusal is of us, and it can be sent again. */
const WRONG_ORDER = new Set([400, 422]);
/** Codes of system errors where no connection was ever made. */
const NEVER_LEFT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN']);
const FAILED_ITEMS = new Set(['FAILED', 'RETURNED', 'REFUNDED', 'REVERSED']);
const FAILED_BATCHES = new Set(['DENIED', 'CANCELED']);

/**
 * Payouts REST v1: a batch of one, under the order's key. Sending the same key again within 30 days
 * pays nothing and names the first batch, so that is also how an order is found whose answer was
 * lost: if PayPal never got it, it is paid by the question, once. Written from PayPal's documents and
 * tested against a simulator; never run against PayPal.
 */
export function createPaypalPayouts(
  settings: PaypalSettings,
  clock: () => Date = () => new Date(),
): KeyedProvider {
  const tokens = new Tokens(settings, clock);

  async function call(path: string, body?: object): Promise<ProviderAnswer> {
    const headers = {
      authorization: `Bearer ${await tokens.take()}`,
      'content-type': 'application/json',
    };
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await callProvider(`${settings.api}${path}`, { method, headers, ...init });
    if (answer.status === 401) tokens.drop();
    return answer;
  }

  /** What became of a batch, and that it is of this very order. */
  async function readBatch(id: string, order: PayoutOrder): Promise<PayoutFinding> {
    const { status, text } = await call(`${PAYOUTS}/${id}`);
    const batch = status === 200 ? fieldsOf(text) : undefined;
    if (batch === undefined) throw new Error(`PayPal answered ${status} about a payout`);
    return findingOf(batch, order, id);
  }

  async function submit(order: PayoutOrder): Promise<Submitted> {
    const { status, text } = await call(PAYOUTS, batchOf(order));
    const fields = fieldsOf(text) ?? {};
    if (status >= 200 && status < 300) {
      const header = fieldsIn(fields, 'batch_header');
      const id = wordOf(header['payout_batch_id']);
      if (id === '') throw new Error('PayPal took a payout without naming it');
      return { state: 'TAKEN', id };
    }
    if (status >= 500) return { state: 'UNKNOWN', reason: `HTTP_${status}` };
    const earlier = BATCH_LINK.exec(linksIn(fields).join(' '))?.[1];
    if (earlier !== undefined) return { state: 'EARLIER', id: earlier };
    const reason = codeOf(fields['name'], `HTTP_${status}`);
    const isWrong = WRONG_ORDER.has(status) && reason !== 'INSUFFICIENT_FUNDS';
    return { state: isWrong ? 'REJECTED' : 'NOT_SENT', reason };
  }

  return {
    async send(order): Promise<PayoutOutcome> {
      let sent: Submitted;
      try {
        await tokens.take();
      } catch (error) {
        return {
          state: 'NOT_SENT',
          reason: `NO_TOKEN_${codeOf((error as Error).message, 'NO_ANSWER')}`,
        };
      }
      try {
        sent = await submit(order);
      } catch (error) {
        if (!neverLeft(error)) throw error;
        return { state: 'NOT_SENT', reason: 'NO_CONNECTION' };
      }
      if (sent.state === 'TAKEN') return { state: 'ACCEPTED', reference: sent.id };
      if (sent.state !== 'EARLIER') return sent;
      const found = await readBatch(sent.id, order);
      if (found.state === 'FAILED') return { state: 'REJECTED', reason: found.reason };
      return found.state === 'SETTLED'
        ? { state: 'SETTLED', reference: found.reference }
        : { state: 'ACCEPTED', reference: sent.id };
    },

    async find(order): Promise<PayoutFinding> {
      const age = clock().getTime() - order.writtenAt.getTime();
      if (age > KNOWN_MS + ASKING_MS) return { state: 'NOT_FOUND' };
      if (age > KNOWN_MS) throw new Error('a question that was asked before may be on its way');
      const sent = await submit(order);
      if (sent.state === 'TAKEN') return { state: 'PENDING', reference: sent.id };
      if (sent.state === 'EARLIER') return await readBatch(sent.id, order);
      // What it says to this copy says nothing of the first one.
      throw new Error(`PayPal does not say what became of a payout: ${sent.reason}`);
    },
  };
}

type Submitted =
  | { state: 'TAKEN'; id: string }
  | { state: 'EARLIER'; id: string }
  | { state: 'REJECTED' | 'NOT_SENT' | 'UNKNOWN'; reason: string };

/** Kept until shortly before its end. */
class Tokens {
  readonly #settings: PaypalSettings;
  readonly #clock: () => Date;
  #token = '';
  #endsAt = 0;

  constructor(settings: PaypalSettings, clock: () => Date) {
    this.#settings = settings;
    this.#clock = clock;
  }

  drop(): void {
    this.#token = '';
  }

  async take(): Promise<string> {
    const now = this.#clock().getTime();
    if (this.#token !== '' && now < this.#endsAt - TOKEN_REST_MS) return this.#token;
    const { api, clientId, secret } = this.#settings;
    const { status, text } = await callProvider(`${api}/v1/oauth2/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials',
    });
    const answer = fieldsOf(text) ?? {};
    const token = wordOf(answer['access_token']);
    if (status !== 200 || token === '') throw new Error(`HTTP_${status}`);
    this.#token = token;
    this.#endsAt = now + Number(answer['expires_in'] ?? 0) * 1_000;
    return token;
  }
}

function batchOf({ key, amount, currency, destination }: PayoutOrder): object {
  return {
    sender_batch_header: { sender_batch_id: key, recipient_type: 'EMAIL' },
    items: [
      {
        recipient_type: 'EMAIL',
        receiver: receiverOf(destination),
        amount: { value: amount, currency },
        sender_item_id: key,
      },
    ],
  };
}

function receiverOf(destination: PayoutOrder['destination']): string {
  if (!('email' in destination)) throw new Error('PayPal pays to e-mail addresses only');
  return destination.email;
}

function findingOf(batch: Fields, order: PayoutOrder, id: string): PayoutFinding {
  const header = fieldsIn(batch, 'batch_header');
  const sender = fieldsIn(header, 'sender_batch_header');
  if (wordOf(sender['sender_batch_id']) !== order.key) {
    throw new Error('PayPal names a batch of another payout');
  }
  const status = wordOf(header['batch_status']);
  const items = Array.isArray(batch['items']) ? (batch['items'] as Fields[]) : [];
  const [item] = items;
  if (item === undefined) {
    if (FAILED_BATCHES.has(status)) return { state: 'FAILED', reason: `PAYPAL_${status}` };
    return { state: 'PENDING', reference: id };
  }
  checkItem(item, order, items.length);
  const itemStatus = wordOf(item['transaction_status']);
  if (itemStatus === 'SUCCESS') {
    const transaction = wordOf(item['transaction_id']);
    return { state: 'SETTLED', reference: transaction === '' ? id : transaction };
  }
  const isItem = FAILED_ITEMS.has(itemStatus);
  if (isItem || FAILED_BATCHES.has(status)) {
    const otherwise = `PAYPAL_${isItem ? itemStatus : status}`;
    return { state: 'FAILED', reason: codeOf(fieldsIn(item, 'errors')['name'], otherwise) };
  }
  return { state: 'PENDING', reference: id };
}

/** Raises where the batch of this id pays somebody else or something else. */
function checkItem(item: Fields, order: PayoutOrder, count: number): void {
  const paid = fieldsIn(item, 'payout_item');
  const amount = fieldsIn(paid, 'amount');
  const isSame =
    count === 1 &&
    wordOf(amount['value']) === order.amount &&
    wordOf(amount['currency']) === order.currency &&
    wordOf(paid['receiver']).toLowerCase() === receiverOf(order.destination).toLowerCase();
  if (!isSame) throw new Error('PayPal has another payment under the id of this payout');
}

const fieldsIn = (of: Fields, name: string): Fields => {
  const value = of[name];
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
};

/** Addresses in `links`, and in the `link` of each detail of an error. */
function linksIn(fields: Fields): string[] {
  const lists = [fields['links'], ...listOf(fields['details']).map((each) => each['link'])];
  return lists.flatMap((list) => listOf(list).map((each) => wordOf(each['href'])));
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? (value as Fields[]) : []);

const codeOf = (value: unknown, otherwise: string): string =>
  /^[A-Z][A-Z0-9_]{2,60}$/.test(wordOf(value)) ? wordOf(value) : otherwise;

const neverLeft = (error: unknown): boolean =>
  NEVER_LEFT.has(wordOf(((error as Error).cause as { code?: unknown } | undefined)?.code));
