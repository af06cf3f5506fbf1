import type { DisplayType } from '../auction/types.ts';
import { escapeHtml, escapeUrl, scriptJson } from './escape.ts';
import { html5FrameUrl } from './html5.ts';
import { videoScript } from './video-script.ts';

/**
 * The document of one ad (interface 2.11 `html`): an outer document of ours with the impression
 * pixel, the AD badge and the click link. An advertiser's code stands only in an inner sandboxed
 * frame: measured, code put straight into the outer one would run in the publisher's origin.
 */
export interface AdMarkup {
  display: DisplayType;
  title: string | null;
  description: string | null;
  buttonText: string | null;
  brandName: string | null;
  displayUrl: string | null;
  imageUrl: string | null;
  videoUrl: string | null;
  iconUrl: string | null;
  /** The page of an HTML5 creative; then `code` is null. */
  html5Url: string | null;
  /** Advertiser's code of an HTML or RICH_MEDIA creative. */
  code: string | null;
  width: number;
  height: number;
  clickUrl: string;
  pixelUrl: string;
  /** Where the progress of a video is reported, its name at the end; null: by the page around. */
  progressUrl: string | null;
}

/** Never allow-same-origin, allow-forms, allow-modals, allow-downloads. */
export const AD_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

const STYLE = [
  'html,body{margin:0;padding:0;overflow:hidden;background:transparent;font:14px/1.35 system-ui,sans-serif}',
  '.b{position:relative;overflow:hidden;max-width:100%}.b>a{color:inherit;text-decoration:none}',
  '.b img.m,.b video{display:block;width:100%;height:100%;object-fit:contain}',
  '.b iframe{display:block;border:0;width:100%;height:100%}',
  // The controls of a video stay in reach under our link.
  '.c{position:absolute;inset:0;z-index:1}video+.c{bottom:56px}',
  '.t{padding:8px;display:block}.t b,.t span,.t i{display:block}.t i{font-style:normal;opacity:.7}',
  '.t em{display:inline-block;margin-top:4px;padding:4px 10px;border-radius:4px;background:#1558d6;color:#fff;font-style:normal}',
  '.t img{max-width:100%}.t img.k{width:32px;height:32px;float:left;margin-right:8px}',
  '.g{position:absolute;right:0;top:0;z-index:2;padding:0 4px;font:10px/14px sans-serif;color:#fff;background:rgba(0,0,0,.55);pointer-events:none}',
  '.p{position:absolute;width:1px;height:1px;opacity:0;pointer-events:none}',
].join('');

const HEAD = `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer-when-downgrade"><style>${STYLE}</style></head><body>`;

export function adDocument(ad: AdMarkup): string {
  const size = `width:${ad.width}px;height:${ad.height}px`;
  const pixel = `<img class="p" src="${escapeUrl(ad.pixelUrl)}" width="1" height="1" alt="">`;
  return `${HEAD}<div class="b" style="${size}">${bodyOf(ad)}<span class="g">AD</span></div>${pixel}</body></html>`;
}

/** What an iframe shows when there is no ad: nothing, and valid. */
export const EMPTY_DOCUMENT =
  '<!doctype html><html><head><meta charset="utf-8"><title>No ad</title></head><body></body></html>';

/** The inner document of an HTML or RICH_MEDIA creative; `clickTag` and the click macros lead to our click address. */
export function codeDocument(code: string, clickUrl: string): string {
  const tagged = code.replaceAll(CLICK_MACRO, () => clickUrl);
  return `<!doctype html><meta charset="utf-8"><base target="_blank"><style>html,body{margin:0}</style><script>var clickTag=${scriptJson(clickUrl)};</script>${tagged}`;
}

const CLICK_MACRO = /\{click_url\}|\$\{CLICK_URL\}/g;
const OWN_CLICK = /\{click_url\}|\$\{CLICK_URL\}|clickTag/;

function bodyOf(ad: AdMarkup): string {
  switch (ad.display) {
    case 'HTML':
    case 'RICH_MEDIA':
      return ad.html5Url === null ? codeFrame(ad) : html5Frame(ad, ad.html5Url);
    case 'VIDEO':
      return `<video src="${source(ad.videoUrl)}" muted autoplay playsinline controls controlslist="nodownload noplaybackrate"></video>${overlay(ad)}${videoScript(ad.progressUrl)}`;
    case 'NATIVE':
    case 'TEXT':
      return card(ad);
    case 'IMAGE':
      return link(ad, `<img class="m" src="${source(ad.imageUrl)}" alt="${attribute(ad.title)}">`);
  }
}

/** A code that sends its clicks through us keeps them; any other is covered by our link. */
function codeFrame(ad: AdMarkup): string {
  const code = ad.code ?? '';
  const inner = escapeHtml(codeDocument(code, ad.clickUrl));
  const frame = `<iframe sandbox="${AD_SANDBOX}" srcdoc="${inner}" title="Advertisement"></iframe>`;
  return OWN_CLICK.test(code) ? frame : frame + overlay(ad);
}

/** Its clicks open `clickTag`, which an HTML5 creative must have to be taken (interface 2.5). */
const html5Frame = (ad: AdMarkup, url: string): string =>
  `<iframe sandbox="${AD_SANDBOX}" src="${escapeUrl(html5FrameUrl(url, ad.clickUrl))}" title="Advertisement"></iframe>`;

function card(ad: AdMarkup): string {
  const parts = [
    ad.iconUrl === null ? '' : `<img class="k" src="${escapeUrl(ad.iconUrl)}" alt="">`,
    ad.imageUrl === null ? '' : `<img src="${escapeUrl(ad.imageUrl)}" alt="">`,
    element('b', ad.title),
    element('span', ad.description),
    element('i', ad.brandName ?? ad.displayUrl),
    element('em', ad.buttonText),
  ];
  return link(ad, `<span class="t">${parts.join('')}</span>`);
}

const element = (name: string, text: string | null): string =>
  text === null || text === '' ? '' : `<${name}>${escapeHtml(text)}</${name}>`;

const link = (ad: AdMarkup, inner: string): string =>
  `<a href="${escapeUrl(ad.clickUrl)}" target="_blank" rel="noopener sponsored">${inner}</a>`;

const overlay = (ad: AdMarkup): string =>
  `<a class="c" href="${escapeUrl(ad.clickUrl)}" target="_blank" rel="noopener sponsored" aria-label="${escapeHtml(ad.title ?? 'Advertisement')}"></a>`;

const attribute = (text: string | null): string => escapeHtml(text ?? '');
const source = (url: string | null): string => (url === null ? '' : escapeUrl(url));
