import { texts } from '../../parts/texts.ts';

export const bulkTexts = texts({
  en: {
    actions: {
      pause: 'Pause',
      resume: 'Resume',
      submit_audit: 'Submit for review',
      archive: 'Archive',
      set_bid: 'Set the bid',
      set_daily_budget: 'Set the daily budget',
    },
    valueHelp: 'Empty: no daily limit.',
    asCampaign: 'Empty: as the campaign.',
    zeroBid: 'With a bid of 0 nothing is shown.',
  },
  zh: {
    actions: {
      pause: '暂停',
      resume: '恢复',
      submit_audit: '提交审核',
      archive: '归档',
      set_bid: '设置出价',
      set_daily_budget: '设置每日预算',
    },
    valueHelp: '留空表示每日不限。',
    asCampaign: '留空则与广告活动相同。',
    zeroBid: '出价为 0 时不会投放。',
  },
});
