import { texts } from '../parts/texts.ts';

/** One of many, looked for by its name. */
export const picking = texts({
  en: {
    nameOrNumber: 'Name or number',
    typeMore: 'Three letters at least, or a number.',
    noneSoCalled: 'Nothing with that name.',
  },
  zh: {
    nameOrNumber: '名称或编号',
    typeMore: '至少输入三个字符，或一个编号。',
    noneSoCalled: '没有这个名称的对象。',
  },
});
