import type { Reason } from '../../../domain/tracking/facts.ts';
import { type Texts, texts } from '../parts/texts.ts';

const NOTHING = {
  en: 'Nothing: your traffic was not judged.',
  zh: '无需处理：并非对您的流量的判断。',
};
const BROWSER = {
  en: 'Have visitors’ browsers ask for the ad, not your server, and do not cache the answer.',
  zh: '由访客的浏览器而不是您的服务器请求广告，并且不要缓存返回结果。',
};
const CODE = {
  en: 'Paste the zone’s present code. Nothing between the page and us may keep or change its requests.',
  zh: '使用广告位的最新代码；页面与平台之间不应缓存或改动其请求。',
};
const OWN_ROBOTS = {
  en: 'Bots come to every site. Keep your own monitoring and tests off pages with ads.',
  zh: '每个网站都有机器人访问。请让自己的监控和测试避开有广告的页面。',
};
const VISITORS = {
  en: 'A small share is usual. If it is large, look at where these visitors come from: bought traffic is often this.',
  zh: '少量属正常。若占比较大，请检查访客来源：购买的流量常属此类。',
};
const REFRESH = {
  en: 'A small share is usual. It grows where a page reloads its ads often.',
  zh: '少量属正常。页面频繁刷新广告会使其增多。',
};

/** What a publisher can do about removed events, by reason. */
export const removalAdvice = texts({
  en: {
    TRACK_INVALID: CODE.en,
    TRACK_EXPIRED: BROWSER.en,
    SIG_MISSING: CODE.en,
    SIG_BAD: CODE.en,
    SESSION_EXPIRED: CODE.en,
    CLOCK_SKEW: 'Nothing: these visitors’ clocks are wrong.',
    REPLAY: 'Look whether the zone’s code stands on the page twice.',
    EMPTY_UA: OWN_ROBOTS.en,
    BOT_UA: OWN_ROBOTS.en,
    PREFETCH: 'Nothing: it counts when the visitor opens the page.',
    DATACENTER_IP: VISITORS.en,
    INVALID_PLACEMENT: 'Look at the zone on your page: it is hidden, folded or has no room.',
    WEBDRIVER: OWN_ROBOTS.en,
    UA_MISMATCH: BROWSER.en,
    FP_MISMATCH: BROWSER.en,
    TARGETING_MISMATCH: BROWSER.en,
    CLICK_BEFORE_IMPRESSION:
      'Let the zone’s code show the ad; links of your own to it do not count.',
    TOO_FAST:
      'Keep ads away from buttons and menus, and from where a finger rests as a page loads.',
    RATE_LIMIT: VISITORS.en,
    DUPLICATE_IMPRESSION: REFRESH.en,
    DUPLICATE_CLICK: REFRESH.en,
    BUDGET_EXCEEDED: NOTHING.en,
    BALANCE_EXHAUSTED: NOTHING.en,
    CONVERSION_REJECTED: NOTHING.en,
    CONVERSION_UNDECIDED: NOTHING.en,
    INVALID_TRAFFIC: VISITORS.en,
    BILLING_ERROR: NOTHING.en,
  },
  zh: {
    TRACK_INVALID: CODE.zh,
    TRACK_EXPIRED: BROWSER.zh,
    SIG_MISSING: CODE.zh,
    SIG_BAD: CODE.zh,
    SESSION_EXPIRED: CODE.zh,
    CLOCK_SKEW: '无需处理：这些访客的时钟有误。',
    REPLAY: '请检查页面上是否重复放置了广告位代码。',
    EMPTY_UA: OWN_ROBOTS.zh,
    BOT_UA: OWN_ROBOTS.zh,
    PREFETCH: '无需处理：访客打开页面时才计入。',
    DATACENTER_IP: VISITORS.zh,
    INVALID_PLACEMENT: '请检查页面上的广告位：可能被隐藏、折叠或没有空间。',
    WEBDRIVER: OWN_ROBOTS.zh,
    UA_MISMATCH: BROWSER.zh,
    FP_MISMATCH: BROWSER.zh,
    TARGETING_MISMATCH: BROWSER.zh,
    CLICK_BEFORE_IMPRESSION: '请由广告位代码展示广告；您自己的链接不计入。',
    TOO_FAST: '广告应远离按钮和菜单，也不要放在页面加载时手指所在之处。',
    RATE_LIMIT: VISITORS.zh,
    DUPLICATE_IMPRESSION: REFRESH.zh,
    DUPLICATE_CLICK: REFRESH.zh,
    BUDGET_EXCEEDED: NOTHING.zh,
    BALANCE_EXHAUSTED: NOTHING.zh,
    CONVERSION_REJECTED: NOTHING.zh,
    CONVERSION_UNDECIDED: NOTHING.zh,
    INVALID_TRAFFIC: VISITORS.zh,
    BILLING_ERROR: NOTHING.zh,
  },
}) satisfies Texts<Readonly<Record<Reason, string>>>;
