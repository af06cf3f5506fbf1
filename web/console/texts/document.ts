import { texts } from '../parts/texts.ts';

/** What an account was told of its money. */
export const documentTexts = texts({
  en: {
    title: 'Documents',
    lead: 'Statements, invoices and receipts, as they were issued. Each has a signature that anybody can check.',
    keys: 'Public keys',
    address: 'Your billing address and tax number',
    number: 'Number',
    kind: 'Kind',
    kinds: {
      STATEMENT: 'Monthly statement',
      INVOICE: 'Invoice',
      CREDIT_NOTE: 'Credit note',
      DEPOSIT_RECEIPT: 'Top-up receipt',
      PAYOUT_RECEIPT: 'Payout receipt',
      REFUND_RECEIPT: 'Refund receipt',
    },
    month: 'Month',
    total: 'Total',
    closing: 'Closing balance',
    issued: 'Issued',
    files: 'Files',
    formats: { pdf: 'PDF', csv: 'CSV', jws: 'Signature' },
    save: (number: string, format: string) => `Download ${format} of ${number}`,
    from: 'Issued from',
    to: 'Issued to',
    none: 'Nothing was issued yet',
    noneHelp: {
      admin:
        'A receipt comes some minutes after a top-up, refund or payout, a statement within hours after the end of a month (UTC).',
      advertiser:
        'A receipt comes some minutes after a top-up or refund, a statement within hours after the end of a month (UTC).',
      publisher:
        'A receipt comes some minutes after a payout, a statement within hours after the end of a month (UTC).',
    },
    noneFound: 'No document matches.',
  },
  zh: {
    title: '单据',
    lead: '已开具的对账单、账单和收据，均附有任何人都可验证的签名。',
    keys: '公钥',
    address: '您的账单地址和税号',
    number: '编号',
    kind: '类型',
    kinds: {
      STATEMENT: '月度对账单',
      INVOICE: '账单',
      CREDIT_NOTE: '退款单',
      DEPOSIT_RECEIPT: '充值收据',
      PAYOUT_RECEIPT: '付款收据',
      REFUND_RECEIPT: '余额退款收据',
    },
    month: '月份',
    total: '合计',
    closing: '期末余额',
    issued: '开具时间',
    files: '文件',
    formats: { pdf: 'PDF', csv: 'CSV 表格', jws: '签名' },
    save: (number, format) => `下载 ${number} 的${format}`,
    from: '开具起始日',
    to: '开具截止日',
    none: '尚未开具任何单据',
    noneHelp: {
      admin: '充值、退款或提现付款后会开具收据；每月（UTC）结束后数小时内会开具对账单。',
      advertiser: '充值或退款后会开具收据；每月（UTC）结束后数小时内会开具对账单。',
      publisher: '提现付款后会开具收据；每月（UTC）结束后数小时内会开具对账单。',
    },
    noneFound: '没有匹配的单据。',
  },
});
