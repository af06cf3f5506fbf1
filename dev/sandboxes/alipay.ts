import { randomUUID } from 'node:crypto';
import { alipaySigned } from '../../activities/providers/deposit-alipay.ts';
import { isSignedBy, privateKeyOf, publicKeyOf, signRsa } from '../../activities/providers/rsa.ts';
import {
  type Answer,
  type Asked,
  Desk,
  fen,
  HANGS,
  notify,
  refundedOf,
  type Trade,
  yuan,
} from './desk.ts';

export interface AlipayKeys {
  appId: string;
  sellerId: string;
  /** Of Alipay. */
  privateKey: string;
  /** Of the merchant. */
  merchantKey: string;
}

type Content = Readonly<Record<string, string>>;

const SHANGHAI_MS = 8 * 3_600_000;
const shanghai = (time: Date): string =>
  new Date(time.getTime() + SHANGHAI_MS).toISOString().slice(0, 19).replace('T', ' ');

/** Alipay's gateway as a merchant meets it, with keys of its own. */
export class AlipaySandbox {
  readonly desk = new Desk();
  readonly #keys: AlipayKeys;
  readonly #pageUrl: (orderNo: string) => string;

  constructor(keys: AlipayKeys, pageUrl: (orderNo: string) => string) {
    this.#keys = keys;
    this.#pageUrl = pageUrl;
  }

  /** POST /gateway.do */
  answer({ body }: Asked): Answer | typeof HANGS {
    const { behaviour } = this.desk;
    if (behaviour.isDown) return { status: 500, type: 'text/plain', body: 'down' };
    const params = Object.fromEntries(new URLSearchParams(body));
    const { sign = '', method = '', ...rest } = params;
    const signed = alipaySigned({ ...rest, method });
    if (!isSignedBy(signed, sign, publicKeyOf(this.#keys.merchantKey))) {
      return this.#say(method, {
        code: '40002',
        msg: 'Invalid',
        sub_code: 'isv.invalid-signature',
      });
    }
    const content = JSON.parse(params['biz_content'] ?? '{}') as Content;
    const done = this.#do(method, content, params['notify_url'] ?? '');
    const verb = VERBS[method];
    if (verb !== undefined && behaviour.hangsAfter.includes(verb)) return HANGS;
    return this.#say(method, done);
  }

  #do(method: string, content: Content, notifyUrl: string): Content {
    const { out_trade_no: orderNo = '' } = content;
    const trade = this.desk.trades.get(orderNo);
    const { refuses } = this.desk.behaviour;
    if (method === 'alipay.trade.precreate') {
      if (refuses !== null) return refusal(refuses);
      const opened = this.desk.open({
        orderNo,
        total: fen(content['total_amount'] ?? '0'),
        currency: 'CNY',
        title: content['subject'] ?? '',
        notifyUrl,
        expiresAt: new Date(`${(content['time_expire'] ?? '').replace(' ', 'T')}+08:00`),
      });
      if (opened === null) return refusal('ACQ.CONTEXT_INCONSISTENT');
      return { ...OK, out_trade_no: orderNo, qr_code: this.#pageUrl(orderNo) };
    }
    if (trade === undefined) return refusal('ACQ.TRADE_NOT_EXIST');
    if (method === 'alipay.trade.query') return this.#tell(this.desk.told(trade));
    if (method === 'alipay.trade.close') {
      if (trade.state === 'PAID') return refusal('ACQ.TRADE_STATUS_ERROR');
      trade.state = 'CLOSED';
      return { ...OK, out_trade_no: orderNo };
    }
    if (method === 'alipay.trade.refund') return this.#refund(trade, content);
    if (method === 'alipay.trade.fastpay.refund.query')
      return this.#refundAskedAbout(trade, content);
    return { code: '40004', msg: 'Business Failed', sub_code: 'isv.invalid-method' };
  }

