import { texts } from '../parts/texts.ts';

/** What a review has said, whatever was reviewed. */
export const reviewed = texts({
  en: {
    title: 'What the reviewers say',
    field: (field: string) => `${field}:`,
    final: 'Asking again does not change it.',
  },
  zh: {
    title: '审核意见',
    field: (field) => `${field}：`,
    final: '重新提交不会改变结果。',
  },
});
