import { texts } from '../../parts/texts.ts';

/** The last days of a campaign: what each brought, and what kept it from more. */
export const deliveryDayTexts = texts({
  en: {
    title: 'Day by day',
    lead: 'The last fourteen days (UTC): spend against the daily budget, and what is known to have held all day.',
    ofBudget: (spend: string, budget: string) => `${spend} of ${budget}`,
    ranOut: 'Budget spent',
    ranOutAt: (time: string) => `Budget spent by ${time} UTC`,
    noImpressions: 'No impressions counted',
    today: 'so far',
    reasons: {
      CAMPAIGN_PAUSED: 'Paused all day',
      CAMPAIGN_NOT_STARTED: 'Before its first day',
      CAMPAIGN_ENDED: 'After its last day',
      OUTSIDE_SCHEDULE: 'Not on this weekday',
    },
  },
  zh: {
    title: '逐日投放',
    lead: '最近十四天（UTC）：花费与每日预算，以及可确认全天成立的原因。',
    ofBudget: (spend, budget) => `${spend} / ${budget}`,
    ranOut: '预算已用完',
    ranOutAt: (time) => `UTC ${time} 前预算已用完`,
    noImpressions: '没有计入展示',
    today: '截至目前',
    reasons: {
      CAMPAIGN_PAUSED: '全天暂停',
      CAMPAIGN_NOT_STARTED: '早于开始日期',
      CAMPAIGN_ENDED: '晚于结束日期',
      OUTSIDE_SCHEDULE: '此星期不投放',
    },
  },
});
