import fc from 'fast-check';
import {
  adDelivery,
  adGroupDelivery,
  type AdGroupFacts,
  campaignDelivery,
  type CampaignFacts,
  creativeDelivery,
  deliveryMoment,
  type RevisedFacts,
} from '../../../domain/lifecycle/delivery.ts';

const reserve = { cpcNanos: 0n, cpmNanos: 0n };
const moment = { day: '2030-06-15', hour: 10, weekday: 6, reserve };
const account = { suspended: false, availableNanos: 1n };
const ads = { hasAds: true, hasServableAd: true, hasFittingAd: true, hasOwnBids: false };
const open = { startDate: null, endDate: null, targetHours: null, weekdays: null };
const unlimited = { capNanos: null, spentNanos: 5n };
const live = { status: 'ACTIVE', auditStatus: 'APPROVED' } as const;
const campaign: CampaignFacts = {
  ...live,
  ...open,
  bidNanos: 1n,
  pricingModel: 'CPM',
  bidAdjustments: null,
  daily: unlimited,
  total: unlimited,
};
const adGroup: AdGroupFacts = {
  ...live,
  ...open,
  bidNanos: null,
  bidAdjustments: null,
  daily: unlimited,
};
const creative: RevisedFacts = { ...live, hasApprovedRevision: true };

const ofCampaign = (change: Partial<CampaignFacts>) =>
  campaignDelivery({ isTaken: true, account, campaign: { ...campaign, ...change }, ads, moment });

describe('delivery of a campaign · one fact changed', () => {
  test.each<[string, Partial<CampaignFacts>, string, string[]]>([
    ['nothing', {}, 'ELIGIBLE', []],
    ['paused', { status: 'PAUSED' }, 'PAUSED', ['CAMPAIGN_PAUSED']],
    ['archived', { status: 'ARCHIVED' }, 'ENDED', ['CAMPAIGN_ARCHIVED']],
    ['in review', { auditStatus: 'PENDING' }, 'PENDING', ['CAMPAIGN_PENDING']],
    ['a draft', { auditStatus: 'DRAFT' }, 'NOT_ELIGIBLE', ['CAMPAIGN_DRAFT']],
    ['rejected', { auditStatus: 'REJECTED' }, 'NOT_ELIGIBLE', ['CAMPAIGN_REJECTED']],
    ['starts tomorrow', { startDate: '2030-06-16' }, 'PENDING', ['CAMPAIGN_NOT_STARTED']],
    ['starts today', { startDate: '2030-06-15' }, 'ELIGIBLE', []],
    ['ends today', { endDate: '2030-06-15' }, 'ELIGIBLE', []],
    ['ended yesterday', { endDate: '2030-06-14' }, 'ENDED', ['CAMPAIGN_ENDED']],
    ['another hour', { targetHours: [9, 11] }, 'LIMITED', ['OUTSIDE_SCHEDULE']],
    ['another weekday', { weekdays: [1, 7] }, 'LIMITED', ['OUTSIDE_SCHEDULE']],
    ['this hour and weekday', { targetHours: [10], weekdays: [6] }, 'ELIGIBLE', []],
    ['a bid of 0', { bidNanos: 0n }, 'NOT_ELIGIBLE', ['BID_ZERO']],
    [
      'daily budget reached',
      { daily: { capNanos: 5n, spentNanos: 5n } },
      'LIMITED',
      ['BUDGET_EXHAUSTED_DAILY'],
    ],
    [
      'daily budget lowered below spent',
      { daily: { capNanos: 1n, spentNanos: 5n } },
      'LIMITED',
      ['BUDGET_EXHAUSTED_DAILY'],
    ],
    ['daily budget left', { daily: { capNanos: 6n, spentNanos: 5n } }, 'ELIGIBLE', []],
    [
      'total budget reached',
      { total: { capNanos: 5n, spentNanos: 5n } },
      'NOT_ELIGIBLE',
      ['BUDGET_EXHAUSTED_TOTAL'],
    ],
    [
      'a budget of 0',
      { total: { capNanos: 0n, spentNanos: 0n } },
      'NOT_ELIGIBLE',
      ['BUDGET_EXHAUSTED_TOTAL'],
    ],
  ])('%s · gives status and reason', (_name, change, status, reasons) => {
    expect(ofCampaign(change)).toEqual({ status, reasons });
  });

  test('no money, or a suspended account · is NOT_ELIGIBLE', () => {
    const broke = { suspended: true, availableNanos: 0n };
    expect(campaignDelivery({ isTaken: true, account: broke, campaign, ads, moment })).toEqual({
      status: 'NOT_ELIGIBLE',
      reasons: ['ACCOUNT_SUSPENDED', 'BALANCE_INSUFFICIENT'],
    });
  });

  test('no ads, or none that can be shown · says which', () => {
    const none = { ...ads, hasAds: false, hasServableAd: false, hasFittingAd: false };
    expect(
      campaignDelivery({ isTaken: true, account, campaign, ads: none, moment }).reasons,
    ).toEqual(['NO_ADS']);
    const hidden = { ...ads, hasServableAd: false, hasFittingAd: false };
    expect(
      campaignDelivery({ isTaken: true, account, campaign, ads: hidden, moment }).reasons,
    ).toEqual(['NO_APPROVED_CREATIVE']);
  });

  test('several reasons · are all named, the strongest decides', () => {
    expect(
      ofCampaign({ status: 'PAUSED', auditStatus: 'PENDING', endDate: '2030-01-01', bidNanos: 0n }),
    ).toEqual({
      status: 'ENDED',
      reasons: ['CAMPAIGN_PAUSED', 'CAMPAIGN_PENDING', 'CAMPAIGN_ENDED', 'BID_ZERO'],
    });
  });
});

