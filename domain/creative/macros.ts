import { cached } from '../cached.ts';
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
  fillWithin(landingPlace(template), template, (written) => {
    const name = NAMES.get(written);
    return name === undefined ? undefined : values[name];
  });

/** Landing pages repeat, and making a URL of each twice was a seventh of a click-verify. */
const LANDING_PAGES_MAX = 2_000;
const landingPlace = cached(LANDING_PAGES_MAX, (template) =>
  plainOf(template, (name) => NAMES.has(name)),
);

/**
 * An address with its macros filled in: one pass, values URL-encoded, names in any case, unknown
 * ones (undefined) left as they are, what was filled in is not read again. Null when the result is
 * not http or https, or when a value would move it to another scheme or host, into the user part, or up its path.
 */
export const fillUrl = (
  template: string,
  valueOf: (name: string) => string | undefined,
): string | null =>
  fillWithin(
    plainOf(template, (name) => valueOf(name) !== undefined),
    template,
    valueOf,
  );

/** A template with a letter for each macro, and where that leads: no value may lead elsewhere. */
interface Plain {
  text: string;
  place: string | null;
}

function plainOf(template: string, isKnown: (name: string) => boolean): Plain {
  const text = replaceMacros(template, (name) => (isKnown(name) ? 'x' : undefined));
  return { text, place: placeOf(text) };
}

function fillWithin(
  { text, place }: Plain,
  template: string,
  valueOf: (name: string) => string | undefined,
): string | null {
  const filled = replaceMacros(template, (name) => {
    const value = valueOf(name);
    return value === undefined ? undefined : encodeURIComponent(value);
  });
  if (place === null) return null;
  return filled === text || placeOf(filled) === place ? filled : null;
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
  // A value of dots alone is a step up its path, however it is encoded: fewer parts are left.
  const parts = url.pathname.split('/').length;
  return `${url.protocol}//${url.username}:${url.password}@${url.host} ${parts}`;
}
