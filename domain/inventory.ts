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
const DISPLAY_OF: Readonly<Record<CreativeType, readonly DisplayType[]>> = {
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

/** Each undefined as it is stored; a bid of null falls back to the price. Undefined without either. */
export function campaignBid(
  patch: { bidNanos?: Nanos | null | undefined; priceNanos?: Nanos | null | undefined },
  stored?: CampaignBid,
): CampaignBid | undefined {
  const priceNanos =
    patch.priceNanos === undefined ? (stored?.priceNanos ?? null) : patch.priceNanos;
  const storedBid = stored === undefined || stored.bidFollowsPrice ? null : stored.bidNanos;
  const ownNanos = patch.bidNanos === undefined ? storedBid : patch.bidNanos;
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

/** What a creative shows, as far as the rule "exactly one source per type" looks at it. */
export interface CreativeSources {
  imageMediaId: number | null;
  imageMediaId2: number | null;
  videoMediaId: number | null;
  html5MediaId: number | null;
  htmlCode: string | null;
  vastXml: string | null;
  vastUrl: string | null;
}

interface SourceRule {
  /** Exactly one of these is given; none for `text`, whose copy comes from the ad. */
  oneOf: readonly (keyof CreativeSources)[];
  /** May be given beside it. */
  optional: readonly (keyof CreativeSources)[];
}

const SOURCES: Readonly<Record<CreativeType, SourceRule>> = {
  image: { oneOf: ['imageMediaId'], optional: ['imageMediaId2'] },
  native: { oneOf: ['imageMediaId'], optional: ['imageMediaId2'] },
  text: { oneOf: [], optional: [] },
  html: { oneOf: ['htmlCode'], optional: [] },
  html5: { oneOf: ['html5MediaId'], optional: ['imageMediaId'] },
  rich_media: { oneOf: ['htmlCode'], optional: ['imageMediaId', 'imageMediaId2'] },
  video: { oneOf: ['videoMediaId'], optional: ['imageMediaId'] },
  vast: { oneOf: ['vastXml', 'vastUrl'], optional: [] },
};

const WIRE: Readonly<Record<keyof CreativeSources, string>> = {
  imageMediaId: 'image_media_id',
  imageMediaId2: 'image_media_id_2',
  videoMediaId: 'video_media_id',
  html5MediaId: 'html5_media_id',
  htmlCode: 'html_code',
  vastXml: 'vast_xml',
  vastUrl: 'vast_url',
};
const SOURCE_KEYS = Object.keys(WIRE) as (keyof CreativeSources)[];

/**
 * No source but its type's, never two, and a display type that it can fill (interface 2.5). That it
 * has one is asked when somebody is to look at it (missingSource).
 */
export function creativeFaults(
  creativeType: CreativeType,
  displayType: DisplayType,
  sources: CreativeSources,
): FieldError[] {
  const rule = SOURCES[creativeType];
  const given = SOURCE_KEYS.filter((key) => sources[key] !== null);
  const main = rule.oneOf.filter((key) => sources[key] !== null);
  const faults = given
    .filter((key) => !rule.oneOf.includes(key) && !rule.optional.includes(key))
    .map((key) => fault(WIRE[key], 'source_not_allowed', `Not a source of type ${creativeType}.`));
  if (main.length > 1) {
    const [, ...rest] = rule.oneOf;
    faults.push(
      ...rest.map((key) => fault(WIRE[key], 'source_not_allowed', 'Exactly one source.')),
    );
  }
  if (!DISPLAY_OF[creativeType].includes(displayType)) {
    const allowed = DISPLAY_OF[creativeType].join(', ');
    faults.push(fault('type', 'one_of', `Type ${creativeType} is shown as ${allowed}.`));
  }
  return faults;
}

/** What a creative still needs before it can be shown: without it, it is a draft (interface 2.5). */
export function missingSource(creativeType: CreativeType, sources: CreativeSources): FieldError[] {
  const { oneOf } = SOURCES[creativeType];
  const [first] = oneOf;
  if (first === undefined || oneOf.some((key) => sources[key] !== null)) return [];
  return [fault(WIRE[first], 'required', `Type ${creativeType} needs it before it is submitted.`)];
}
