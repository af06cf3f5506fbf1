import { texts } from '../parts/texts.ts';

/** Lists of data centres, by which events are not billed (DATACENTER_IP). */
export const datacenter = texts({
  en: {
    title: 'Lists of data centres',
    lead: 'As the process has them that answered; each fetches its own, daily, and reads the file when it changes.',
    none: 'None is named: no event is DATACENTER_IP.',
    source: 'List',
    networks: 'Networks',
    since: 'Fetched',
    file: 'Own file (DATACENTER_FILE)',
    never: 'Never: nothing of it counts',
    failed: 'Last try failed:',
    faults: {
      AWAY: 'it cannot be read',
      ANSWERED: 'it answered with a failure',
      TOO_LARGE: 'it is too large',
      NOT_A_LIST: 'what came is no list of networks',
    },
  },
  zh: {
    title: '数据中心列表',
    lead: '以应答此请求的进程所载为准；各进程每日自行获取，文件有变动时重新读取。',
    none: '未指定列表：不会有事件因数据中心 IP 而不计费。',
    source: '列表',
    networks: '网段数',
    since: '获取时间',
    file: '自有文件（DATACENTER_FILE）',
    never: '从未获取：不起作用',
    failed: '上次尝试失败：',
    faults: {
      AWAY: '无法读取',
      ANSWERED: '应答为错误',
      TOO_LARGE: '内容过大',
      NOT_A_LIST: '内容不是网段列表',
    },
  },
});
