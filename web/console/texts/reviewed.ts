import { texts } from '../parts/texts.ts';

/** What a review has said, whatever was reviewed. */
export const reviewed = texts({
  en: {
    title: 'What the reviewers say',
    field: (field: string) => `${field}:`,
    sentence: (words: string) => `${words}.`,
    final: 'Asking again does not change it.',
    /** Of no person, so not in the catalogue of reasons. */
    codes: {
      CANCELLED_BY_PLATFORM: 'Cancelled by the platform',
      CONFIRMED_FAILED: 'It was not paid',
    },
  },
  zh: {
    title: '审核意见',
    field: (field) => `${field}：`,
    sentence: (words) => `${words}。`,
    final: '重新提交不会改变结果。',
    codes: { CANCELLED_BY_PLATFORM: '已由平台取消', CONFIRMED_FAILED: '款项未支付' },
  },
});
