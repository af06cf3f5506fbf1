import { escapeHtml } from './escape.ts';
import { NOT_OF_XML } from '../control-characters.ts';

/** Writing XML, for the VAST builders: text and attributes escaped, addresses in CDATA. */
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** What XML 1.0 cannot hold at all, escaped or not. */
const UNWRITABLE = new RegExp(NOT_OF_XML, 'gu');

const writable = (text: string): string => text.replace(UNWRITABLE, '');

type Attributes = Readonly<Record<string, string | number | null>>;

/** `children` is XML already. An attribute that is null is left out. */
export function element(name: string, attributes: Attributes, ...children: string[]): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${escapeHtml(writable(String(value)))}"`)
    .join('');
  const inner = children.join('');
  return inner === '' ? `<${name}${written}/>` : `<${name}${written}>${inner}</${name}>`;
}

export const text = (name: string, value: string): string =>
  element(name, {}, escapeHtml(writable(value)));

/** Left out when there is nothing to say. */
export const optionalText = (name: string, value: string): string =>
  value === '' ? '' : text(name, value);

/** An address as it is: players look for `[MACROS]` in it, which escaping would hide. */
export const address = (name: string, url: string, attributes: Attributes = {}): string =>
  element(name, attributes, `<![CDATA[${writable(url).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`);
