import { plural, texts } from '../parts/texts.ts';

/** What is said while the platform does not answer. */
export const waiting = texts({
  en: {
    read: 'The platform takes longer than usual to answer.',
    write: 'Still sending. Stay on this page until you see what came of it.',
    again: 'Ask again',
    leave: 'What you sent has no answer yet, so it may be done already or not. Leave anyway?',
    sentBefore: (minutes: number) =>
      `You sent this ${plural(minutes, 'minute')} ago, and no answer came. It was not done a second time: this is what came of it. To do it once more, send it once more.`,
  },
  zh: {
    read: '平台的响应比平时慢。',
    write: '仍在发送。请停留在此页，直到看到结果。',
    again: '重新请求',
    leave: '您发送的内容尚无回复，可能已完成，也可能没有。仍要离开吗？',
    sentBefore: (minutes) =>
      `您在 ${minutes} 分钟前已发送过，当时没有收到回复。没有重复执行，这里显示的就是那次的结果。如需再做一次，请再次发送。`,
  },
});