  #refund(trade: Trade, content: Content): Content {
    const { out_trade_no: orderNo = '', out_request_no: key = '', refund_amount = '0' } = content;
    const known = trade.refunds.has(key);
    const made = this.desk.refund(trade, key, fen(refund_amount));
    if (typeof made === 'string') return refusal(`ACQ.${made}`);
    const fund_change = !known && made.state === 'SUCCESS' ? 'Y' : 'N';
    return { ...OK, out_trade_no: orderNo, refund_fee: yuan(refundedOf(trade)), fund_change };
  }

  #refundAskedAbout(trade: Trade, content: Content): Content {
    const { out_trade_no = '', out_request_no = '' } = content;
    const found = trade.refunds.get(out_request_no);
    const told = found === undefined ? undefined : this.desk.lookAt(found);
    // Of one that failed, or is on its way, it says as much as of one that never was.
    if (told?.state !== 'SUCCESS') return { ...OK, out_trade_no };
    const refund_amount = yuan(told.amount);
    return { ...OK, out_trade_no, out_request_no, refund_status: 'REFUND_SUCCESS', refund_amount };
  }

  #tell(trade: Trade): Content {
    const common = { ...OK, out_trade_no: trade.orderNo };
    if (trade.state === 'WAITING') return { ...common, trade_status: 'WAIT_BUYER_PAY' };
    // What went back whole is closed there, as if it had never been paid.
    const isBack = trade.state === 'PAID' && refundedOf(trade) === trade.paid;
    if (trade.state === 'CLOSED' || isBack) return { ...common, trade_status: 'TRADE_CLOSED' };
    return {
      ...common,
      trade_no: trade.transaction ?? '',
      trade_status: 'TRADE_SUCCESS',
      total_amount: yuan(trade.paid),
      trans_currency: trade.currency,
      send_pay_date: shanghai(trade.paidAt ?? new Date()),
    };
  }

  #say(method: string, content: Content): Answer {
    const raw = JSON.stringify(content);
    const lies = this.desk.behaviour.queryLies === 'unsigned';
    const sign = lies ? 'bm8=' : signRsa(raw, privateKeyOf(this.#keys.privateKey));
    const name = `${method.replaceAll('.', '_')}_response`;
    return { status: 200, type: 'application/json', body: `{"${name}":${raw},"sign":"${sign}"}` };
  }

  /** One notification of a trade, as it would be sent now; `sent` is what is sent otherwise. */
  noticeOf(trade: Trade, sent: { at?: Date; id?: string } = {}) {
    const { notice } = this.desk.behaviour;
    const at = notice === 'stale' ? new Date(Date.now() - 3 * 86_400_000) : (sent.at ?? new Date());
    const params: Record<string, string> = {
      app_id: this.#keys.appId,
      charset: 'utf-8',
      notify_id: sent.id ?? randomUUID(),
      notify_time: shanghai(at),
      notify_type: 'trade_status_sync',
      out_trade_no: trade.orderNo,
      seller_id: this.#keys.sellerId,
      total_amount: yuan(trade.paid),
      trade_no: trade.transaction ?? '1',
      trade_status: 'TRADE_SUCCESS',
      version: '1.0',
    };
    const sign =
      notice === 'forged'
        ? Buffer.alloc(256, 7).toString('base64')
        : signRsa(alipaySigned(params), privateKeyOf(this.#keys.privateKey));
    if (notice === 'altered') params['total_amount'] = yuan(trade.paid * 100n);
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: new URLSearchParams({ ...params, sign_type: 'RSA2', sign }).toString(),
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

const OK = { code: '10000', msg: 'Success' };
const refusal = (sub: string): Content => ({
  code: '40004',
  msg: 'Business Failed',
  sub_code: sub,
});
const VERBS: Readonly<Record<string, 'open' | 'query' | 'close' | 'refund'>> = {
  'alipay.trade.precreate': 'open',
  'alipay.trade.query': 'query',
  'alipay.trade.fastpay.refund.query': 'query',
  'alipay.trade.close': 'close',
  'alipay.trade.refund': 'refund',
};
