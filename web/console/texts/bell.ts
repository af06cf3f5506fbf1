import { texts } from '../parts/texts.ts';

/** Of the bell, which every page has: the words of the news themselves come with their own page. */
export const bell = texts({
  en: {
    title: 'Notifications',
    unread: (count: number) => (count === 0 ? 'No news' : `${count} unread`),
  },
  zh: {
    title: '通知',
    unread: (count) => (count === 0 ? '没有新消息' : `${count} 条未读`),
  },
});
