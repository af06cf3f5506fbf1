import { plural, texts } from '../parts/texts.ts';

/** Of an order that a page before this one had sent. */
export const sentBefore = texts({
  en: {
    said: (minutes: number) =>
      `You sent this ${plural(minutes, 'minute')} ago, and no answer came. It was not done a second time: this is what came of it. To do it once more, send it once more.`,
  },
  zh: {
    said: (minutes) =>
      `您在 ${minutes} 分钟前已发送过，当时没有收到回复。没有重复执行，这里显示的就是那次的结果。如需再做一次，请再次发送。`,
  },
});
