import { createCipheriv, randomBytes, randomUUID } from 'node:crypto';
import { isSignedBy, privateKeyOf, publicKeyOf, signRsa } from '../../activities/providers/rsa.ts';
import { type Answer, type Asked, Desk, HANGS, notify, type Refund, type Trade } from './desk.ts';

export interface WechatKeys {
  appId: string;
  merchantId: string;
  apiKey: string;
  publicKeyId: string;
  /** Of WeChat Pay. */
  privateKey: string;
  /** Of the merchant. */
  merchantKey: string;
}

interface Result {
  status: number;
  fields?: object;
}

const TEN_DAYS_MS = 10 * 86_400_000;

/** WeChat Pay's API v3 as a merchant meets it, with keys of its own. */
export class WechatSandbox {
  readonly desk = new Desk();
  readonly #keys: WechatKeys;
  readonly #pageUrl: (orderNo: string) => string;

  constructor(keys: WechatKeys, pageUrl: (orderNo: string) => string) {
    this.#keys = keys;
    this.#pageUrl = pageUrl;
  }

  /** Everything under /v3. */
  answer(asked: Asked): Answer | typeof HANGS {
    const { behaviour } = this.desk;
    if (behaviour.isDown) return { status: 500, type: 'text/plain', body: 'down' };
    if (!this.#isMerchant(asked)) return this.#say({ status: 401, fields: { code: 'SIGN_ERROR' } });
    const path = asked.url.pathname.replace('/v3/', '');
    const orderNo = /^pay\/transactions\/out-trade-no\/([^/]+)/.exec(path)?.[1] ?? '';
    const content = (asked.body === '' ? {} : JSON.parse(asked.body)) as Record<string, never>;
    const verb = path.endsWith('native')
      ? 'open'
      : path.endsWith('close')
        ? 'close'
        : path.startsWith('refund') && asked.method === 'POST'
          ? 'refund'
          : 'query';
    const refundNo = /^refund\/domestic\/refunds\/([^/]+)$/.exec(path)?.[1];
    const done =
      refundNo === undefined ? this.#do(verb, orderNo, content) : this.#refundAskedAbout(refundNo);
    return behaviour.hangsAfter.includes(verb) ? HANGS : this.#say(done);
  }

  #do(verb: string, orderNo: string, content: Record<string, never>): Result {
    if (verb === 'open') return this.#open(content);
    if (verb === 'refund') return this.#refund(content);
    const trade = this.desk.trades.get(orderNo);
    if (trade === undefined) return { status: 404, fields: { code: 'ORDER_NOT_EXIST' } };
    if (verb === 'query') return { status: 200, fields: this.#told(this.desk.told(trade)) };
    if (trade.state === 'PAID') return { status: 400, fields: { code: 'ORDERPAID' } };
    trade.state = 'CLOSED';
    return { status: 204 };
  }

  #open(content: Record<string, unknown>): Result {
    const { refuses } = this.desk.behaviour;
    if (refuses !== null) return { status: 403, fields: { code: refuses } };
    const { total, currency } = content['amount'] as { total: number; currency: string };
    const opened = this.desk.open({
      orderNo: String(content['out_trade_no']),
      total: BigInt(total),
      currency,
      title: String(content['description']),
      notifyUrl: String(content['notify_url']),
      expiresAt: new Date(String(content['time_expire'])),
    });
    if (opened === null) return { status: 400, fields: { code: 'INVALID_REQUEST' } };
    return { status: 200, fields: { code_url: this.#pageUrl(opened.orderNo) } };
  }

  #refund(content: Record<string, unknown>): Result {
    const trade = this.desk.trades.get(String(content['out_trade_no']));
    const { refund } = content['amount'] as { refund: number };
    const key = String(content['out_refund_no']);
    if (!/^[\w|*@-]{1,64}$/.test(key)) return { status: 400, fields: { code: 'PARAM_ERROR' } };
    const made = this.desk.refund(trade, key, BigInt(refund));
    if (typeof made === 'string') return { status: 400, fields: { code: made } };
    return { status: 200, fields: refundFields(key, made) };
  }

  #refundAskedAbout(key: string): Result {
    for (const trade of this.desk.trades.values()) {
      const found = trade.refunds.get(key);
      if (found !== undefined)
        return { status: 200, fields: refundFields(key, this.desk.lookAt(found)) };
    }
    return { status: 404, fields: { code: 'RESOURCE_NOT_EXISTS' } };
  }

