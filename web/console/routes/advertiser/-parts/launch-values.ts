import type { Ask } from '../../../../client/client.ts';
import type { AD_TYPES, PricingModel } from '../../../../../domain/inventory.ts';
import type { LaunchPlan } from '../../../queries/advertiser/launch.ts';
import { keyOf, nameOf, type Shown, sizeOf } from './shown.ts';
import { askOfTargeting, emptyTargeting, type TargetingValues } from './targeting-values.ts';

export type AdType = (typeof AD_TYPES)[number];

/** The page as it is written; `planOf` makes the requests of it. */
export interface LaunchValues extends TargetingValues {
  /** Each is an ad of its own. */
  creatives: readonly Shown[];
  ad_type: AdType;
  /** Of each zip that does not say its own, by its key. */
  sizes: Readonly<Record<string, string | null>>;
  name: string;
  title: string;
  description: string;
  brand_name: string;
  button_text: string;
  landing_url: string;
  pricing_model: PricingModel;
  bid: number | null;
  daily_budget: number | null;
  total_budget: number | null;
  tracker_id: number | null;
  start_date: string | null;
  end_date: string | null;
}

export const EMPTY: LaunchValues = {
  creatives: [],
  ad_type: 'BANNER',
  sizes: {},
  name: '',
  title: '',
  description: '',
  brand_name: '',
  button_text: '',
  landing_url: '',
  pricing_model: 'CPC',
  bid: null,
  daily_budget: null,
  total_budget: null,
  tracker_id: null,
  start_date: null,
  end_date: null,
  ...emptyTargeting('campaign'),
};

export const showsVideo = (adType: AdType): boolean => adType === 'VIDEO' || adType === 'REWARDED';
export const paysForConversions = (model: PricingModel): boolean =>
  model === 'CPA' || model === 'CPS';

/** What is shown is a film: of a file its content says so. */
export const isVideo = (shown: Shown): boolean =>
  shown.from === 'file' ? shown.asset.type === 'VIDEO' : shown.creative.type === 'VIDEO';

export function planOf(values: LaunchValues, isDraft: boolean): LaunchPlan {
  const { creatives, sizes, title, description, brand_name, button_text, ...rest } = values;
  const { tracker_id, bid, ...terms } = rest;
  const shown = values.ad_type === 'TEXT' ? [] : creatives;
  const words = {
    title: orNull(title),
    description: orNull(description),
    brand_name: orNull(brand_name),
    button_text: orNull(button_text),
  };
  return {
    isDraft,
    campaign: {
      ...askOfTargeting(terms),
      ...(bid === null ? {} : { bid }),
      ...(paysForConversions(values.pricing_model) ? { tracker_id } : {}),
    },
    adgroup: { name: values.name },
    shown:
      shown.length === 0
        ? [
            {
              creative: { name: values.name, creative_type: 'text' },
              ad: { name: values.name, ...words },
            },
          ]
        : namesOf(values.name, shown).map(([each, name]) => ({
            creative:
              each.from === 'library'
                ? { id: each.creative.id }
                : newCreativeOf(values.ad_type, each, sizes[keyOf(each)] ?? null),
            ad: { name, ...words },
          })),
  };
}

const NAME_MAX = 255;

/** Ads of one campaign are told apart by their sizes, those of the same size by a number. */
function namesOf(name: string, shown: readonly Shown[]): (readonly [Shown, string])[] {
  if (shown.length === 1) return shown.map((each) => [each, name] as const);
  const used = new Map<string, number>();
  return shown.map((each) => {
    const alike = (used.get(sizedName(name, each)) ?? 0) + 1;
    used.set(sizedName(name, each), alike);
    return [each, sizedName(name, each, alike)] as const;
  });
}

/** What the ad of one picture among others is called: the campaign, and its size. */
export function sizedName(name: string, shown: Shown, alike = 1): string {
  const { width, height } = sizeOf(shown);
  const own = width === null ? nameOf(shown).slice(0, 100) : `${width}×${height}`;
  const end = ` ${own}${alike === 1 ? '' : ` #${alike}`}`;
  return `${name.slice(0, NAME_MAX - end.length)}${end}`;
}

type NewCreative = NonNullable<Ask<'POST /api/advertiser/creatives'>['body']>;

/** A file as a creative of this kind of ad; `size` is that of a zip which does not say its own. */
export function newCreativeOf(
  adType: AdType,
  shown: Extract<Shown, { from: 'file' }>,
  size: string | null,
): NewCreative {
  const { asset } = shown;
  const called = nameOf(shown);
  if (asset.type === 'VIDEO') {
    return { name: called, creative_type: 'video', video_media_id: asset.id };
  }
  if (asset.type === 'HTML5') {
    const [width = null, height = null] = size?.split('x').map(Number) ?? [];
    return { name: called, creative_type: 'html5', html5_media_id: asset.id, width, height };
  }
  const creativeType = adType === 'NATIVE' ? ('native' as const) : ('image' as const);
  const { width, height } = asset;
  return { name: called, creative_type: creativeType, image_media_id: asset.id, width, height };
}

export const orNull = (text: string): string | null => (text.trim() === '' ? null : text);
