import type { Reason } from '../../../domain/tracking/facts.ts';
import { type Texts, texts } from '../parts/texts.ts';

/** What each reason of a removed event means, as `domain/tracking/verdict.ts` judges it. */
export const removalMeaning = texts({
  en: {
    TRACK_INVALID: 'The report was forged or altered: it belongs to no ad of ours.',
    TRACK_EXPIRED: 'It came too late: an impression has an hour after its request, a click a day.',
    SIG_MISSING: 'The page asked for signed reports and sent one without a signature.',
    SIG_BAD: 'The signature is not of this report: it was altered or made elsewhere.',
    SESSION_EXPIRED: 'The key that signs a page’s reports had lapsed, or was another request’s.',
    CLOCK_SKEW: 'The report says a time that is more than five minutes off.',
    REPLAY: 'This report was sent before. One that comes again does not count again.',
    EMPTY_UA: 'The request named no browser.',
    BOT_UA: 'The browser names itself a bot or a tool, such as a crawler.',
    PREFETCH: 'The browser loaded the page ahead of time. Nobody saw it.',
    DATACENTER_IP:
      'The address belongs to a hosting company: servers, crawlers and some VPNs, hardly ever a visitor at home.',
    INVALID_PLACEMENT: 'The ad was shown at no size, or at one pixel.',
    WEBDRIVER: 'The browser says that a program controls it.',
    UA_MISMATCH: 'Another browser asked for the ad than the one that reports it.',
    FP_MISMATCH: 'Another device asked for the ad than the one that reports it.',
    TARGETING_MISMATCH: 'It comes from another country, device or system than the ad is meant for.',
    CLICK_BEFORE_IMPRESSION: 'A click on an ad that was not shown.',
    TOO_FAST:
      'A click within a tenth of a second of the impression, or a video that ended before its time.',
    RATE_LIMIT: 'One address sent more in a minute than people do.',
    DUPLICATE_IMPRESSION:
      'The same viewer saw the same ad again within a short time. It counts once.',
    DUPLICATE_CLICK:
      'The same viewer clicked the same ad again within a short time. It counts once.',
    BUDGET_EXCEEDED: 'The campaign’s budget had no room for it any more.',
    BALANCE_EXHAUSTED: 'The advertiser’s balance had no room for it any more.',
    CONVERSION_REJECTED: 'The advertiser rejected the conversion.',
    CONVERSION_UNDECIDED:
      'Checks doubted the conversion, and its advertiser did not approve it in time.',
    INVALID_TRAFFIC:
      'Found to be invalid after it was billed. The advertisers have their money back.',
    BILLING_ERROR: 'Billed by mistake. The advertisers have their money back.',
  },
  zh: {
    TRACK_INVALID: '上报内容系伪造或被篡改，不属于任何广告。',
    TRACK_EXPIRED: '上报过晚：展示须在请求后 1 小时内，点击须在 1 天内。',
    SIG_MISSING: '页面以签名方式请求广告，上报时却没有签名。',
    SIG_BAD: '签名与上报内容不符：内容被改动，或签名来自别处。',
    SESSION_EXPIRED: '页面上报所用的签名密钥已失效，或属于另一次请求。',
    CLOCK_SKEW: '上报的时间偏差超过五分钟。',
    REPLAY: '该上报此前已收到，重复发送不再计入。',
    EMPTY_UA: '请求没有说明浏览器。',
    BOT_UA: '浏览器自称为机器人或工具，例如爬虫。',
    PREFETCH: '浏览器提前加载了页面，没有人看到。',
    DATACENTER_IP: '地址属于托管服务商：多为服务器、爬虫和部分 VPN，极少是家庭访客。',
    INVALID_PLACEMENT: '广告展示时没有尺寸，或只有一个像素。',
    WEBDRIVER: '浏览器表明自己由程序控制。',
    UA_MISMATCH: '请求广告的浏览器与上报的浏览器不同。',
    FP_MISMATCH: '请求广告的设备与上报的设备不同。',
    TARGETING_MISMATCH: '来自广告定向之外的国家、设备或系统。',
    CLICK_BEFORE_IMPRESSION: '点击了从未展示的广告。',
    TOO_FAST: '展示后十分之一秒内的点击，或未到时长就结束的视频。',
    RATE_LIMIT: '同一地址一分钟内的事件多于真人所能产生。',
    DUPLICATE_IMPRESSION: '同一访客短时间内再次看到同一广告，只计一次。',
    DUPLICATE_CLICK: '同一访客短时间内再次点击同一广告，只计一次。',
    BUDGET_EXCEEDED: '广告计划的预算已没有余量。',
    BALANCE_EXHAUSTED: '广告主的余额已没有余量。',
    CONVERSION_REJECTED: '广告主拒绝了该转化。',
    CONVERSION_UNDECIDED: '检查对该转化存疑，广告主未在期限内通过。',
    INVALID_TRAFFIC: '计费后被认定无效，款项已退还广告主。',
    BILLING_ERROR: '误计费，款项已退还广告主。',
  },
}) satisfies Texts<Readonly<Record<Reason, string>>>;
