import type { KeyObject } from 'node:crypto';
import type { AlipayMerchant } from './deposit-settings.ts';
import {
  type DepositProvider,
  type NoticeReading,
  type PaymentFinding,
  type RawNotice,
  type RefundFinding,
  type RefundOrder,
  type RefundOutcome,
  yuanNanos,
  yuanText,
} from './deposit-port.ts';
import { callProvider, fieldsOf, wordOf } from './provider-call.ts';
import { isSignedBy, privateKeyOf, publicKeyOf, signRsa } from './rsa.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Alipay repeats a notification for 25 hours; older than that it is somebody else's. */
const NOTICE_MS_MAX = 26 * 3_600_000;
const SHANGHAI_MS = 8 * 3_600_000;
const PAID = new Set(['TRADE_SUCCESS', 'TRADE_FINISHED']);

/**
 * Face-to-face payment of Alipay's open platform (precreate, query, close, refund) with RSA2. Answers
 * are believed only with Alipay's signature over their very bytes.
 */
export function createAlipay(settings: AlipayMerchant, notifyUrl: string): DepositProvider {
  const own = privateKeyOf(settings.privateKey);
  const theirs = publicKeyOf(settings.publicKey);
  const call = async (method: string, content: object): Promise<Fields> => {
    const params: Record<string, string> = {
      app_id: settings.appId,
      method,
      format: 'JSON',
      charset: 'utf-8',
      sign_type: 'RSA2',
      timestamp: shanghai(new Date()),
      version: '1.0',
      notify_url: notifyUrl,
      biz_content: JSON.stringify(content),
    };
    const signed = { ...params, sign: signRsa(alipaySigned(params), own) };
    const { text } = await callProvider(settings.gateway, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: new URLSearchParams(signed).toString(),
    });
    return readAnswer(text, method, theirs);
  };

  return {
    async open(order) {
      const answer = await call('alipay.trade.precreate', {
        out_trade_no: order.orderNo,
        total_amount: yuanText(order.payNanos),
        subject: `Top-up ${order.orderNo}`,
        time_expire: shanghai(order.expiresAt),
      });
      const qr = wordOf(answer['qr_code']);
      if (answer['code'] === '10000' && answer['out_trade_no'] === order.orderNo && qr !== '') {
        return { state: 'OPEN', instructions: { kind: 'QR', qr, page: pageOf(qr) } };
      }
      return refusedFor(answer);
    },

    async query({ orderNo }) {
      const answer = await call('alipay.trade.query', { out_trade_no: orderNo });
      return findingOf(answer, orderNo);
    },

    async close({ orderNo }) {
      const answer = await call('alipay.trade.close', { out_trade_no: orderNo });
      const sub = wordOf(answer['sub_code']);
      // Nobody has scanned it yet: its own expiry ends it.
      if (answer['code'] === '10000' || sub === 'ACQ.TRADE_NOT_EXIST') return 'CLOSED';
      if (sub === 'ACQ.TRADE_STATUS_ERROR' || sub === 'ACQ.REASON_TRADE_STATUS_INVALID') {
        return 'PAID';
      }
      throw new Error(`alipay.trade.close: ${reasonOf(answer)}`);
    },

    async refund({ key, orderNo, refundNanos }) {
      const answer = await call('alipay.trade.refund', {
        out_trade_no: orderNo,
        out_request_no: key,
        refund_amount: yuanText(refundNanos),
      });
      return sentOf(answer);
    },

    async queryRefund({ key, orderNo, refundNanos }) {
      const answer = await call('alipay.trade.fastpay.refund.query', {
        out_trade_no: orderNo,
        out_request_no: key,
      });
      return foundOf(answer, { key, refundNanos });
    },

    readNotice: (notice, now) => readNotice(notice, now, { settings, theirs }),
  };
}

/** Every parameter but the signature, sorted, as RSA2 signs them. */
export const alipaySigned = (params: Readonly<Record<string, string>>): string =>
  Object.keys(params)
    .filter((name) => name !== 'sign' && params[name] !== '')
    .toSorted()
    .map((name) => `${name}=${params[name] ?? ''}`)
    .join('&');

/** The content's own bytes are what was signed, so they are cut out before anything is parsed. */
function readAnswer(text: string, method: string, theirs: KeyObject): Fields {
  const name = `${method.replaceAll('.', '_')}_response`;
  const whole = fieldsOf(text);
  const content = whole?.[name];
  if (typeof content !== 'object' || content === null) throw new Error(`${method}: no answer`);
  const from = text.indexOf('{', text.indexOf(`"${name}"`));
  const raw = jsonAt(text, from);
  if (!isSignedBy(raw, wordOf(whole?.['sign']), theirs)) {
    throw new Error(`${method}: the answer is not signed by Alipay`);
  }
  return fieldsOf(raw) ?? {};
}

