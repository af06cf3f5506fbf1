import { texts } from '../parts/texts.ts';

/** What the search finds, and fields that are filled by it. */
export const foundTexts = texts({
  en: {
    types: {
      advertiser: 'Advertiser',
      publisher: 'Publisher',
      campaign: 'Campaign',
      adgroup: 'Ad group',
      ad: 'Ad',
      creative: 'Creative',
      site: 'Site',
      zone: 'Zone',
      task: 'Task',
      deposit: 'Top-up',
      withdrawal: 'Withdrawal',
      deposit_flow: 'Top-up under way',
      withdrawal_flow: 'Withdrawal under way',
      statement: 'Bank statement',
      ledger_account: 'Ledger account',
      operator: 'Operator',
    },
    numbered: (type: string, id: number) => `${type} ${id}`,
    traces: {
      request_id: 'What became of this request',
      click_id: 'What became of this click',
      track_id: 'What became of this impression',
    },
  },
  zh: {
    types: {
      advertiser: '广告主',
      publisher: '媒体',
      campaign: '广告活动',
      adgroup: '广告组',
      ad: '广告',
      creative: '创意',
      site: '网站',
      zone: '广告位',
      task: '任务',
      deposit: '充值',
      withdrawal: '提现',
      deposit_flow: '充值流程',
      withdrawal_flow: '提现流程',
      statement: '银行对账单',
      ledger_account: '账本账户',
      operator: '运营人员',
    },
    numbered: (type, id) => `${type} ${id}`,
    traces: {
      request_id: '此请求的结果',
      click_id: '此点击的结果',
      track_id: '此展示的结果',
    },
  },
});
