import type { DeliveryReason } from '../../domain/lifecycle/delivery.ts';
import { fixOf, type Ids } from '../../web/console/routes/advertiser/-parts/delivery-fix.ts';

/** A reason's remedy stands at the record that holds its cause, from wherever it is read. */
const CAMPAIGN: Ids = { campaign: 1 };
const GROUP: Ids = { ...CAMPAIGN, adgroup: 2 };
const AD: Ids = { ...GROUP, ad: 3, creative: 4 };
const CREATIVE: Ids = { creative: 4 };

const to = (reason: string, ids: Ids, isOfCampaign?: boolean): string | null => {
  const fix = fixOf(reason, ids, isOfCampaign);
  if (fix === null) return null;
  return fix.kind === 'link' ? fix.to : `${fix.kind} ${fix.level} ${fix.id}`;
};

const PAGES = {
  CAMPAIGN: ['/advertiser/campaigns/1', 'campaign 1'],
  ADGROUP: ['/advertiser/ad-groups/2', 'adgroup 2'],
  AD: ['/advertiser/ads/3', 'ad 3'],
  CREATIVE: ['/advertiser/creatives/4', 'creative 4'],
} as const;
type Level = keyof typeof PAGES;
type Word = Extract<DeliveryReason, `CAMPAIGN_${string}`> extends `CAMPAIGN_${infer W}` ? W : never;
/** A reason that is none of these does not compile. */
const WORDS: Readonly<Record<Word, (page: string, moved: string) => string>> = {
  ARCHIVED: (page) => page,
  ENDED: (page) => `${page}?edit=1`,
  NOT_STARTED: (page) => `${page}?edit=1`,
  PENDING: (page) => page,
  REJECTED: (page) => `${page}?edit=1`,
  SUSPENDED: (page) => page,
  PAUSED: (_page, moved) => `toggle ${moved}`,
  DRAFT: (_page, moved) => `submit ${moved}`,
};
const ofLevels = Object.entries(PAGES).flatMap(([level, [page, moved]]) =>
  Object.entries(WORDS).map(([word, led]) => [`${level}_${word}`, led(page, moved)] as const),
);

const EITHER = [
  'BID_ZERO',
  'BID_BELOW_FLOOR',
  'BUDGET_BELOW_BID',
  'BUDGET_EXHAUSTED_DAILY',
  'OUTSIDE_SCHEDULE',
] as const;
type Plain = Exclude<DeliveryReason, `${Level}_${Word}` | (typeof EITHER)[number]>;

/** Of an ad, an ad group and a campaign; null where a level never has this reason. */
const PLAIN: Readonly<
  Record<Plain, readonly [ad: string | null, group: string | null, campaign: string | null]>
> = {
  ACCOUNT_SUSPENDED: ['/advertiser/profile', '/advertiser/profile', '/advertiser/profile'],
  BALANCE_INSUFFICIENT: ['/advertiser/money', '/advertiser/money', '/advertiser/money'],
  BUDGET_EXHAUSTED_TOTAL: [
    '/advertiser/campaigns/1?edit=1',
    '/advertiser/campaigns/1?edit=1',
    '/advertiser/campaigns/1?edit=1',
  ],
  NO_ADS: [null, '/advertiser/ads/new?adgroup_id=2', '/advertiser/ads/new?campaign_id=1'],
  NO_APPROVED_CREATIVE: [
    '/advertiser/creatives/4',
    '/advertiser/ads?adgroup_id=2',
    '/advertiser/ads?campaign_id=1',
  ],
  NO_ZONE_OF_ITS_SIZE: [
    '/advertiser/creatives/4',
    '/advertiser/ads?adgroup_id=2',
    '/advertiser/ads?campaign_id=1',
  ],
  NO_ZONE_TAKES_IT: [
    '/advertiser/campaigns/1?edit=1',
    '/advertiser/campaigns/1?edit=1',
    '/advertiser/campaigns/1?edit=1',
  ],
  REVISION_PENDING: ['/advertiser/ads/3', null, null],
  REVISION_REJECTED: ['/advertiser/ads/3?edit=1', null, null],
};

test.each(ofLevels)('%s · on an ad, which has all four · leads to that one', (reason, expected) => {
  expect(to(reason, AD)).toBe(expected);
});

test.each(Object.entries(PLAIN))('%s · leads to what holds its cause', (reason, led) => {
  const [ad, group, campaign] = led;
  if (ad !== null) expect(to(reason, AD)).toBe(ad);
  if (group !== null) expect(to(reason, GROUP)).toBe(group);
  if (campaign !== null) expect(to(reason, CAMPAIGN)).toBe(campaign);
});

test.each(EITHER)(
  '%s · leads to the campaign where that says it too, else to the ad group',
  (reason) => {
    for (const ids of [GROUP, AD]) {
      expect(to(reason, ids, true)).toBe('/advertiser/campaigns/1?edit=1');
      expect(to(reason, ids, false)).toBe('/advertiser/ad-groups/2?edit=1');
    }
    expect(to(reason, CAMPAIGN)).toBe('/advertiser/campaigns/1?edit=1');
  },
);

test('a creative’s own newer version · leads to the creative', () => {
  expect(to('REVISION_PENDING', CREATIVE)).toBe('/advertiser/creatives/4');
  expect(to('REVISION_REJECTED', CREATIVE)).toBe('/advertiser/creatives/4?edit=1');
});

test('a reason that is not known yet · has no remedy', () => {
  expect(to('ON_THE_MOON', AD)).toBeNull();
});
