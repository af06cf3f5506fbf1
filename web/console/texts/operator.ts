import { texts } from '../parts/texts.ts';

/** The operators' console: its menu and home. */
export const operator = texts({
  en: { home: 'Desk' },
  zh: { home: '工作台' },
});
