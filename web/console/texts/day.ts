import { texts } from '../parts/texts.ts';

/** A day above a list. */
export const dayTexts = texts({ en: { any: 'Any day' }, zh: { any: '不限日期' } });
