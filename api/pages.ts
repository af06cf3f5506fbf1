import { createHash } from 'node:crypto';
import { pageWords } from '../domain/auction/page-targeting.ts';
import type { PageWords } from '../domain/auction/types.ts';
import { type PageContext, type PageTexts, readPageContext } from '../domain/page-context.ts';

/** The page that an ad request comes from. */
export interface AskingPage {
  /** Made of what it said, below 2^48: the seal carries it, and events name the page by it. */
  id: number;
  context: PageContext;
  words: PageWords;
}

const ID_BYTES = 6;
/** Pages ask again and again: what they say is read once, and kept in memory only. */
const PAGES_MAX = 10_000;
/** Who says more than pages say is read each time, so that nobody fills the memory. */
const KEY_CHARS_MAX = 2_000;

/** Null when the page says nothing. */
export type ReadPage = (texts: PageTexts) => AskingPage | null;

/** Two generations: what is not asked for goes when the young one is full. */
export function createPageReader(): ReadPage {
  let young = new Map<string, AskingPage | null>();
  let old = new Map<string, AskingPage | null>();
  return (texts) => {
    const key = Object.values(texts).join('\n');
    const known = young.get(key);
    if (known !== undefined) return known;
    const page = old.get(key) ?? read(texts);
    if (key.length > KEY_CHARS_MAX) return page;
    if (young.size >= PAGES_MAX / 2) {
      old = young;
      young = new Map();
    }
    young.set(key, page);
    return page;
  };
}

function read(texts: PageTexts): AskingPage | null {
  const context = readPageContext(texts);
  if (context === null) return null;
  const id = createHash('sha256').update(JSON.stringify(context)).digest().readUIntBE(0, ID_BYTES);
  return { id: Math.max(1, id), context, words: pageWords(context) };
}
