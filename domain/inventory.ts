import type { FieldError } from './errors.ts';
import type { Nanos } from './money.ts';

/** The closed word lists of what advertisers buy (interface 2.3, 2.5). */
export const AD_TYPES = [
  'BANNER',
  'NATIVE',
  'VIDEO',
  'POPUP',
  'REWARDED',
  'RESPONSIVE',
  'TEXT',
  'FLOAT',
  'INTERSTITIAL',
  'COUPLET',
  'EXIT_INTENT',
] as const;
export const PRICING_MODELS = ['CPC', 'CPM', 'CPA', 'CPV', 'CPS'] as const;
export const ROTATION_MODES = ['EVEN', 'ASAP'] as const;
export const FREQUENCY_SCOPES = ['campaign', 'adgroup', 'ad'] as const;
export const CREATIVE_TYPES = [
  'image',
  'native',
  'text',
  'html',
  'html5',
  'rich_media',
  'video',
  'vast',
] as const;
export const DISPLAY_TYPES = ['IMAGE', 'NATIVE', 'TEXT', 'HTML', 'RICH_MEDIA', 'VIDEO'] as const;
/** Of the media library: what an asset is, and where it came from. */
export const ASSET_TYPES = ['IMAGE', 'VIDEO', 'HTML5'] as const;
export const ASSET_SOURCES = ['UPLOAD', 'AI'] as const;

export type PricingModel = (typeof PRICING_MODELS)[number];
export type RotationMode = (typeof ROTATION_MODES)[number];
export type CreativeType = (typeof CREATIVE_TYPES)[number];
export type DisplayType = (typeof DISPLAY_TYPES)[number];
export type AssetType = (typeof ASSET_TYPES)[number];
export type AssetSource = (typeof ASSET_SOURCES)[number];

/** How a creative may be shown; the first one is meant when the caller says nothing. */
export const DISPLAY_OF: Readonly<Record<CreativeType, readonly DisplayType[]>> = {
  image: ['IMAGE', 'NATIVE'],
  native: ['NATIVE', 'IMAGE'],
  text: ['TEXT', 'NATIVE'],
  html: ['HTML', 'RICH_MEDIA'],
  html5: ['HTML', 'RICH_MEDIA'],
  rich_media: ['RICH_MEDIA', 'HTML'],
  video: ['VIDEO'],
  vast: ['VIDEO'],
};

export const displayTypeOf = (creativeType: CreativeType): DisplayType =>
  DISPLAY_OF[creativeType][0] ?? 'IMAGE';

const fault = (field: string, code: string, message: string): FieldError => ({
  field,
  code,
  message,
});

export interface CampaignTerms {
  pricingModel: string;
  trackerId: number | null;
}

/** interface 2.3: conversions cannot be billed without the tracker that reports them. */
export function campaignFaults(terms: CampaignTerms): FieldError[] {
  const billsConversions = terms.pricingModel === 'CPA' || terms.pricingModel === 'CPS';
  if (!billsConversions || terms.trackerId !== null) return [];
  return [fault('tracker_id', 'required', 'CPA and CPS need a tracker.')];
}

/** What a campaign bids, and whether that is its own bid or its price (interface 2.3). */
export interface CampaignBid {
  bidNanos: Nanos;
  priceNanos: Nanos | null;
  bidFollowsPrice: boolean;
}

/**
 * Each undefined as it is stored; a bid of null falls back to the price. Undefined without either. A bid that follows the
 * price goes on doing so when both are said and are one: so an undone price is, whose bid went with it.
 */
export function campaignBid(
  patch: { bidNanos?: Nanos | null | undefined; priceNanos?: Nanos | null | undefined },
  stored?: CampaignBid,
): CampaignBid | undefined {
  const priceNanos =
    patch.priceNanos === undefined ? (stored?.priceNanos ?? null) : patch.priceNanos;
  const storedBid = stored === undefined || stored.bidFollowsPrice ? null : stored.bidNanos;
  const isOne =
    stored?.bidFollowsPrice === true &&
    patch.priceNanos !== undefined &&
    patch.bidNanos === patch.priceNanos;
  const ownNanos = patch.bidNanos === undefined || isOne ? storedBid : patch.bidNanos;
  const bidNanos = ownNanos ?? priceNanos;
  return bidNanos === null
    ? undefined
    : { bidNanos, priceNanos, bidFollowsPrice: ownNanos === null };
}

export const BID_REQUIRED = fault('bid', 'required', 'A bid or a price is required.');

/** Days as `YYYY-MM-DD`; null is unlimited. */
export function scheduleFaults(startDate: string | null, endDate: string | null): FieldError[] {
  if (startDate === null || endDate === null || startDate <= endDate) return [];
  return [fault('end_date', 'min', 'The end is before the start.')];
}
