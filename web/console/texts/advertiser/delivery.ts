import { texts } from '../../parts/texts.ts';
import { deliveryReasons } from '../delivery-reasons.ts';

export const delivery = texts({
  en: {
    reasons: deliveryReasons.en,
    title: 'Why it is not serving',
    named: (name: string, words: string) => `“${name}”: ${words}`,
    stands: (ahead: number, by: string | null) =>
      ` ${ahead === 0 ? 'It is next in the queue' : `${ahead} ahead of it in the queue`}${
        by === null ? '' : `; answered by ${by} at the latest`
      }.`,
    mend: 'Fix it',
    noteTitle: 'Good to know',
    why: (state: string) => `${state}: why?`,
    resume: 'Resume',
    submit: 'Submit for review',
    edit: 'Change it',
    topUp: 'Top up',
    addAd: 'Add an ad',
    seeAds: 'See its ads',
    seeReview: 'See the review',
    open: 'Open',
    copy: 'Copies are on its page',
    support: 'Your profile',
    resumed: 'Resumed.',
  },
  zh: {
    reasons: deliveryReasons.zh,
    title: '未投放的原因',
    named: (name, words) => `“${name}”：${words}`,
    stands: (ahead, by) =>
      `${ahead === 0 ? '它是队列中的下一个' : `前面还有 ${ahead} 个`}${by === null ? '' : `，最迟 ${by} 答复`}。`,
    mend: '去修改',
    noteTitle: '提示',
    why: (state) => `${state}：原因`,
    resume: '恢复',
    submit: '提交审核',
    edit: '修改',
    topUp: '充值',
    addAd: '添加广告',
    seeAds: '查看广告',
    seeReview: '查看审核',
    open: '打开',
    copy: '可在其页面复制',
    support: '账户资料',
    resumed: '已恢复。',
  },
});
