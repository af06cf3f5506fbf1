import { createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';
import type { Nanos } from '../../domain/money.ts';
import type { WechatMerchant } from './deposit-settings.ts';
import type {
  DepositProvider,
  NoticeReading,
  PaymentFinding,
  PaymentOrder,
  RawNotice,
  RefundOrder,
  RefundOutcome,
} from './deposit-port.ts';
import { callProvider, fieldsOf, type ProviderAnswer, wordOf } from './provider-call.ts';
import { isSignedBy, privateKeyOf, publicKeyOf, signRsa } from './rsa.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Older or newer than this is a replay (research of the owner: libraries do not look). */
const CLOCK_MS_MAX = 5 * 60_000;
const FEN_NANOS = 10_000_000n;
const TAG_BYTES = 16;

interface Keys {
  settings: WechatMerchant;
  own: KeyObject;
  theirs: KeyObject;
}

/**
 * Native payment of WeChat Pay's API v3. Requests are signed by the merchant; answers and notifications
 * are believed only with WeChat Pay's signature over their very bytes, made within five minutes.
 */
export function createWechat(settings: WechatMerchant, notifyUrl: string): DepositProvider {
  const keys: Keys = {
    settings,
    own: privateKeyOf(settings.privateKey),
    theirs: publicKeyOf(settings.publicKey),
  };
  const { merchantId, appId } = settings;
  const base = '/v3/pay/transactions';
  const call = async (method: 'GET' | 'POST', path: string, content?: object) =>
    await callSigned(keys, { method, path, body: content && JSON.stringify(content) });

  return {
    async open(order) {
      const { status, fields } = await call('POST', `${base}/native`, {
        appid: appId,
        mchid: merchantId,
        description: `Top-up ${order.orderNo}`,
        out_trade_no: order.orderNo,
        time_expire: order.expiresAt.toISOString().replace(/\.\d+Z$/, '+00:00'),
        notify_url: notifyUrl,
        amount: { total: fenOf(order.payNanos), currency: 'CNY' },
      });
      const qr = wordOf(fields['code_url']);
      if (status === 200 && qr !== '') {
        return { state: 'OPEN', instructions: { kind: 'QR', qr, page: pageOf(qr) } };
      }
      if (status >= 500 || status === 429) throw new Error(`WeChat Pay answered ${status}`);
      return { state: 'REFUSED', reason: reasonOf(fields, status) };
    },

    async query({ orderNo }) {
      const path = `${base}/out-trade-no/${orderNo}?mchid=${merchantId}`;
      const { status, fields } = await call('GET', path);
      if (status === 404) return { state: 'WAITING' };
      if (status !== 200) throw new Error(`WeChat Pay answered ${status}`);
      return findingOf(fields, { orderNo, settings });
    },

    async close({ orderNo }: PaymentOrder) {
      const path = `${base}/out-trade-no/${orderNo}/close`;
      const { status, fields } = await call('POST', path, { mchid: merchantId });
      if (status === 204 || status === 404 || fields['code'] === 'ORDER_CLOSED') return 'CLOSED';
      if (fields['code'] === 'ORDERPAID') return 'PAID';
      throw new Error(`WeChat Pay answered ${reasonOf(fields, status)}`);
    },

    async refund({ key, orderNo, refundNanos, paidNanos, currency }) {
      const { status, fields } = await call('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: orderNo,
        out_refund_no: key,
        amount: { refund: fenOf(refundNanos), total: fenOf(paidNanos), currency },
      });
      if (status >= 500 || status === 429) throw new Error(`WeChat Pay answered ${status}`);
      // Busy, or its own trouble: nothing is said of this refund.
      if (fields['code'] === 'FREQUENCY_LIMITED') throw new Error('WeChat Pay is asked too often');
      if (status !== 200) return { state: 'REFUSED', reason: reasonOf(fields, status) };
      return refundOf(fields, { key, refundNanos });
    },

    async queryRefund({ key, refundNanos }) {
      const { status, fields } = await call('GET', `/v3/refund/domestic/refunds/${key}`);
      if (status === 404 && fields['code'] === 'RESOURCE_NOT_EXISTS') return { state: 'NONE' };
      if (status !== 200) throw new Error(`WeChat Pay answered ${status}`);
      return refundOf(fields, { key, refundNanos });
    },

    readNotice: (notice, now) => readNotice(notice, now, keys),
  };
}

/** CLOSED ends it without money; ABNORMAL is the merchant's to mend in WeChat Pay's own pages, and ends otherwise. */
function refundOf(
  fields: Fields,
  { key, refundNanos }: Pick<RefundOrder, 'key' | 'refundNanos'>,
): RefundOutcome {
  const { refund } = (fields['amount'] ?? {}) as Fields;
  if (fields['out_refund_no'] !== key || refund !== fenOf(refundNanos)) {
    throw new Error('WeChat Pay speaks of another refund');
  }
  const word = wordOf(fields['status']);
  if (word === 'SUCCESS') return { state: 'REFUNDED' };
  if (word === 'CLOSED') return { state: 'REFUSED', reason: 'CLOSED' };
  if (word === '') throw new Error('WeChat Pay says nothing of the refund');
  return { state: 'PENDING', word };
}

const fenOf = (nanos: Nanos): number => Number(nanos / FEN_NANOS);