describe('delivery below a campaign', () => {
  test('an ad group · carries the reasons of its campaign and its own', () => {
    const facts = {
      isTaken: true,
      account,
      campaign: { ...campaign, status: 'PAUSED' as const },
      ads,
      moment,
    };
    const own = { ...adGroup, startDate: '2031-01-01', daily: { capNanos: 1n, spentNanos: 1n } };
    expect(adGroupDelivery({ ...facts, adGroup: own })).toEqual({
      status: 'PAUSED',
      reasons: ['CAMPAIGN_PAUSED', 'ADGROUP_NOT_STARTED', 'BUDGET_EXHAUSTED_DAILY'],
    });
  });

  test('a bid of the ad group · replaces the campaign’s', () => {
    const facts = { isTaken: true, account, campaign: { ...campaign, bidNanos: 0n }, ads, moment };
    expect(adGroupDelivery({ ...facts, adGroup }).reasons).toEqual(['BID_ZERO']);
    expect(adGroupDelivery({ ...facts, adGroup: { ...adGroup, bidNanos: 2n } }).status).toBe(
      'ELIGIBLE',
    );
  });

  test('an ad · needs an active creative with an approved revision', () => {
    const facts = {
      isTaken: true,
      account,
      campaign,
      adGroup,
      ad: creative,
      isFitting: true,
      moment,
    };
    expect(adDelivery({ ...facts, creative }).status).toBe('ELIGIBLE');
    const reasons = ['NO_APPROVED_CREATIVE'];
    const paused = { ...creative, status: 'PAUSED' as const };
    expect(adDelivery({ ...facts, creative: paused })).toEqual({ status: 'NOT_ELIGIBLE', reasons });
    const fresh = { ...creative, hasApprovedRevision: false };
    expect(adDelivery({ ...facts, creative: fresh })).toEqual({ status: 'NOT_ELIGIBLE', reasons });
    const newer = { ...creative, auditStatus: 'PENDING' as const };
    expect(adDelivery({ ...facts, creative: newer }).status).toBe('ELIGIBLE');
  });

  test('an ad · serves its approved words while newer ones wait', () => {
    const facts = { isTaken: true, account, campaign, adGroup, creative, isFitting: true, moment };
    const newer = { ...creative, auditStatus: 'PENDING' as const };
    expect(adDelivery({ ...facts, ad: newer })).toEqual({
      status: 'ELIGIBLE',
      reasons: ['REVISION_PENDING'],
    });
    expect(adDelivery({ ...facts, ad: { ...newer, hasApprovedRevision: false } })).toEqual({
      status: 'PENDING',
      reasons: ['AD_PENDING'],
    });
  });
});

test('an ad whose size no open zone has · says so, and so does what has no other', () => {
  const reasons = ['NO_ZONE_OF_ITS_SIZE'];
  const facts = { isTaken: true, account, campaign, adGroup, ad: creative, creative, moment };
  expect(adDelivery({ ...facts, isFitting: false })).toEqual({ status: 'NOT_ELIGIBLE', reasons });
  // What is not approved yet may still change its size.
  const fresh = { ...creative, hasApprovedRevision: false };
  expect(adDelivery({ ...facts, creative: fresh, isFitting: false }).reasons).toEqual([
    'NO_APPROVED_CREATIVE',
  ]);
  const odd = { ...ads, hasFittingAd: false };
  expect(campaignDelivery({ isTaken: true, account, campaign, ads: odd, moment }).reasons).toEqual(
    reasons,
  );
  expect(
    adGroupDelivery({ isTaken: true, account, campaign, adGroup, ads: odd, moment }).reasons,
  ).toEqual(reasons);
});

