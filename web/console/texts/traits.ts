import { BROWSER_NAMES, SYSTEM_NAMES } from '../../../domain/device-words.ts';
import { texts } from '../parts/texts.ts';

/** What is known of a viewer: names of the trade are alike in both languages. */
export const traits = texts({
  en: {
    device: {
      ALL: 'All',
      DESKTOP: 'Computers',
      MOBILE: 'Phones',
      TABLET: 'Tablets',
      TV: 'TV sets',
      OTHER: 'Other',
    },
    os: { ...SYSTEM_NAMES, OTHER: 'Other' },
    browser: { ...BROWSER_NAMES, OTHER: 'Other' },
  },
  zh: {
    device: {
      ALL: '全部',
      DESKTOP: '电脑',
      MOBILE: '手机',
      TABLET: '平板',
      TV: '电视',
      OTHER: '其他',
    },
    os: { ...SYSTEM_NAMES, OTHER: '其他' },
    browser: { ...BROWSER_NAMES, WECHAT: '微信', OTHER: '其他' },
  },
});
