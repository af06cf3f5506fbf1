import { displaysOf } from './auction/formats.ts';
import type { DisplayType } from './auction/types.ts';
import { ENGLISH } from './creative/ad-words.ts';
import { escapeHtml } from './creative/escape.ts';
import { AD_SANDBOX, adDocument, EMPTY_DOCUMENT } from './creative/markup.ts';
import type { ZoneSettings } from './zone-settings.ts';

/**
 * How a zone looks with an ad of ours in it, for its owner: the documents are made by the code that
 * serves, but they hold no pixel, no track_id and no address of an advertiser, so that looking at a
 * preview is no impression and clicking in it is no click.
 */
export interface PreviewedZone {
  name: string;
  type: string;
  width: number;
  height: number;
  settings: ZoneSettings;
}

export const PREVIEW_FILLS = ['house', 'none'] as const;
/** `none` shows what a viewer gets when no advertiser wants the place. */
export type PreviewFill = (typeof PREVIEW_FILLS)[number];

export interface PreviewFrame {
  display: DisplayType;
  /** A whole document, for an iframe's srcdoc. */
  html: string;
}

/** One frame per display that can be sold into a zone of this type; none when nothing is sold. */
export function previewFrames(
  zone: PreviewedZone,
  { fill, homeUrl }: { fill: PreviewFill; homeUrl: string },
): PreviewFrame[] {
  if (fill === 'none') return [];
  return displaysOf(zone.type).map((display) => ({
    display,
    html: houseDocument(zone, display, homeUrl),
  }));
}

/** The page around them: a slot of the zone's size for each frame, or the empty slot. */
export function previewPage(zone: PreviewedZone, frames: readonly PreviewFrame[]): string {
  const slots =
    frames.length === 0
      ? slot(zone, { caption: 'No ad', html: EMPTY_DOCUMENT })
      : frames.map(({ display, html }) => slot(zone, { caption: display, html })).join('');
  const facts = `${zone.type} ${zone.width}×${zone.height}`;
  const settings = Object.keys(zone.settings).length === 0 ? '' : JSON.stringify(zone.settings);
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(zone.name)}</title><style>${PAGE_STYLE}</style></head>`,
    `<body><h1>${escapeHtml(zone.name)}</h1><p>${escapeHtml(facts)}</p>`,
    settings === '' ? '' : `<p><code>${escapeHtml(settings)}</code></p>`,
    `${slots}</body></html>`,
  ].join('');
}

const PAGE_STYLE = [
  'body{margin:24px;font:14px/1.4 system-ui,sans-serif;color:#222;background:#f4f5f7}',
  'h1{font-size:18px;margin:0}figure{margin:16px 0;max-width:100%;overflow:auto}',
  'figcaption{font-size:12px;color:#666;margin-bottom:4px}',
  'iframe{border:0;outline:1px dashed #9aa;background:#fff}',
].join('');

function slot(zone: PreviewedZone, { caption, html }: { caption: string; html: string }): string {
  const size = `width="${zone.width}" height="${zone.height}"`;
  const frame = `<iframe sandbox="${AD_SANDBOX}" srcdoc="${escapeHtml(html)}" ${size} title="Advertisement"></iframe>`;
  return `<figure><figcaption>${escapeHtml(caption)}</figcaption>${frame}</figure>`;
}

/** Pictures are drawn in markup: what is served over http(s) only has no place for inline images. */
function houseDocument(zone: PreviewedZone, display: DisplayType, homeUrl: string): string {
  const isDrawn = display !== 'NATIVE' && display !== 'TEXT';
  return adDocument({
    display: isDrawn ? 'HTML' : display,
    title: 'Your ad here',
    description: 'A house ad: it shows the place and is never billed.',
    buttonText: 'Learn more',
    brandName: 'House ad',
    displayUrl: null,
    imageUrl: null,
    videoUrl: null,
    iconUrl: null,
    code: isDrawn ? drawing(zone, display) : null,
    html5Url: null,
    width: zone.width,
    height: zone.height,
    isFluid: false,
    drawnFor: null,
    words: ENGLISH,
    clickUrl: homeUrl,
    pixelUrl: '',
    isServed: false,
    progressUrl: null,
  });
}

function drawing({ width, height }: PreviewedZone, display: DisplayType): string {
  const middle = `x="50%" text-anchor="middle" font-family="sans-serif" fill="#fff"`;
  const play = `<path d="M${width / 2 - 12} ${height / 2 - 44}l28 16l-28 16z" fill="#fff"/>`;
  const size = Math.max(8, Math.min(20, Math.floor(height / 4)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" role="img" aria-label="House ad">`,
    '<rect width="100%" height="100%" fill="#1558d6"/>',
    display === 'VIDEO' ? play : '',
    `<text ${middle} y="55%" font-size="${size}">${display} ${width}×${height}</text>`,
    '</svg>',
  ].join('');
}
