import { texts } from '../parts/texts.ts';

/** What stands for another thing in a change: the picture is beside it, the number tells two apart. */
export const diffTexts = texts({
  en: { numbered: (id: number) => `No. ${id}` },
  zh: { numbered: (id) => `编号 ${id}` },
});
