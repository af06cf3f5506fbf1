import { parseUrl } from './url.ts';
import { inOneLine } from './control-characters.ts';

/** What a page says of itself in an ad request (interface 4.13), as it is kept and targeted. */
export interface PageContext {
  /** Lower case; null when no page was named. */
  host: string | null;
  /** Origin and path: what stands behind may name a person. */
  url: string | null;
  title: string | null;
  /** Lower case, each once. */
  keywords: string[];
  categories: string[];
  tags: string[];
  type: string | null;
  /** BCP 47, lower case. */
  lang: string | null;
}

/** As the request has them: page_url (else the Referer) and its siblings. */
export interface PageTexts {
  url: string;
  title: string;
  keywords: string;
  category: string;
  type: string;
  tags: string;
  lang: string;
}

export const NOTHING_SAID: Readonly<PageTexts> = {
  url: '',
  title: '',
  keywords: '',
  category: '',
  type: '',
  tags: '',
  lang: '',
};

const URL_CHARS_MAX = 500;
const TITLE_CHARS_MAX = 200;
/** What a campaign targets is no longer, so nothing longer can be met. */
export const PAGE_WORD_CHARS_MAX = 64;
const WORDS_MAX = 50;

/** Null when the page says nothing that can be kept. */
export function readPageContext(texts: PageTexts): PageContext | null {
  const url = webPage(texts.url);
  const context = {
    host: url === null ? null : url.hostname.replace(/\.$/, ''),
    url: url === null ? null : (url.origin + url.pathname).slice(0, URL_CHARS_MAX),
    title: orNull(readable(texts.title.slice(0, TITLE_CHARS_MAX))),
    keywords: wordsOf(texts.keywords),
    categories: wordsOf(texts.category),
    tags: wordsOf(texts.tags),
    type: wordsOf(texts.type)[0] ?? null,
    lang: languageOf(texts.lang),
  };
  const said = Object.values(context).some((value) => value !== null && value.length > 0);
  return said ? context : null;
}

function webPage(text: string): URL | null {
  const url = parseUrl(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null;
}

/** PostgreSQL holds no NUL, and nothing here is worth a control character or half a pair. */
const readable = (text: string): string =>
  inOneLine(
    text.replace(/[\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu, ' '),
  );

/** Comma-separated, in lower case; what is too long to be a word is none. */
function wordsOf(list: string): string[] {
  const words = readable(list)
    .toLowerCase()
    .split(/[,;，、]/u)
    .map((word) => word.trim())
    .filter((word) => word !== '' && word.length <= PAGE_WORD_CHARS_MAX);
  return [...new Set(words)].slice(0, WORDS_MAX);
}

export const LANGUAGE_TAG = /^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,3}$/;

function languageOf(text: string): string | null {
  const tag = text.trim().toLowerCase().replaceAll('_', '-');
  return LANGUAGE_TAG.test(tag) ? tag : null;
}

const orNull = (text: string): string | null => (text === '' ? null : text);
