import { parseUrl } from '../url.ts';

/**
 * Everything that people typed is escaped for the place it is written into: text and attributes,
 * URLs in attributes, JSON inside a script.
 */
const HTML: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

/** For text and for quoted attribute values. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'`]/g, (character) => HTML[character] ?? '');

/** An http(s) address for an attribute; anything else, such as `javascript:`, becomes empty. */
export function escapeUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || parseUrl(url) === null) return '';
  return escapeHtml(url);
}

/** JSON that cannot end the script it stands in, nor break an old parser's line. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
