import type { Ask } from '../../../../client/client.ts';
import type { AD_TYPES, PricingModel } from '../../../../../domain/inventory.ts';
import type { LaunchPlan } from '../../../queries/advertiser/launch.ts';
import { nameOf, type Shown } from './creative-field.tsx';
import { askOfTargeting, emptyTargeting, type TargetingValues } from './targeting-values.ts';

export type AdType = (typeof AD_TYPES)[number];

/** The page as it is written; `planOf` makes the requests of it. */
export interface LaunchValues extends TargetingValues {
  creative: Shown | null;
  ad_type: AdType;
  size: string | null;
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
  creative: null,
  ad_type: 'BANNER',
  size: null,
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
  const { creative, size, title, description, brand_name, button_text, tracker_id, bid, ...terms } =
    values;
  return {
    isDraft,
    campaign: {
      ...askOfTargeting(terms),
      ...(bid === null ? {} : { bid }),
      ...(paysForConversions(values.pricing_model) ? { tracker_id } : {}),
    },
    adgroup: { name: values.name },
    creative: creativeOf(values, creative, size),
    ad: {
      name: values.name,
      title: orNull(title),
      description: orNull(description),
      brand_name: orNull(brand_name),
      button_text: orNull(button_text),
    },
  };
}

type NewCreative = NonNullable<Ask<'POST /api/advertiser/creatives'>['body']>;

function creativeOf(
  { ad_type: adType, name }: LaunchValues,
  shown: Shown | null,
  size: string | null,
): { id: number } | NewCreative {
  if (adType === 'TEXT' || shown === null) return { name, creative_type: 'text' };
  if (shown.from === 'library') return { id: shown.creative.id };
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
