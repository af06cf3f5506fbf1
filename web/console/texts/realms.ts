import { texts } from '../parts/texts.ts';

/** Whose console it is; apart, because every page says so. */
export const realms = texts({
  en: { advertiser: 'Advertiser', publisher: 'Publisher', admin: 'Operator' },
  zh: { advertiser: '广告主', publisher: '媒体', admin: '运营人员' },
});
