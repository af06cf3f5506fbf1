import type { DisplayType } from './types.ts';

/** What of a candidate decides where it fits. */
export interface Fitting {
  readonly campaign: { readonly adType: string };
  readonly creative: {
    readonly display: DisplayType;
    readonly width: number | null;
    readonly height: number | null;
  };
}

/** What each zone type can show. A zone of another type shows nothing but its own ad_type's images and html. */
const DISPLAYS: Readonly<Record<string, readonly DisplayType[]>> = {
  NATIVE: ['NATIVE', 'IMAGE', 'TEXT'],
  TEXT: ['TEXT', 'NATIVE'],
  VIDEO: ['VIDEO'],
  REWARDED: ['VIDEO'],
};
const BOX_DISPLAYS: readonly DisplayType[] = ['IMAGE', 'HTML', 'RICH_MEDIA', 'TEXT', 'NATIVE'];

/** Zone types whose slot takes a creative of any size: it is scaled, flows, or fills the screen. */
export const SIZE_FREE: ReadonlySet<string> = new Set([
  'NATIVE',
  'TEXT',
  'VIDEO',
  'REWARDED',
  'INTERSTITIAL',
]);

export const RESPONSIVE = 'RESPONSIVE';

export const isSizeFree = (zoneType: string): boolean => SIZE_FREE.has(zoneType);

export const displaysOf = (zoneType: string): readonly DisplayType[] =>
  DISPLAYS[zoneType] ?? BOX_DISPLAYS;

/** Whatever there is to show. */
export const isSoldInto = (adType: string, zoneType: string): boolean =>
  adType === zoneType || adType === RESPONSIVE;

/** A campaign is sold into zones of its own ad_type; RESPONSIVE goes wherever its creative can be shown. */
export function fitsFormat(candidate: Fitting, zoneType: string): boolean {
  if (!isSoldInto(candidate.campaign.adType, zoneType)) return false;
  return displaysOf(zoneType).includes(candidate.creative.display);
}

/** Sizes must be equal; a creative without a size, or of a RESPONSIVE campaign, adapts. */
export function fitsSize(
  candidate: Fitting,
  zone: { type: string; width: number; height: number },
): boolean {
  const { width, height } = candidate.creative;
  if (isSizeFree(zone.type) || isFlexible(candidate)) return true;
  return width === zone.width && height === zone.height;
}

export function isFlexible(candidate: Fitting): boolean {
  const { width, height } = candidate.creative;
  return width === null || height === null || candidate.campaign.adType === RESPONSIVE;
}
