import type { DeliveryReason } from '../../../../../domain/lifecycle/delivery.ts';
import { PAGES } from '../../../queries/advertiser/inventory-pages.ts';

type Level = keyof typeof PAGES;

/** The thing itself and what stands above it, as far as they are known. */
export type Ids = Partial<Record<Level, number>>;

export type Fix =
  | { kind: 'link'; to: string; text: LinkText }
  | { kind: 'toggle' | 'submit'; level: Level; id: number };
type LinkText = 'edit' | 'topUp' | 'addAd' | 'seeAds' | 'seeReview' | 'open' | 'copy' | 'support';

/** What the remedy of each reason does; a new reason without one does not compile. */
const FIXES: Readonly<Record<LevelWord | PlainWord, Exclude<Fix['kind'], 'link'> | LinkText>> = {
  ARCHIVED: 'copy',
  ENDED: 'edit',
  PAUSED: 'toggle',
  PENDING: 'seeReview',
  NOT_STARTED: 'edit',
  DRAFT: 'submit',
  REJECTED: 'edit',
  SUSPENDED: 'seeReview',
  ACCOUNT_SUSPENDED: 'support',
  BALANCE_INSUFFICIENT: 'topUp',
  BID_BELOW_FLOOR: 'edit',
  BID_ZERO: 'edit',
  BUDGET_BELOW_BID: 'edit',
  BUDGET_EXHAUSTED_TOTAL: 'edit',
  BUDGET_EXHAUSTED_DAILY: 'edit',
  NO_ADS: 'addAd',
  NO_APPROVED_CREATIVE: 'seeAds',
  NO_ZONE_OF_ITS_SIZE: 'open',
  NO_ZONE_TAKES_IT: 'edit',
  OUTSIDE_SCHEDULE: 'edit',
  REVISION_PENDING: 'seeReview',
  REVISION_REJECTED: 'edit',
};

type Prefixed = 'CAMPAIGN' | 'ADGROUP' | 'AD' | 'CREATIVE';
type LevelWord =
  Extract<DeliveryReason, `CAMPAIGN_${string}`> extends `CAMPAIGN_${infer Word}` ? Word : never;
type PlainWord = Exclude<DeliveryReason, `${Prefixed}_${LevelWord}`>;

const LEVELS: Readonly<Record<string, Level>> = {
  CAMPAIGN: 'campaign',
  ADGROUP: 'adgroup',
  AD: 'ad',
  CREATIVE: 'creative',
};

const OF_EITHER: readonly string[] = [
  'BID_BELOW_FLOOR',
  'BID_ZERO',
  'BUDGET_BELOW_BID',
  'BUDGET_EXHAUSTED_DAILY',
  'OUTSIDE_SCHEDULE',
] satisfies PlainWord[];

/** Below a campaign, its cause is the campaign's or the ad group's: the campaign says so of itself. */
export const isOfEither = (reason: string, { adgroup }: Ids): boolean =>
  adgroup !== undefined && OF_EITHER.includes(reason);

/**
 * The remedy, done or led to, at the record that holds the cause; null where that is not known.
 * `isOfCampaign`: the campaign says of itself what may be of either.
 */
export function fixOf(reason: string, ids: Ids, isOfCampaign = true): Fix | null {
  const [, prefix = '', word = ''] = /^(CAMPAIGN|ADGROUP|AD|CREATIVE)_(\w+)$/.exec(reason) ?? [];
  const does = (FIXES as Readonly<Record<string, string>>)[prefix === '' ? reason : word];
  if (does === undefined) return null;
  // Which of its ads it is, they say themselves.
  if (reason === 'NO_ZONE_OF_ITS_SIZE' && ids.creative === undefined) return seeAds(ids);
  if (does === 'topUp') return { kind: 'link', to: '/advertiser/money', text: 'topUp' };
  if (does === 'support') return { kind: 'link', to: '/advertiser/profile', text: 'support' };
  if (does === 'addAd') return { kind: 'link', to: newAd(ids), text: 'addAd' };
  if (does === 'seeAds') return seeAds(ids);
  const level = LEVELS[prefix] ?? holderOf(reason, ids, isOfCampaign);
  const id = ids[level];
  if (id === undefined) return null;
  if (does === 'toggle' || does === 'submit') return { kind: does, level, id };
  const address = `${PAGES[level]}/${id}`;
  const to = does === 'edit' ? `${address}?edit=1` : address;
  return { kind: 'link', to, text: does as LinkText };
}

/** Where what a reason without a level names is set. */
function holderOf(reason: string, ids: Ids, isOfCampaign: boolean): Level {
  if (reason === 'NO_ZONE_OF_ITS_SIZE') return 'creative';
  // Of the thing itself; an ad knows its creative too.
  if (reason.startsWith('REVISION_')) return ids.ad === undefined ? 'creative' : 'ad';
  return isOfEither(reason, ids) && !isOfCampaign ? 'adgroup' : 'campaign';
}

function newAd({ adgroup, campaign }: Ids): string {
  if (adgroup !== undefined) return `/advertiser/ads/new?adgroup_id=${adgroup}`;
  return `/advertiser/ads/new${campaign === undefined ? '' : `?campaign_id=${campaign}`}`;
}

/** An ad that shows no approved creative leads to the creative itself. */
function seeAds({ creative, adgroup, campaign }: Ids): Fix {
  if (creative !== undefined) {
    return { kind: 'link', to: `${PAGES.creative}/${creative}`, text: 'seeReview' };
  }
  const above = adgroup === undefined ? `campaign_id=${campaign}` : `adgroup_id=${adgroup}`;
  return { kind: 'link', to: `${PAGES.ad}?${above}`, text: 'seeAds' };
}