describe('delivery of a creative', () => {
  test.each<[RevisedFacts, string, string[]]>([
    [creative, 'ELIGIBLE', []],
    [{ ...creative, auditStatus: 'PENDING' }, 'ELIGIBLE', ['REVISION_PENDING']],
    [{ ...creative, auditStatus: 'REJECTED' }, 'ELIGIBLE', ['REVISION_REJECTED']],
    [
      { ...creative, hasApprovedRevision: false, auditStatus: 'PENDING' },
      'PENDING',
      ['CREATIVE_PENDING'],
    ],
    [
      { ...creative, hasApprovedRevision: false, auditStatus: 'REJECTED' },
      'NOT_ELIGIBLE',
      ['CREATIVE_REJECTED'],
    ],
    [{ ...creative, status: 'PAUSED' }, 'PAUSED', ['CREATIVE_PAUSED']],
  ])('%j · gives status and reasons', (facts, status, reasons) => {
    expect(creativeDelivery(facts)).toEqual({ status, reasons });
  });
});

describe('the moment of delivery', () => {
  test.each([
    ['2030-06-16T23:59:59Z', { day: '2030-06-16', hour: 23, weekday: 7 }],
    ['2030-06-17T00:00:00Z', { day: '2030-06-17', hour: 0, weekday: 1 }],
  ])('%s · is read in UTC with ISO weekdays', (now, expected) => {
    expect(deliveryMoment(new Date(now), reserve)).toEqual({ ...expected, reserve });
  });
});

test('a campaign that no zone can take · says so with all below it, and waits for somebody', () => {
  const waiting = { status: 'NOT_ELIGIBLE', reasons: ['NO_ZONE_TAKES_IT'] };
  const facts = { isTaken: false, account, campaign, ads, moment };
  expect(campaignDelivery(facts)).toEqual(waiting);
  expect(adGroupDelivery({ ...facts, adGroup })).toEqual(waiting);
  expect(adDelivery({ ...facts, adGroup, ad: creative, creative, isFitting: true })).toEqual(
    waiting,
  );
});

test('delivery · any facts · is ELIGIBLE exactly when no reason stands against it', () => {
  const state = fc.record({
    status: fc.constantFrom('ACTIVE' as const, 'PAUSED' as const, 'ARCHIVED' as const),
    auditStatus: fc.constantFrom(
      'DRAFT' as const,
      'PENDING' as const,
      'APPROVED' as const,
      'REJECTED' as const,
    ),
    bidNanos: fc.bigInt({ min: 0n, max: 2n }),
  });
  fc.assert(
    fc.property(state, fc.boolean(), fc.boolean(), (change, suspended, isTaken) => {
      const facts = {
        isTaken,
        account: { ...account, suspended },
        campaign: { ...campaign, ...change },
        ads,
        moment,
      };
      const { status, reasons } = campaignDelivery(facts);
      expect(status === 'ELIGIBLE').toBe(reasons.length === 0);
      expect(new Set(reasons).size).toBe(reasons.length);
    }),
  );
});

