import { createHash } from 'node:crypto';
import { XMLParser } from 'fast-xml-parser';
import type { KeyedProvider, PayoutFinding, PayoutOrder, PayoutOutcome } from './payout-port.ts';
import { callProvider, wordOf } from './provider-call.ts';

/** A business account of Paxum whose API is switched on. */
export interface PaxumSettings {
  /** Address of the API itself, such as `https://www.paxum.com/payment/api/paymentAPI.php`. */
  api: string;
  /** Of the account that pays. */
  email: string;
  /** Shared secret of its API settings. */
  secret: string;
}

type Fields = Readonly<Record<string, unknown>>;

const DAY_MS = 86_400_000;
/** A try was never longer ago when the next one is made. */
const TRIED_WITHIN_MS = 3 * DAY_MS;
const PAGE = 100;
const PAGES_MAX = 50;
const DONE = '00';
/** Paxum's own words for an order that nobody can be paid by. */
const WRONG_ORDER: Readonly<Record<string, string>> = { '13': 'AMOUNT', '14': 'RECEIVER' };
/** Of us: the same order can be sent later. */
const NOT_NOW: Readonly<Record<string, string>> = { '51': 'INSUFFICIENT_FUNDS', '63': 'WRONG_KEY' };
const FAILED = new Set(['FAILED', 'DECLINED', 'CANCELLED', 'REFUNDED', 'REVERSED']);

const parser = new XMLParser({
  ignoreAttributes: true,
  parseTagValue: false,
  processEntities: true,
  isArray: (name) => name === 'Transaction',
});

/**
 * Paxum's form API. It pays every transfer that it is sent, whatever its reference, so an order is
 * sent once: before each sending the history is searched by the reference, and what has no clear answer is
 * only searched for, never sent again. Not found proves nothing, and a person asks Paxum. Modelled on what is
 * publicly known of the API, and tested against a simulator of that; never run against Paxum.
 */
export function createPaxumPayouts(
  settings: PaxumSettings,
  clock: () => Date = () => new Date(),
): KeyedProvider {
  const { api, email, secret } = settings;

  /** What is asked is signed in the order in which it is named. */
  async function ask(method: string, fields: Readonly<Record<string, string>>): Promise<Fields> {
    const signed = [secret, ...Object.values(fields)].join('');
    const key = createHash('md5').update(signed).digest('hex');
    const { status, text } = await callProvider(api, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ method, fromEmail: email, ...fields, key }).toString(),
    });
    if (status !== 200) throw new Error(`Paxum answered ${status}`);
    const { Response: response } = parser.parse(text) as { Response?: unknown };
    if (typeof response !== 'object' || response === null) throw new Error('Paxum wrote no answer');
    return response as Fields;
  }

  /** Transfers under the order's reference since then; raises where not all of the history was told. */
  async function search(order: PayoutOrder, since: Date): Promise<Fields[]> {
    const dates = { fromDate: dayOf(since), toDate: dayOf(new Date(clock().getTime() + DAY_MS)) };
    const found: Fields[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const paging = { pageSize: String(PAGE), pageNumber: String(page) };
      const answer = await ask('transactionHistory', { ...dates, ...paging });
      if (answer['ResponseCode'] !== DONE) throw new Error('Paxum does not tell its history');
      const list = (answer['Transactions'] as Fields | undefined)?.['Transaction'];
      const transfers = Array.isArray(list) ? (list as Fields[]) : [];
      found.push(...transfers.filter((each) => wordOf(each['Reference']) === order.key));
      if (transfers.length < PAGE) return found;
    }
    throw new Error('the history of Paxum has no end');
  }

  return {
    async send(order): Promise<PayoutOutcome> {
      const { key: reference, amount, currency } = order;
      let earlier: Fields[];
      try {
        earlier = await search(order, new Date(clock().getTime() - TRIED_WITHIN_MS));
      } catch {
        // Nothing was sent by this try, and none of those before it left.
        return { state: 'NOT_SENT', reason: 'NO_HISTORY' };
      }
      if (earlier.length > 0) return outcomeOf(findingOf(earlier, order));
      const toEmail = receiverOf(order);
      const answer = await ask('transferFunds', { toEmail, amount, currency, reference });
      const code = wordOf(answer['ResponseCode']);
      if (code === DONE) {
        const id = wordOf(answer['TransactionId']);
        return { state: 'ACCEPTED', reference: id === '' ? reference : id };
      }
      if (WRONG_ORDER[code] !== undefined) return { state: 'REJECTED', reason: WRONG_ORDER[code] };
      if (NOT_NOW[code] !== undefined) return { state: 'NOT_SENT', reason: NOT_NOW[code] };
      // Any other word may be of what came after the transfer.
      return { state: 'UNKNOWN', reason: `PAXUM_${/^\d{2}$/.test(code) ? code : 'ANSWER'}` };
    },

    async find(order): Promise<PayoutFinding> {
      const since = new Date(order.writtenAt.getTime() - DAY_MS);
      const found = await search(order, since);
      return found.length === 0 ? { state: 'NOT_FOUND' } : findingOf(found, order);
    },
  };
}

/** Of the one transfer under the order's reference; raises where it is another's, or there are two. */
function findingOf(
  found: readonly Fields[],
  order: PayoutOrder,
): Exclude<PayoutFinding, { state: 'NOT_FOUND' }> {
  const [transfer = {}, ...others] = found;
  const isSame =
    others.length === 0 &&
    wordOf(transfer['ToEmail']).toLowerCase() === receiverOf(order).toLowerCase() &&
    wordOf(transfer['Amount']) === order.amount &&
    wordOf(transfer['Currency']) === order.currency;
  if (!isSame) throw new Error('Paxum has another payment under the reference of this payout');
  const reference = wordOf(transfer['TransactionId']);
  const status = wordOf(transfer['Status']).toUpperCase();
  if (status === 'COMPLETED') return { state: 'SETTLED', reference };
  if (FAILED.has(status)) return { state: 'FAILED', reason: `PAXUM_${status}` };
  return { state: 'PENDING', reference };
}

const outcomeOf = (finding: ReturnType<typeof findingOf>): PayoutOutcome => {
  if (finding.state === 'FAILED') return { state: 'REJECTED', reason: finding.reason };
  const state = finding.state === 'SETTLED' ? 'SETTLED' : 'ACCEPTED';
  return { state, reference: finding.reference };
};

function receiverOf({ destination }: PayoutOrder): string {
  if (!('email' in destination)) throw new Error('Paxum pays to e-mail addresses only');
  return destination.email;
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
