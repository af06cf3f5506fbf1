import { texts } from '../parts/texts.ts';

/** Lists of flows on Temporal's own pages, and reading there what is sealed. */
export const flowList = texts({
  en: {
    flowLists: "Lists on Temporal's pages",
    lists: {
      waits_for_us: 'What waits for us',
      overdue: 'What is overdue',
      payouts_unknown: 'Payouts whose outcome is unknown',
      large_money: 'Large sums under way',
      stuck: 'What fails in code',
      ended_badly: 'What ended badly',
    },
    unseal: 'Read sealed payloads there',
    unsealed: 'This browser may read them until you log out.',
    unsealFor: (roles: readonly string[]) => `Only for: ${roles.join(', ')}`,
    unsealHow: 'Each reading is written to the audit log.',
  },
  zh: {
    flowLists: 'Temporal 页面上的列表',
    lists: {
      waits_for_us: '等待我们处理的',
      overdue: '已逾期的',
      payouts_unknown: '结果不明的付款',
      large_money: '进行中的大额资金',
      stuck: '代码出错的',
      ended_badly: '异常结束的',
    },
    unseal: '在那里查看加密内容',
    unsealed: '此浏览器在您退出登录前可以查看。',
    unsealFor: (roles) => `仅限：${roles.join('、')}`,
    unsealHow: '每次查看都会记入审计日志。',
  },
});
