import { texts } from '../parts/texts.ts';

/** What the flows of each queue do (workflows/contracts/queues.ts). */
export const queues = texts({
  en: {
    review: 'Reviews and decisions',
    money: 'Money',
    media: 'Pictures and films',
    exports: 'Exports',
    loops: 'Settlement and its clocks',
    mail: 'Mail',
    calls: 'Calls to servers of customers',
    providers: 'Calls to payment providers',
    upkeep: 'Upkeep',
  },
  zh: {
    review: '审核与决定',
    money: '资金',
    media: '图片与视频',
    exports: '导出',
    loops: '结算与定时任务',
    mail: '邮件',
    calls: '客户服务器回调',
    providers: '支付服务商调用',
    upkeep: '日常维护',
  },
});
