import { texts } from '../parts/texts.ts';

/** Conversions that wait for their advertisers, as operators see them. */
export const held = texts({
  en: {
    title: 'Held conversions',
    lead: 'Reports that nobody signed, those that wait longest first. Each is its advertiser’s to approve or reject; many with findings at one publisher want a look at their traffic.',
    waits: 'Waits',
    waitings: {
      window: 'For its window to end',
      decision: 'For its advertiser, with findings',
      late: 'For half of its time already',
    },
    reported: 'Reported',
    billed: 'Billed',
    rejected: 'Rejected, if nobody decides',
    finding: 'Findings',
    advertiser: 'Advertiser',
    publisher: 'Publisher',
    campaign: 'Tracker, campaign',
    price: 'Would cost',
    trace: 'Click',
    see: 'Trace',
    empty: 'No conversion is held',
    noneFound: 'No held conversion matches.',
  },
  zh: {
    title: '待确认转化',
    lead: '未签名的上报，等待最久的排在最前。由各自的广告主批准或拒绝；若某一媒体有大量带发现的转化，请检查其流量。',
    waits: '等待',
    waitings: {
      window: '等待期限结束',
      decision: '有发现，等待广告主处理',
      late: '已超过一半处理时间',
    },
    reported: '上报时间',
    billed: '计费时间',
    rejected: '逾期拒绝',
    finding: '发现',
    advertiser: '广告主',
    publisher: '媒体',
    campaign: '跟踪器、广告活动',
    price: '费用',
    trace: '点击',
    see: '追踪',
    empty: '没有待确认的转化',
    noneFound: '没有匹配的待确认转化。',
  },
});
