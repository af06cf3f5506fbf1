import type { AdMarkup } from '../../domain/creative/markup.ts';
import { RESPONSIVE } from '../../domain/auction/formats.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';

/** What belongs to one answer: its addresses and its page's words, as AdMarkup has them. */
export type MarkupSlots = Pick<
  AdMarkup,
  'clickUrl' | 'pixelUrl' | 'progressUrl' | 'words' | 'isServed'
>;

/**
 * What the document of an ad is made of. The zone says how large it is: a creative without a size of its
 * own would have its picture's, which may be any, and a page has room for the zone.
 */
export function markupOf(
  { content, creative }: ServableAd,
  { type, width, height }: Pick<ServableZone, 'type' | 'width' | 'height'>,
  slots: MarkupSlots,
): AdMarkup {
  const drawn = { width: creative.width, height: creative.height };
  return {
    ...content,
    display: creative.display,
    width,
    height,
    isFluid: type === RESPONSIVE,
    drawnFor:
      drawn.width === null || drawn.height === null
        ? null
        : { width: drawn.width, height: drawn.height },
    ...slots,
  };
}
