import { texts } from '../parts/texts.ts';

/** Asked before what cannot be undone. */
export const confirmation = texts({
  en: {
    typeIt: (name: string) => `Type “${name}” to go on`,
  },
  zh: {
    typeIt: (name) => `输入“${name}”以继续`,
  },
});
