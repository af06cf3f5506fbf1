import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ZoneType } from '../domain/zone-settings.ts';

/** What a page needs to know of a zone to show it. */
export interface ShownZone {
  id: number;
  name: string;
  type: ZoneType;
  zone_key: string;
  width: number;
  height: number;
}

/**
 * What the demo publisher's server answers: a front page with the ads that stand in a text, a page for each
 * type of zone, the file that proves who owns the site, and the advertiser's shop to which a click leads.
 */
export interface DemoTold {
  verification?: string;
  zone_key?: string;
  /** Those that the seed has made so far. */
  zones?: ShownZone[];
}

const FOLDER = path.join(process.cwd(), 'web/demo');
const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const FILES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const SHOP = `<!doctype html><meta charset="utf-8"><title>Harbour Rope</title>
<body style="font:17px/1.6 sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem">
<h1>Harbour Rope</h1><p>The advertiser's landing page: this is where a verified click arrives.</p>`;

export function demoAnswer(
  pathname: string,
  told: DemoTold,
  baseUrl: string,
): { type: string; body: string | Buffer } | undefined {
  if (pathname === '/.well-known/adplatform.txt') {
    return { type: TEXT, body: told.verification ?? '' };
  }
  // Where sales are reported to, and what happens in an account.
  if (pathname === '/sold' || pathname === '/news') return { type: TEXT, body: 'Thank you' };
  if (pathname === '/shop') return { type: HTML, body: SHOP };
  const page = pageValues(pathname, told);
  if (page !== undefined) {
    const values = { ...page.values, BASE_URL: baseUrl, SDK_URL: baseUrl };
    return { type: HTML, body: filled(readFileSync(path.join(FOLDER, page.file), 'utf8'), values) };
  }
  const file = path.join(FOLDER, path.normalize(pathname));
  const type = FILES[path.extname(file)];
  if (type === undefined || !file.startsWith(FOLDER + path.sep) || !existsSync(file))
    return undefined;
  return { type, body: readFileSync(file) };
}

/** What a reader does to see the ad. */
const TYPES: Readonly<Record<ZoneType, { name: string; hint: string }>> = {
  BANNER: { name: 'Banner', hint: 'A picture of one size, where the page has left room for it.' },
  NATIVE: {
    name: 'Native',
    hint: 'A picture with words, drawn to look like the stories around it and marked as an ad.',
  },
  VIDEO: { name: 'Video', hint: 'The film plays without sound once it is in sight.' },
  POPUP: { name: 'Pop-up', hint: 'Wait two seconds: the ad opens over the page.' },
  REWARDED: {
    name: 'Rewarded',
    hint: 'Watch the film for three seconds, and the chapter below is yours.',
  },
  RESPONSIVE: {
    name: 'Responsive',
    hint: 'The ad takes whatever its advertiser has, and fits it in.',
  },
  TEXT: { name: 'Text', hint: 'Words alone, as in the classified columns.' },
  FLOAT: { name: 'Floating', hint: 'Scroll down: the ad stays at the lower edge while you read.' },
  INTERSTITIAL: {
    name: 'Interstitial',
    hint: 'The ad comes before the page and can be closed soon.',
  },
  COUPLET: {
    name: 'Couplet',
    hint: 'Two ads, one on each side of the text, in a window of 1,100 pixels or more.',
  },
  EXIT_INTENT: {
    name: 'Exit intent',
    hint: 'Move the pointer out of the page at its top, as if to close the tab.',
  },
};

export const pathOf = (type: string): string => `/${type.toLowerCase().replaceAll('_', '-')}`;

const slot = (key: string): string => `<div data-adp-zone="${key}"></div>`;

function pageValues(
  pathname: string,
  { zones = [], zone_key = '' }: DemoTold,
): { file: 'index.html' | 'zone.html'; values: Record<string, string> } | undefined {
  const PLACES = links(zones, pathname);
  if (pathname === '/') {
    const named = (name: string): string => {
      const zone = zones.find((each) => each.name === name);
      return zone === undefined ? '' : slot(zone.zone_key);
    };
    const values = {
      PLACES,
      ZONE_KEY: zone_key,
      TOP: named('Above the headlines'),
      STORY: named('Between the stories'),
      FILM: named('In the harbour film'),
      WORDS: named('Classifieds'),
    };
    return { file: 'index.html', values };
  }
  const zone = zones.find(({ type }) => pathOf(type) === pathname);
  if (zone === undefined) return undefined;
  const { name, hint } = TYPES[zone.type];
  const SIZE = `${zone.width} × ${zone.height}`;
  const ZONE = slot(zone.zone_key);
  const values = {
    PLACES,
    TYPE: name,
    HINT: hint,
    SIZE,
    NAME: zone.name,
    ID: String(zone.id),
    ZONE,
  };
  return { file: 'zone.html', values };
}

/** One link a type, in the order of the types. */
function links(zones: readonly ShownZone[], pathname: string): string {
  const has = (type: string): boolean => zones.some((zone) => zone.type === type);
  const all = Object.entries(TYPES).filter(([type]) => has(type));
  if (all.length === 0) return '';
  const each = all.map(([type, { name }]) => {
    const current = pathOf(type) === pathname ? ' aria-current="page"' : '';
    return `<a href="${pathOf(type)}"${current}>${name}</a>`;
  });
  return `<nav aria-label="Kinds of ads">${each.join(' ')}</nav>`;
}

const filled = (html: string, values: Readonly<Record<string, string>>): string =>
  html.replace(/\{\{([A-Z_]+)\}\}/g, (whole, name: string) => values[name] ?? whole);
