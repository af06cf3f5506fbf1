import type { PageContext } from '../page-context.ts';
import type { NoBidReason, PageTargeting, PageWords } from './types.ts';

export const PAGE_DIMENSIONS = ['keywords', 'categories', 'languages'] as const;
export type PageDimension = (typeof PAGE_DIMENSIONS)[number];

export function pageWords(page: PageContext): PageWords {
  const keywords = new Set([...page.keywords, ...page.tags]);
  const title = wordsIn(page.title ?? '');
  const categories = new Set(page.categories);
  const languages = new Set(ancestry(page.lang));
  const inTitle = title.split(' ').map(titleTerm);
  return {
    keywords,
    title: ` ${title} `,
    categories,
    languages,
    terms: { keywords: new Set([...keywords, ...inTitle]), categories, languages },
  };
}

/** What stands for a keyword among the words of a title: no keyword holds a line break. */
const titleTerm = (word: string): string => `\n${word}`;

/** One of these must be among a page's `terms`; null when nothing is asked. */
export function askedTerms(
  targeting: PageTargeting,
  dimension: PageDimension,
): readonly string[] | null {
  const list = targeting[dimension];
  if (list === null || dimension !== 'keywords') return list;
  return list.flatMap((word) => [word, titleTerm(wordsIn(word).split(' ')[0] ?? '')]);
}

const wordsIn = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function ancestry(lang: string | null): string[] {
  if (lang === null) return [];
  const parts = lang.split('-');
  return parts.map((_, at) => parts.slice(0, at + 1).join('-'));
}

/** Null when nothing is asked, so that an auction does not look at the page at all. */
export function compilePageTargeting(
  lists: Record<keyof PageTargeting, readonly unknown[] | null | undefined>,
): PageTargeting | null {
  const keywords = wordList(lists.keywords);
  const categories = wordList(lists.categories);
  const languages = wordList(lists.languages);
  const isOpen = keywords === null && categories === null && languages === null;
  return isOpen ? null : { keywords, categories, languages };
}

function wordList(list: readonly unknown[] | null | undefined): readonly string[] | null {
  if (list === null || list === undefined || list.length === 0) return null;
  return list.filter((word) => typeof word === 'string').map((word) => word.toLowerCase());
}

/** A page that does not say what is asked for is not met. */
export function pageRefusal(
  targeting: PageTargeting | null,
  page: PageWords | null,
): NoBidReason | undefined {
  if (targeting === null) return undefined;
  const { keywords, categories, languages } = targeting;
  const meets = (list: readonly string[] | null, has: (word: string, of: PageWords) => boolean) =>
    list === null || (page !== null && list.some((word) => has(word, page)));
  if (!meets(languages, (word, of) => of.languages.has(word))) return 'TARGET_LANGUAGE';
  if (!meets(categories, (word, of) => of.categories.has(word))) return 'TARGET_CATEGORY';
  return meets(keywords, saysKeyword) ? undefined : 'TARGET_KEYWORD';
}

const saysKeyword = (word: string, page: PageWords): boolean =>
  page.keywords.has(word) || page.title.includes(` ${wordsIn(word)} `);
