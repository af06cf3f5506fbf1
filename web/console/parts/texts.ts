import { isolated } from './isolated.ts';
import { type Language, usePreferences } from './preferences.tsx';

/** A text, or one that is made of values: `({ count }) => …`. */
// oxlint-disable-next-line typescript/no-explicit-any -- the one place where any arguments fit
type Text = string | ((...values: any[]) => string);
export interface Tree {
  readonly [key: string]: Text | Tree;
}

/** The same keys, with any words. */
export type Same<T> = {
  readonly [K in keyof T]: T[K] extends string
    ? string
    : T[K] extends (...values: infer V) => string
      ? (...values: V) => string
      : Same<T[K]>;
};

export interface Texts<T> {
  en: T;
  zh: Same<T>;
}

/** Both languages of one noun side by side: a key without its Chinese does not compile. */
export const texts = <const T extends Tree>(both: { en: T; zh: Same<T> }): Texts<T> =>
  isolated(both);

export function useTexts<T>(both: Texts<T>): Same<T> {
  const { language } = usePreferences();
  return textsIn(both, language);
}

const MARKS = {
  en: { colon: ': ', comma: ', ', semicolon: '; ', open: ' (', close: ')', gap: ' ', stop: '.' },
  zh: { colon: '：', comma: '、', semicolon: '；', open: '（', close: '）', gap: '', stop: '。' },
} as const;

/** What stands between a name and what it names, between things of a list, (`gap`) between two sentences, and (`stop`) behind one. */
export const marksIn = (language: Language): (typeof MARKS)[Language] => MARKS[language];
export const useMarks = (): (typeof MARKS)[Language] => marksIn(usePreferences().language);

export const textsIn = <T>(both: Texts<T>, language: Language): Same<T> =>
  language === 'zh' ? both.zh : (both.en as unknown as Same<T>);

/** `plural(3, 'site')` → `3 sites`; for words that take another ending, give it. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** The word of a state, `PENDING` → a text, with the state itself where a new one is not known yet. */
export const wordOf = (words: Tree | Same<Tree>, key: string | null | undefined): string => {
  if (key === null || key === undefined) return '—';
  const word = (words as Record<string, unknown>)[key];
  return typeof word === 'string' ? word : key;
};
