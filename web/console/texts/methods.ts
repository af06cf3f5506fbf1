import { texts } from '../parts/texts.ts';

/** Ways that money comes and goes. */
export const methods = texts({
  en: {
    BANK: 'Bank transfer',
    OFFLINE: 'By agreement',
    USDT: 'USDT',
    ALIPAY: 'Alipay',
    WECHAT: 'WeChat Pay',
    PAYPAL: 'PayPal',
    PAXUM: 'Paxum',
  },
  zh: {
    BANK: '银行转账',
    OFFLINE: '线下约定',
    USDT: 'USDT',
    ALIPAY: '支付宝',
    WECHAT: '微信支付',
    PAYPAL: 'PayPal',
    PAXUM: 'Paxum',
  },
});
