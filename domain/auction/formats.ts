import type { Candidate, DisplayType } from './types.ts';

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

/** A campaign is sold into zones of its own ad_type; RESPONSIVE goes wherever its creative can be shown. */
export function fitsFormat(candidate: Candidate, zoneType: string): boolean {
  const { adType } = candidate.campaign;
  if (adType !== zoneType && adType !== RESPONSIVE) return false;
  return displaysOf(zoneType).includes(candidate.creative.display);
}

/** Sizes must be equal; a creative without a size, or of a RESPONSIVE campaign, adapts. */
export function fitsSize(
  candidate: Candidate,
  zone: { type: string; width: number; height: number },
): boolean {
  const { width, height } = candidate.creative;
  if (isSizeFree(zone.type) || isFlexible(candidate)) return true;
  return width === zone.width && height === zone.height;
}

export function isFlexible(candidate: Candidate): boolean {
  const { width, height } = candidate.creative;
  return width === null || height === null || candidate.campaign.adType === RESPONSIVE;
}
