import { texts } from '../parts/texts.ts';

/** What speaks against a conversion that nobody signed; of advertisers and operators. */
export const conversionFound = texts({
  en: {
    any: 'With findings',
    none: 'Without findings',
    FOREIGN_BROWSER: 'Another browser than clicked',
    FOREIGN_ADDRESS: 'Another network than clicked',
    HOST_MISSING: 'Does not say which page reports',
    HOST_FOREIGN: 'Reported by another site than yours',
    BURST: 'Many within a minute',
    CLICK_CAP: 'Very many of one click',
    PUBLISHER_CAP: 'Very many of one publisher in an hour',
  },
  zh: {
    any: '有发现',
    none: '无发现',
    FOREIGN_BROWSER: '与点击时的浏览器不同',
    FOREIGN_ADDRESS: '与点击时的网络不同',
    HOST_MISSING: '未说明由哪个页面上报',
    HOST_FOREIGN: '由其他网站上报',
    BURST: '一分钟内数量过多',
    CLICK_CAP: '同一点击数量过多',
    PUBLISHER_CAP: '同一媒体一小时内数量过多',
  },
});
