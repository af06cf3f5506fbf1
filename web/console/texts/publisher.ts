import { texts } from '../parts/texts.ts';

/** The publisher's console: its menu and home. */
export const publisher = texts({
  en: { home: 'Home' },
  zh: { home: '首页' },
});
