import { texts } from '../parts/texts.ts';

/** A zone's code, in each of its ways. */
export const zoneCode = texts({
  en: {
    title: 'Code',
    lead: 'Put one of these into the page.',
    script: 'For a web page',
    scriptLead: 'Best choice: paste it where the ad should appear; one script a page is enough.',
    layerLead:
      'Paste it anywhere on the page: the ad comes over it when its time has come. One script a page is enough.',
    rewardLead:
      'Put the first line on the page when the viewer asks to watch, and the script once. Events named adp:reward on it say when to begin, when the reward is earned and when the viewer has left.',
    readLead:
      'What the page is about is read from its meta tags, or from data-adp-keywords, data-adp-category, data-adp-tags, data-adp-type and data-adp-lang on either line; what visitors have agreed to, from the page’s consent tool (TCF, GPP). Nothing is asked for while the place is hidden.',
    iframe: 'As a frame',
    iframeLead:
      'Where scripts are not allowed. A frame does not know its page: for ads that fit it, add ?page_keywords=…&page_category=… to the address, with & for ? where a language stands there. One frame a zone; for ads that change, use the script.',
    pageLanguage: 'Language of the page',
    vast: 'For a player',
    vastLead: 'Give this address to your video player as its VAST tag.',
    prebid: 'Prebid.js',
    prebidLead:
      'For a page with Prebid.js 11. your-slot is the place as your page names it, cpm your own price of a thousand impressions, in USD.',
    request: 'For programs',
    requestLead: 'Answers ads as JSON, for apps and servers.',
    policy: 'Page policy',
    policyLead: 'Sources that a page’s own policy must allow. A frame needs frame-src alone.',
  },
  zh: {
    title: '代码',
    lead: '将其中一种放到页面中。',
    script: '网页',
    scriptLead: '推荐：粘贴到广告出现的位置。脚本每页只需一次。',
    layerLead: '粘贴到页面任意位置：到时广告会显示在页面之上。脚本每页只需一次。',
    rewardLead:
      '观众要求观看时，将第一行放入页面；脚本只需一次。该元素上的 adp:reward 事件会告知何时开始、何时获得奖励以及观众何时离开。',
    readLead:
      '页面主题取自 meta 标签，或取自两行中任一行上的 data-adp-keywords、data-adp-category、data-adp-tags、data-adp-type、data-adp-lang；访客的同意取自页面的同意管理工具（TCF、GPP）。位置隐藏时不会请求广告。',
    iframe: '框架',
    iframeLead:
      '用于不允许脚本的地方。框架不了解所在页面：如需匹配的广告，请在地址后加上 ?page_keywords=…&page_category=…（地址中已有语言时将 ? 换成 &）。每个广告位只放一个框架；广告需要轮换时请用脚本。',
    pageLanguage: '页面语言',
    vast: '播放器',
    vastLead: '将此地址作为 VAST 标签填入视频播放器。',
    prebid: 'Prebid.js',
    prebidLead:
      '用于使用 Prebid.js 11 的页面。your-slot 是页面中该位置的名称，cpm 是您自定的每千次展示价格（美元）。',
    request: '程序',
    requestLead: '以 JSON 返回广告，供应用和服务器使用。',
    policy: '页面策略',
    policyLead: '页面自设策略时须允许这些来源；使用框架只需 frame-src。',
  },
});
