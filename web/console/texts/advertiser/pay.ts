import { texts } from '../../parts/texts.ts';

/** What the payer of a top-up is told, method by method. */
export const payTexts = texts({
  en: {
    title: 'How to pay',
    until: 'Pay until',
    reference: 'Reference',
    payee: 'Account holder',
    address: 'Address',
    contract: 'Token contract',
    code: 'QR code',
    page: 'Open the payment page',
    opening: 'The provider is being asked for a code. It appears here by itself.',
    transfer: (amount: string) =>
      `Transfer ${amount} to this account and write the reference on it, nothing else.`,
    offline: (amount: string) =>
      `Pay ${amount} as agreed and name this reference. An operator enters the receipt.`,
    scan: (amount: string, method: string) =>
      `Pay ${amount}: scan the code with ${method === 'WECHAT' ? 'WeChat' : 'Alipay'}.`,
    send: (amount: string, network: string, confirmations: number) =>
      `Send ${amount} on ${network} to this address. It is credited after ${confirmations} confirmations.`,
    onlyOn: {
      ERC20: 'Only on Ethereum (ERC20)',
      TRC20: 'Only on TRON (TRC20)',
    },
    onlyHelp: {
      ERC20:
        'Choose ERC20 where you send from. An address of Ethereum begins with 0x; TRC20 and other networks cannot reach it.',
      TRC20:
        'Choose TRC20 where you send from. An address of TRON begins with T; ERC20 and other networks cannot reach it.',
    },
    seen: (seen: number, needed: number) => `On its way: ${seen} of ${needed} confirmations.`,
    notes: {
      BANK: 'Sent back: money in another currency. Money with a wrong reference waits until it is matched or sent back.',
      OFFLINE: 'Nothing is credited without a receipt.',
      ALIPAY:
        'After this time the code can no longer be paid. What comes for an order that has ended is credited by a person or sent back.',
      WECHAT:
        'After this time the code can no longer be paid. What comes for an order that has ended is credited by a person or sent back.',
      USDT: 'Only this token on this network: other tokens and networks cannot be credited and may be lost. Less than the minimum waits for a person.',
    },
  },
  zh: {
    title: '如何付款',
    until: '付款期限',
    reference: '附言',
    payee: '收款人',
    address: '收款地址',
    contract: '代币合约',
    code: '付款二维码',
    page: '打开付款页面',
    opening: '正在向支付机构获取付款码，稍后自动显示。',
    transfer: (amount) => `请向此账户转账 ${amount}，附言只填写以下内容。`,
    offline: (amount) => `请按约定支付 ${amount} 并注明以下附言，由运营人员录入回单。`,
    scan: (amount, method) => `请用${method === 'WECHAT' ? '微信' : '支付宝'}扫码支付 ${amount}。`,
    send: (amount, network, confirmations) =>
      `请在 ${network} 网络向此地址转入 ${amount}，经 ${confirmations} 次确认后入账。`,
    onlyOn: { ERC20: '仅限以太坊网络（ERC20）', TRC20: '仅限波场网络（TRC20）' },
    onlyHelp: {
      ERC20: '转出时请选择 ERC20 网络。以太坊地址以 0x 开头，TRC20 等其他网络无法送达。',
      TRC20: '转出时请选择 TRC20 网络。波场地址以 T 开头，ERC20 等其他网络无法送达。',
    },
    seen: (seen, needed) => `已发现转账：${seen} / ${needed} 次确认。`,
    notes: {
      BANK: '其他币种的款项将退回；附言有误的款项将等待匹配或退回。',
      OFFLINE: '没有回单不予入账。',
      ALIPAY: '超过期限后付款码失效；充值单结束后到达的款项由人工入账或退回。',
      WECHAT: '超过期限后付款码失效；充值单结束后到达的款项由人工入账或退回。',
      USDT: '仅支持此网络上的此代币，其他代币或网络无法入账且可能丢失；低于最低金额的由人工处理。',
    },
  },
});