  #told(trade: Trade): object {
    const { appId: appid, merchantId: mchid } = this.#keys;
    const common = { appid, mchid, out_trade_no: trade.orderNo };
    if (trade.state === 'WAITING') return { ...common, trade_state: 'NOTPAY' };
    if (trade.state === 'CLOSED') return { ...common, trade_state: 'CLOSED' };
    return {
      ...common,
      transaction_id: trade.transaction,
      trade_state: trade.refunds.size > 0 ? 'REFUND' : 'SUCCESS',
      success_time: (trade.paidAt ?? new Date()).toISOString(),
      amount: { total: Number(trade.paid), currency: trade.currency },
    };
  }

  #isMerchant({ method, url, headers, body }: Asked): boolean {
    const token = headers['authorization'] ?? '';
    const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(token)?.[1] ?? '';
    const said = [
      method,
      url.pathname + url.search,
      part('timestamp'),
      part('nonce_str'),
      body,
      '',
    ];
    return isSignedBy(said.join('\n'), part('signature'), publicKeyOf(this.#keys.merchantKey));
  }

  /** Headers by which WeChat Pay signs these bytes. */
  #signed(body: string, at = new Date()): Record<string, string> {
    const timestamp = String(Math.floor(at.getTime() / 1_000));
    const nonce = randomBytes(16).toString('hex');
    const signature = signRsa(
      `${timestamp}\n${nonce}\n${body}\n`,
      privateKeyOf(this.#keys.privateKey),
    );
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-signature': signature,
      'wechatpay-serial': this.#keys.publicKeyId,
    };
  }

  #say({ status, fields }: Result): Answer {
    const body = fields === undefined ? '' : JSON.stringify(fields);
    const headers = this.#signed(body);
    if (this.desk.behaviour.queryLies === 'unsigned') headers['wechatpay-signature'] = 'bm8=';
    return { status, type: 'application/json', body, headers };
  }

  /** One notification of a trade, as it would be sent now, or at another time. */
  noticeOf(trade: Trade, sent: { at?: Date; id?: string } = {}) {
    const { notice } = this.desk.behaviour;
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(this.#keys.apiKey), nonce);
    cipher.setAAD(Buffer.from('transaction'));
    const content = JSON.stringify(this.#told({ ...trade, state: 'PAID' }));
    const sealed = Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
    const body = JSON.stringify({
      id: sent.id ?? randomUUID(),
      event_type: 'TRANSACTION.SUCCESS',
      resource_type: 'encrypt-resource',
      resource: {
        algorithm: 'AEAD_AES_256_GCM',
        ciphertext: sealed.toString('base64'),
        associated_data: 'transaction',
        nonce,
      },
    });
    const stale = notice === 'stale' ? new Date(Date.now() - TEN_DAYS_MS) : undefined;
    const headers = this.#signed(body, sent.at ?? stale);
    if (notice === 'forged')
      headers['wechatpay-signature'] = Buffer.alloc(256, 7).toString('base64');
    return {
      headers: { 'content-type': 'application/json', ...headers },
      body: notice === 'altered' ? body.replace('TRANSACTION', 'transaction') : body,
    };
  }

  /** All copies at once; answers what each was answered. */
  async tellAbout(trade: Trade): Promise<number[]> {
    const { notice, copies } = this.desk.behaviour;
    if (notice === 'none') return [];
    const message = this.noticeOf(trade);
    return await Promise.all(
      Array.from({ length: copies }, async () => await notify(trade.notifyUrl, message)),
    );
  }
}

const REFUND_WORDS = {
  PROCESSING: 'PROCESSING',
  STUCK: 'ABNORMAL',
  SUCCESS: 'SUCCESS',
  FAILED: 'CLOSED',
} as const satisfies Record<Refund['state'], string>;

const refundFields = (key: string, { amount, state }: Refund): object => ({
  out_refund_no: key,
  status: REFUND_WORDS[state],
  amount: { refund: Number(amount) },
});
