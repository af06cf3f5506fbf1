import { plural, texts } from '../../parts/texts.ts';

/** How many zones could show a campaign, rule by rule. */
export const zoneReachTexts = texts({
  en: {
    title: 'Zones that could show it',
    lead: 'Zones of all publishers that are open, counted at most a minute ago. Each line is what the one above left; viewers, hours and other bidders are not looked at.',
    open: 'Open now',
    kind: 'That take what it shows',
    size: 'Of a size that it has',
    pricing: (model: string) => `That sell ${model}`,
    price: 'At a floor price that its bid reaches',
    missing: 'Sizes that it lacks:',
    missingSize: (size: string, zones: number) => `${size} (${plural(zones, 'zone')})`,
    changeBid: 'Change the bid',
    learned: (model: string) =>
      `What an impression of a ${model} campaign is worth is learned as it serves, so floor prices are not compared here.`,
  },
  zh: {
    title: '可投放的广告位',
    lead: '所有媒体目前开放的广告位，统计于一分钟之内。每一行是上一行的剩余数量，不考虑访客、时段和其他竞价者。',
    open: '目前开放',
    kind: '接受其展示形式',
    size: '尺寸相符',
    pricing: (model) => `按 ${model} 售卖`,
    price: '出价达到底价',
    missing: '缺少的尺寸：',
    missingSize: (size, zones) => `${size}（${zones} 个广告位）`,
    changeBid: '修改出价',
    learned: (model) => `${model} 广告活动的展示价值在投放中学习，因此此处不比较底价。`,
  },
});
