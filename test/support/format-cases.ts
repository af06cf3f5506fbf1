import { ENGLISH } from '../../domain/creative/ad-words.ts';
import type { AdMarkup } from '../../domain/creative/markup.ts';
import type { DisplayType } from '../../domain/auction/types.ts';

/** Every format in every size of zone, with texts of every kind: what ads may be made of. */
export interface FormatCase {
  name: string;
  display: DisplayType;
  zoneType: string;
  markup: Omit<AdMarkup, 'clickUrl' | 'pixelUrl' | 'progressUrl'>;
  /** Of the picture or film in it, for its shape. */
  media: { width: number; height: number } | null;
}

/** `/pictures/640x480.svg` is a picture of that size. */
const pictureUrl = (base: string, width: number, height: number): string =>
  `${base}/pictures/${width}x${height}.svg`;

type Copy = Pick<
  AdMarkup,
  'title' | 'description' | 'buttonText' | 'brandName' | 'displayUrl' | 'iconUrl'
>;

const LONG_WORD = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
const copy = (fields: Partial<Copy>): Copy => ({
  title: null,
  description: null,
  buttonText: null,
  brandName: null,
  displayUrl: null,
  iconUrl: null,
  ...fields,
});

const COPIES: Readonly<Record<string, Copy>> = {
  usual: copy({
    title: 'Fresh coffee, roasted today',
    description: 'Beans from three farms, sent on the day that they are roasted.',
    buttonText: 'Order now',
    brandName: 'Harbour Coffee',
  }),
  long: copy({
    title: `The complete collection of everything that a reasonable person could want to know before buying a ${LONG_WORD}`,
    description: `${'A description that goes on and on, as advertisers like them. '.repeat(6)}${LONG_WORD}`,
    buttonText: 'Jetzt ein unverbindliches Angebot anfordern',
    brandName: 'The Harbour Coffee Roasting, Trading and Shipping Company of 1887',
  }),
  title: copy({ title: 'Only a title' }),
  nothing: copy({}),
  arabic: copy({
    title: 'قهوة طازجة محمصة اليوم',
    description: 'حبوب من ثلاث مزارع، تُرسل في يوم تحميصها. Harbour Coffee 2026.',
    buttonText: 'اطلب الآن',
    brandName: 'قهوة الميناء',
  }),
  chinese: copy({
    title: '今日新鲜烘焙的咖啡',
    description: '来自三个农场的咖啡豆，烘焙当天发货。订购 Harbour Coffee 立享优惠。',
    buttonText: '立即订购',
    brandName: '海港咖啡',
  }),
};
const SHOWN_WITH: Readonly<Record<DisplayType, readonly string[]>> = {
  NATIVE: Object.keys(COPIES),
  TEXT: Object.keys(COPIES),
  IMAGE: ['usual', 'nothing'],
  VIDEO: ['usual'],
  HTML: ['usual'],
  RICH_MEDIA: ['usual'],
};

export const FORMAT_SIZES = [
  [300, 250],
  [728, 90],
  [320, 50],
  [160, 600],
  [970, 250],
] as const;
export const PAGE_WIDTHS = [375, 1_280] as const;

/** Fills its box from edge to edge: what is cut off is missed. */
const codeOf = (width: number, height: number): string =>
  `<a href="{click_url}" style="display:block;box-sizing:border-box;width:${width}px;height:${height}px;border:6px solid #c5221f;background:#fce8e6;font:12px sans-serif">code ${width}×${height}</a>`;

/** A picture of another shape than the zone, which is what breaks. */
const PHOTO = { width: 640, height: 480 };
const FILM = { width: 160, height: 90 };

/** The cases of one zone; `RESPONSIVE` fills the room that it is given. */
export function formatCases(
  base: string,
  { zoneType, width, height }: { zoneType: string; width: number; height: number },
): FormatCase[] {
  const cases: FormatCase[] = [];
  const add = (display: DisplayType, text: string, own: Partial<FormatCase['markup']>): void => {
    const media = display === 'VIDEO' ? FILM : own.imageUrl === undefined ? null : PHOTO;
    cases.push({
      name: [display, text, own.drawnFor ? 'sized' : '', own.iconUrl === undefined ? '' : 'icon']
        .filter((word) => word !== '')
        .join(' '),
      display,
      zoneType,
      media,
      markup: {
        ...(COPIES[text] ?? copy({})),
        words: ENGLISH,
        isServed: true,
        display,
        imageUrl: null,
        videoUrl: null,
        html5Url: null,
        code: null,
        width,
        height,
        isFluid: zoneType === 'RESPONSIVE',
        drawnFor: null,
        ...own,
      },
    });
  };
  const imageUrl = pictureUrl(base, PHOTO.width, PHOTO.height);
  for (const text of SHOWN_WITH.NATIVE) add('NATIVE', text, { imageUrl });
  add('NATIVE', 'usual', { iconUrl: pictureUrl(base, 64, 64) });
  for (const text of SHOWN_WITH.TEXT) add('TEXT', text, {});
  for (const text of SHOWN_WITH.IMAGE) add('IMAGE', text, { imageUrl });
  add('VIDEO', 'usual', { videoUrl: `${base}/film.webm` });
  const code = codeOf(width, height);
  add('HTML', 'usual', { code, drawnFor: { width, height } });
  // Sold into a zone of another size, as a RESPONSIVE campaign's is.
  add('RICH_MEDIA', 'usual', { code: codeOf(300, 600), drawnFor: { width: 300, height: 600 } });
  return cases;
}