async function callSigned(
  { settings, own, theirs }: Keys,
  { method, path, body = '' }: { method: 'GET' | 'POST'; path: string; body?: string | undefined },
): Promise<{ status: number; fields: Fields }> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const nonce = randomBytes(16).toString('hex');
  const signature = signRsa(`${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`, own);
  const token = [
    `mchid="${settings.merchantId}"`,
    `nonce_str="${nonce}"`,
    `timestamp="${timestamp}"`,
    `serial_no="${settings.serial}"`,
    `signature="${signature}"`,
  ].join(',');
  const answer = await callProvider(`${settings.api}${path}`, {
    method,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      authorization: `WECHATPAY2-SHA256-RSA2048 ${token}`,
      'user-agent': 'adplatform',
    },
    ...(body === '' ? {} : { body }),
  });
  // A fault may come from a machine before theirs, which signs nothing, and says nothing that counts.
  if (answer.status < 500 && faultOf(signedBy(answer), new Date(), { settings, theirs }) !== null) {
    throw new Error('the answer is not signed by WeChat Pay');
  }
  return { status: answer.status, fields: fieldsOf(answer.text) ?? {} };
}

interface Signed {
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

const signedBy = ({ headers, text }: ProviderAnswer): Signed => ({
  headers: Object.fromEntries(headers.entries()),
  body: Buffer.from(text),
});

/** Null: WeChat Pay says it, and says it now. */
function faultOf(
  { headers, body }: Signed,
  now: Date,
  { settings, theirs }: Pick<Keys, 'settings' | 'theirs'>,
): 'FORGED' | 'STALE' | null {
  const timestamp = headers['wechatpay-timestamp'] ?? '';
  const nonce = headers['wechatpay-nonce'] ?? '';
  const signature = headers['wechatpay-signature'] ?? '';
  if (headers['wechatpay-serial'] !== settings.publicKeyId) return 'FORGED';
  const said = Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), body, Buffer.from('\n')]);
  if (!isSignedBy(said, signature, theirs)) return 'FORGED';
  if (!/^\d{1,12}$/.test(timestamp)) return 'FORGED';
  return Math.abs(now.getTime() - Number(timestamp) * 1_000) > CLOCK_MS_MAX ? 'STALE' : null;
}

function readNotice(notice: RawNotice, now: Date, keys: Keys): NoticeReading {
  const fault = faultOf(notice, now, keys);
  if (fault !== null) return { ok: false, fault };
  const envelope = fieldsOf(notice.body.toString('utf8'));
  const eventId = wordOf(envelope?.['id']);
  const trade = opened(envelope?.['resource'], keys.settings.apiKey);
  const orderNo = wordOf(trade?.['out_trade_no']);
  if (trade === undefined || eventId === '' || orderNo === '') {
    return { ok: false, fault: 'MALFORMED' };
  }
  if (trade['mchid'] !== keys.settings.merchantId || trade['appid'] !== keys.settings.appId) {
    return { ok: false, fault: 'OTHER_MERCHANT' };
  }
  return { ok: true, orderNo, eventId };
}

/** AEAD_AES_256_GCM; undefined where it does not open. */
function opened(resource: unknown, apiKey: string): Fields | undefined {
  if (typeof resource !== 'object' || resource === null) return undefined;
  const { algorithm, ciphertext, nonce, associated_data: aad } = resource as Fields;
  const sealed = Buffer.from(wordOf(ciphertext), 'base64');
  if (algorithm !== 'AEAD_AES_256_GCM' || sealed.length <= TAG_BYTES || wordOf(nonce) === '') {
    return undefined;
  }
  const cut = sealed.length - TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiKey), wordOf(nonce), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAuthTag(sealed.subarray(cut));
  decipher.setAAD(Buffer.from(wordOf(aad)));
  const text = decipher.update(sealed.subarray(0, cut)).toString('utf8');
  try {
    return fieldsOf(text + decipher.final('utf8'));
  } catch {
    // Not sealed with our key: whatever it holds was not for us.
    return undefined;
  }
}

function findingOf(
  fields: Fields,
  { orderNo, settings }: { orderNo: string; settings: WechatMerchant },
): PaymentFinding {
  if (fields['out_trade_no'] !== orderNo || fields['mchid'] !== settings.merchantId) {
    return { state: 'ODD', reason: 'OTHER_ORDER' };
  }
  const state = wordOf(fields['trade_state']);
  if (state === 'NOTPAY' || state === 'USERPAYING' || state === 'PAYERROR') {
    return { state: 'WAITING' };
  }
  if (state === 'CLOSED' || state === 'REVOKED') return { state: 'CLOSED' };
  const reference = wordOf(fields['transaction_id']).trim();
  const { total, currency } = (fields['amount'] ?? {}) as Fields;
  const isPaid = state === 'SUCCESS' || state === 'REFUND';
  if (!isPaid || reference === '' || !Number.isSafeInteger(total) || Number(total) <= 0) {
    return { state: 'ODD', reason: 'UNREADABLE' };
  }
  const paidAt = new Date(wordOf(fields['success_time']));
  return {
    state: 'PAID',
    reference,
    paidNanos: BigInt(Number(total)) * FEN_NANOS,
    currency: wordOf(currency),
    paidAt: Number.isNaN(paidAt.getTime()) ? null : paidAt,
  };
}

const reasonOf = (fields: Fields, status: number): string =>
  typeof fields['code'] === 'string' ? fields['code'] : `HTTP_${status}`;

const pageOf = (qr: string): string | null => (/^https?:\/\//.test(qr) ? qr : null);
