import { texts } from '../parts/texts.ts';

/** What forms say, and what is wrong with a field as far as the page can tell. */
export const rules = texts({
  en: {
    showPassword: 'Show or hide the password',
    refused: (count: number) =>
      `Not sent: ${count === 1 ? '1 field is' : `${count} fields are`} not right yet.`,
    faults: 'What is not right yet',
    tooLong: (most: number) => `At most ${most} characters.`,
    tooShort: (least: number) => `At least ${least} characters.`,
    atLeast: (least: number) => `At least ${least}.`,
    atMost: (most: number) => `At most ${most}.`,
    over: (bound: number) => `More than ${bound}.`,
    whole: 'A whole number.',
  },
  zh: {
    showPassword: '显示或隐藏密码',
    refused: (count) => `未提交：有 ${count} 处需要修改。`,
    faults: '需要修改的地方',
    tooLong: (most) => `最多 ${most} 个字符。`,
    tooShort: (least) => `至少 ${least} 个字符。`,
    atLeast: (least) => `不小于 ${least}。`,
    atMost: (most) => `不大于 ${most}。`,
    over: (bound) => `须大于 ${bound}。`,
    whole: '须为整数。',
  },
});
