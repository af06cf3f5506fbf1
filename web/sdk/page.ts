/** The SDK's own script; a page may say more by its attributes. One that runs as a module is not named. */
export const script =
  (document.currentScript as HTMLScriptElement | null) ??
  document.querySelector<HTMLScriptElement>('script[src*="/sdk.js"]');

/** Of each list of words: more would make requests long, and the server hears fifty. */
const WORDS_CHARS_MAX = 500;

/**
 * What the page says of itself, in the words that campaigns target (interface 4.13): on the zone's element,
 * else on the script, else as search engines are told. An attribute that is empty says nothing.
 */
export function pageContext({ dataset }: HTMLElement): Record<string, string> {
  const said = (name: string, otherwise: string): string =>
    cut(dataset[name] ?? script?.dataset[name] ?? otherwise);
  return {
    page_url: location.href.slice(0, 2_048),
    page_title: document.title.slice(0, 200),
    page_keywords: said('adpKeywords', meta('name=keywords')),
    page_category: said('adpCategory', meta('property="article:section"')),
    page_type: said('adpType', meta('property="og:type"')),
    page_tags: said('adpTags', meta('property="article:tag"')),
    page_lang: said('adpLang', document.documentElement.lang),
  };
}

const meta = (attribute: string): string =>
  [...document.querySelectorAll<HTMLMetaElement>(`meta[${attribute} i]`)]
    .map(({ content }) => content)
    .join();

/** Without half a word at its end, which would be another word. */
const cut = (words: string): string =>
  words.length > WORDS_CHARS_MAX
    ? words.slice(0, WORDS_CHARS_MAX).replace(/[,;，、][^,;，、]*$/, '')
    : words;
