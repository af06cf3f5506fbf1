import { texts } from '../parts/texts.ts';

/** What is said while the platform does not answer. */
export const waiting = texts({
  en: {
    read: 'The platform takes longer than usual to answer.',
    write: 'Still sending. Stay on this page until you see what came of it.',
    again: 'Ask again',
    leave: 'What you sent has no answer yet, so it may be done already or not. Leave anyway?',
  },
  zh: {
    read: '平台的响应比平时慢。',
    write: '仍在发送。请停留在此页，直到看到结果。',
    again: '重新请求',
    leave: '您发送的内容尚无回复，可能已完成，也可能没有。仍要离开吗？',
  },
});
