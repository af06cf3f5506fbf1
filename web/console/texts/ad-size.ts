import { texts } from '../parts/texts.ts';
import { adSizesInChinese } from './ad-size-zh.ts';

/** Usual sizes of banners, which the API names. */
export const adSizes = texts({
  en: { name: (name: string) => name },
  zh: { name: (name) => adSizesInChinese[name] ?? name },
});
