import type { DeliveryReason } from '../../../../../domain/lifecycle/delivery.ts';
import { type Level, PAGES } from '../../../queries/advertiser/inventory.ts';

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
  BID_ZERO: 'edit',
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
const DEEPEST: readonly Level[] = ['creative', 'ad', 'adgroup', 'campaign'];

/** The remedy, done or led to; null where the page that it needs is not known. */
export function fixOf(reason: string, ids: Ids): Fix | null {
  const [, prefix = '', word = ''] = /^(CAMPAIGN|ADGROUP|AD|CREATIVE)_(\w+)$/.exec(reason) ?? [];
  const isPlain = reason in FIXES || prefix === '';
  const does = (FIXES as Readonly<Record<string, string>>)[isPlain ? reason : word];
  const level = isPlain ? DEEPEST.find((each) => ids[each] !== undefined) : LEVELS[prefix];
  if (does === undefined) return null;
  // Which of its ads it is, they say themselves.
  if (reason === 'NO_ZONE_OF_ITS_SIZE' && ids.creative === undefined) return seeAds('seeAds', ids);
  if (does === 'topUp') return { kind: 'link', to: '/advertiser/money', text: 'topUp' };
  if (does === 'support') return { kind: 'link', to: '/advertiser/profile', text: 'support' };
  if (does === 'addAd') return { kind: 'link', to: newAd(ids), text: 'addAd' };
  const id = level === undefined ? undefined : ids[level];
  if (level === undefined || id === undefined) return seeAds(does, ids);
  if (does === 'toggle' || does === 'submit') return { kind: does, level, id };
  if (does === 'seeAds') return seeAds(does, ids);
  const address = `${PAGES[level]}/${id}`;
  const to = does === 'edit' ? `${address}?edit=1` : address;
  return { kind: 'link', to, text: does as LinkText };
}

function newAd({ adgroup, campaign }: Ids): string {
  if (adgroup !== undefined) return `/advertiser/ads/new?adgroup_id=${adgroup}`;
  return `/advertiser/ads/new${campaign === undefined ? '' : `?campaign_id=${campaign}`}`;
}

/** An ad that shows no approved creative leads to the creative itself. */
function seeAds(does: string, { creative, adgroup, campaign }: Ids): Fix | null {
  if (does !== 'seeAds') return null;
  if (creative !== undefined) {
    return { kind: 'link', to: `${PAGES.creative}/${creative}`, text: 'seeReview' };
  }
  const above = adgroup === undefined ? `campaign_id=${campaign}` : `adgroup_id=${adgroup}`;
  return { kind: 'link', to: `${PAGES.ad}?${above}`, text: 'seeAds' };
}