describe('what one event costs · and is not there', () => {
  const click = { pricingModel: 'CPC' as const, bidNanos: 10n };
  const rich = { suspended: false, availableNanos: 1_000n };
  const of = (change: Partial<CampaignFacts>, availableNanos = 1_000n, hasOwnBids = false) =>
    campaignDelivery({
      isTaken: true,
      account: { ...rich, availableNanos },
      campaign: { ...campaign, ...click, ...change },
      ads: { ...ads, hasOwnBids },
      moment,
    });
  const budget = (capNanos: bigint, spentNanos: bigint) => ({ capNanos, spentNanos });

  test.each<[string, Partial<CampaignFacts>, bigint, string, string[]]>([
    ['a balance of just one click', {}, 10n, 'ELIGIBLE', []],
    ['a balance of a nano less', {}, 9n, 'NOT_ELIGIBLE', ['BALANCE_INSUFFICIENT']],
    ['a thousand views of as much', { pricingModel: 'CPM' }, 9n, 'ELIGIBLE', []],
    ['a rest of one click', { daily: budget(25n, 15n) }, 1_000n, 'ELIGIBLE', []],
    ['a rest of less', { daily: budget(25n, 16n) }, 1_000n, 'LIMITED', ['BUDGET_EXHAUSTED_DAILY']],
    [
      'a rest of less in all',
      { total: budget(25n, 16n) },
      1_000n,
      'NOT_ELIGIBLE',
      ['BUDGET_EXHAUSTED_TOTAL'],
    ],
    [
      'a day below a click',
      { daily: budget(9n, 0n) },
      1_000n,
      'NOT_ELIGIBLE',
      ['BUDGET_BELOW_BID'],
    ],
    [
      'a day and all of it below',
      { daily: budget(9n, 0n), total: budget(8n, 0n) },
      1_000n,
      'NOT_ELIGIBLE',
      ['BUDGET_BELOW_BID'],
    ],
    // Some viewer may cost as little as that, so it is not said that none does.
    [
      'less for some viewers',
      { bidAdjustments: { geo: { DE: -50, FR: 20 }, os: { IOS: -40 } } },
      1n,
      'ELIGIBLE',
      [],
    ],
    [
      'more for some',
      { bidAdjustments: { geo: { FR: 20 } } },
      9n,
      'NOT_ELIGIBLE',
      ['BALANCE_INSUFFICIENT'],
    ],
  ])('%s · %j', (_name, change, available, status, reasons) => {
    expect(of(change, available)).toEqual({ status, reasons });
  });

  test('an ad group that bids for itself · says so of itself, and its campaign does not', () => {
    expect(of({ daily: budget(9n, 0n) }, 9n, true).reasons).toEqual([]);
    const facts = {
      isTaken: true,
      account: rich,
      campaign: { ...campaign, ...click },
      ads,
      moment,
    };
    const dear = { ...adGroup, bidNanos: 2_000n };
    expect(adGroupDelivery({ ...facts, adGroup: dear }).reasons).toEqual(['BALANCE_INSUFFICIENT']);
    const small = { ...adGroup, daily: budget(9n, 0n) };
    expect(adGroupDelivery({ ...facts, adGroup: small }).reasons).toEqual(['BUDGET_BELOW_BID']);
    const cheap = { ...small, bidNanos: 9n };
    expect(adGroupDelivery({ ...facts, adGroup: cheap }).reasons).toEqual([]);
    const one = { ...facts, adGroup: small, ad: creative, creative, isFitting: true };
    expect(adDelivery(one).reasons).toEqual(['BUDGET_BELOW_BID']);
  });
});

describe('the least that the platform asks', () => {
  const asking = { ...moment, reserve: { cpcNanos: 10n, cpmNanos: 100n } };
  const facts = {
    isTaken: true,
    account: { ...account, availableNanos: 9_999n },
    campaign,
    ads,
    moment: asking,
  };
  const reasonsOf = (change: Partial<CampaignFacts>) =>
    campaignDelivery({ ...facts, campaign: { ...campaign, ...change } }).reasons;

  test.each<[string, Partial<CampaignFacts>, string[]]>([
    ['CPM below it', { bidNanos: 99n }, ['BID_BELOW_FLOOR']],
    ['CPM at it', { bidNanos: 100n }, []],
    ['CPC below it', { pricingModel: 'CPC', bidNanos: 9n }, ['BID_BELOW_FLOOR']],
    ['CPC at it', { pricingModel: 'CPC', bidNanos: 10n }, []],
    ['CPA, whose yield is not known', { pricingModel: 'CPA', bidNanos: 1n }, []],
    ['0, which is worse', { bidNanos: 0n }, ['BID_ZERO']],
    [
      'below it, and some viewers bring it there',
      { bidNanos: 50n, bidAdjustments: { geo: { DE: 100 } } },
      [],
    ],
    [
      'below it, whoever sees it',
      { bidNanos: 50n, bidAdjustments: { geo: { DE: 99 }, device: { MOBILE: -50 } } },
      ['BID_BELOW_FLOOR'],
    ],
  ])('a bid of %s · read', (_name, change, reasons) => {
    expect(reasonsOf(change)).toEqual(reasons);
  });

  test('an ad group that bids for itself · read · it says so, and its campaign does not', () => {
    const low = {
      ...facts,
      campaign: { ...campaign, bidNanos: 500n },
      adGroup: { ...adGroup, bidNanos: 5n },
    };
    const ownBids = { ...ads, hasOwnBids: true };
    expect(adGroupDelivery(low).reasons).toEqual(['BID_BELOW_FLOOR']);
    expect(adDelivery({ ...low, ad: creative, creative, isFitting: true }).reasons).toEqual([
      'BID_BELOW_FLOOR',
    ]);
    expect(
      campaignDelivery({ ...low, campaign: { ...campaign, bidNanos: 5n }, ads: ownBids }).reasons,
    ).toEqual([]);
  });
});