/** The object that begins at `from`, to its closing brace. */
function jsonAt(text: string, from: number): string {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (isText) {
      if (char === '\\') at += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return text.slice(from, at + 1);
    }
  }
  throw new Error('the answer ends in the middle');
}

function findingOf(answer: Fields, orderNo: string): PaymentFinding {
  if (answer['code'] !== '10000') {
    if (answer['sub_code'] === 'ACQ.TRADE_NOT_EXIST') return { state: 'WAITING' };
    throw new Error(`alipay.trade.query: ${reasonOf(answer)}`);
  }
  if (answer['out_trade_no'] !== orderNo) return { state: 'ODD', reason: 'OTHER_ORDER' };
  const status = wordOf(answer['trade_status']);
  if (status === 'WAIT_BUYER_PAY') return { state: 'WAITING' };
  if (status === 'TRADE_CLOSED') return { state: 'CLOSED' };
  const reference = wordOf(answer['trade_no']).trim();
  const paidNanos = yuanNanos(wordOf(answer['total_amount']));
  if (!PAID.has(status) || reference === '' || paidNanos === undefined || paidNanos <= 0n) {
    return { state: 'ODD', reason: 'UNREADABLE' };
  }
  const said = wordOf(answer['trans_currency']);
  const currency = said === '' ? 'CNY' : said;
  return { state: 'PAID', reference, paidNanos, currency, paidAt: timeOf(answer['send_pay_date']) };
}

function readNotice(
  { body }: RawNotice,
  now: Date,
  { settings, theirs }: { settings: AlipayMerchant; theirs: KeyObject },
): NoticeReading {
  const params = Object.fromEntries(new URLSearchParams(body.toString('utf8')));
  const { sign = '', sign_type: _type, ...signed } = params;
  if (!isSignedBy(alipaySigned(signed), sign, theirs)) return { ok: false, fault: 'FORGED' };
  const {
    app_id: appId,
    seller_id: seller,
    out_trade_no: orderNo = '',
    notify_id: eventId = '',
  } = params;
  if (appId !== settings.appId) return { ok: false, fault: 'OTHER_MERCHANT' };
  if (settings.sellerId !== null && seller !== settings.sellerId) {
    return { ok: false, fault: 'OTHER_MERCHANT' };
  }
  const sentAt = timeOf(params['notify_time']);
  if (orderNo === '' || eventId === '' || sentAt === null) return { ok: false, fault: 'MALFORMED' };
  const ageMs = now.getTime() - sentAt.getTime();
  if (ageMs > NOTICE_MS_MAX || ageMs < -300_000) return { ok: false, fault: 'STALE' };
  return { ok: true, orderNo, eventId };
}

const reasonOf = (answer: Fields): string =>
  [wordOf(answer['sub_code']), wordOf(answer['code'])].find((word) => word !== '') ?? 'UNREADABLE';

/** The code only says that the call was understood; N is a repeat, or on its way: it is asked about. */
function sentOf(answer: Fields): RefundOutcome {
  if (answer['code'] !== '10000') return refusedFor(answer);
  return answer['fund_change'] === 'Y'
    ? { state: 'REFUNDED' }
    : { state: 'PENDING', word: 'NO_FUND_CHANGE' };
}

/** Without a status there is none under this key, or it failed: it may be sent again, under the same key. */
function foundOf(
  answer: Fields,
  { key, refundNanos }: Pick<RefundOrder, 'key' | 'refundNanos'>,
): RefundFinding {
  if (answer['code'] !== '10000') {
    throw new Error(`alipay.trade.fastpay.refund.query: ${reasonOf(answer)}`);
  }
  const status = wordOf(answer['refund_status']);
  if (status === '') return { state: 'NONE' };
  if (status !== 'REFUND_SUCCESS') return { state: 'PENDING', word: status };
  const isOurs =
    answer['out_request_no'] === key && yuanNanos(wordOf(answer['refund_amount'])) === refundNanos;
  if (!isOurs) throw new Error('Alipay speaks of another refund');
  return { state: 'REFUNDED' };
}

/** What may pass by itself is thrown, so that it is tried again. */
function refusedFor(answer: Fields): { state: 'REFUSED'; reason: string } {
  const reason = reasonOf(answer);
  if (answer['code'] === '20000' || /SYSTEM_ERROR/.test(reason)) throw new Error(reason);
  return { state: 'REFUSED', reason };
}

/** `yyyy-MM-dd HH:mm:ss` of China's time, which has no summer. */
const shanghai = (time: Date): string =>
  new Date(time.getTime() + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' ');

function timeOf(text: unknown): Date | null {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(wordOf(text))) return null;
  return new Date(`${wordOf(text).replace(' ', 'T')}+08:00`);
}

/** Where the code leads when it is opened on a phone or, in development, in a browser. */
const pageOf = (qr: string): string | null => (/^https?:\/\//.test(qr) ? qr : null);
