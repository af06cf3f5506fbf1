import { parseUrl } from '../url.ts';

/** What a landing page may learn of the click that leads to it (interface 4.14). */
export interface MacroValues {
  bid_id: string;
  click_id: string;
  request_id: string;
  creative_id: string;
  zone_id: string;
  /** Unix seconds */
  timestamp: string;
  random: string;
}

type MacroName = keyof MacroValues;

/** Longest form first. `[NAME]` is the video player's and stays. */
const MACRO = /\$\{(\w+)\}|\{\{(\w+)\}\}|\{(\w+)\}|%7B(\w+?)%7D|__([a-z0-9]+(?:_[a-z0-9]+)*)__/gi;

const NAMES: ReadonlyMap<string, MacroName> = new Map<string, MacroName>([
  ['bid_id', 'bid_id'],
  ['click_id', 'click_id'],
  ['request_id', 'request_id'],
  ['creative_id', 'creative_id'],
  ['zone_id', 'zone_id'],
  ['timestamp', 'timestamp'],
  ['random', 'random'],
  // OpenRTB's names
  ['auction_id', 'request_id'],
  ['auction_bid_id', 'bid_id'],
  ['auction_ad_id', 'creative_id'],
  ['auction_imp_id', 'zone_id'],
]);

/** The landing page with its macros filled in; null as fillUrl has it. */
export const fillLandingUrl = (template: string, values: MacroValues): string | null =>
  fillUrl(template, (written) => {
    const name = NAMES.get(written);
    return name === undefined ? undefined : values[name];
  });

/**
 * An address with its macros filled in: one pass, values URL-encoded, names in any case, unknown
 * ones (undefined) left as they are, what was filled in is not read again. Null when the result is
 * not http or https, or when a value would move it to another scheme or host, or into the user part.
 */
export function fillUrl(
  template: string,
  valueOf: (name: string) => string | undefined,
): string | null {
  const filled = replaceMacros(template, (name) => {
    const value = valueOf(name);
    return value === undefined ? undefined : encodeURIComponent(value);
  });
  const expected = placeOf(
    replaceMacros(template, (name) => (valueOf(name) === undefined ? undefined : 'x')),
  );
  return expected !== null && placeOf(filled) === expected ? filled : null;
}

function replaceMacros(template: string, valueOf: (name: string) => string | undefined): string {
  return template.replace(MACRO, (whole: string, ...groups: (string | undefined)[]) => {
    // Groups are followed by the offset and the whole text, which no name equals.
    const written = groups.slice(0, 5).find((group) => group !== undefined);
    return (written === undefined ? undefined : valueOf(written.toLowerCase())) ?? whole;
  });
}

function placeOf(text: string): string | null {
  const url = parseUrl(text);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  return `${url.protocol}//${url.username}:${url.password}@${url.host}`;
}
