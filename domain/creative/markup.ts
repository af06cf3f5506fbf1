import type { DisplayType } from '../auction/types.ts';
import type { AdWords } from './ad-words.ts';
import { AD_SCRIPT, ESCAPE_SCRIPT } from './ad-script.ts';
import { CARD_STYLE, MEDIA_STYLE } from './ad-style.ts';
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
  /** The zone's: where the ad stands. */
  width: number;
  height: number;
  /** As wide as the page lets it be: of a zone that fills the room it is given. */
  isFluid: boolean;
  /** What the code or the HTML5 page was drawn for; null adapts itself. */
  drawnFor: { width: number; height: number } | null;
  clickUrl: string;
  /** Empty: nothing is counted, as of a preview or of an ad that is drawn again. */
  pixelUrl: string;
  /** The document comes from our host, under our policy: its script asks for the pixel. Otherwise a page writes it. */
  isServed: boolean;
  /** In the language of the page around. */
  words: Pick<AdWords, 'lang' | 'ad'>;
  /** Where the progress of a video is reported, its name at the end; null: by the page around. */
  progressUrl: string | null;
}

/** Never allow-same-origin, allow-forms, allow-modals, allow-downloads. */
export const AD_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

const headWith = (style: string): string =>
  `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer-when-downgrade"><style>${style}</style></head><body>`;

const MEDIA_HEAD = headWith(MEDIA_STYLE);
const CARD_HEAD = headWith(CARD_STYLE);
const CARD = '<a class="t';

export function adDocument(ad: AdMarkup): string {
  const size = `width:${ad.isFluid ? '100%' : `${ad.width}px`};height:${ad.height}px`;
  const pixelUrl = escapeUrl(ad.pixelUrl);
  const counted =
    pixelUrl === ''
      ? ESCAPE_SCRIPT
      : (ad.isServed ? pixelByScript(pixelUrl) : pixelAt(`src="${pixelUrl}"`)) + AD_SCRIPT;
  const body = bodyOf(ad);
  const head = body.startsWith(CARD) ? CARD_HEAD : MEDIA_HEAD;
  return `<!doctype html><html lang=${ad.words.lang}>${head}<div class="b" style="${size}">${body}<span class="g">AD</span></div>${counted}</body></html>`;
}

const pixelAt = (source: string): string => `<img class="p" ${source} width="1" height="1" alt="">`;

/** An image that is loaded as it stands could not say that the browser is automated; without scripts it is. */
const pixelByScript = (url: string): string =>
  `${pixelAt(`data-src="${url}"`)}<noscript>${pixelAt(`src="${url}"`)}</noscript>`;

/** What an iframe shows when there is no ad: nothing, and valid. */
export const EMPTY_DOCUMENT =
  '<!doctype html><html><head><meta charset="utf-8"><title>No ad</title></head><body></body></html>';

/** The inner document of an HTML or RICH_MEDIA creative; `clickTag` and the click macros lead to our click address. */
export function codeDocument(code: string, clickUrl: string): string {
  const tagged = code.replaceAll(CLICK_MACRO, () => clickUrl);
  return `<!doctype html><meta charset="utf-8"><base target="_blank"><style>html,body{margin:0}</style><script>var clickTag=${scriptJson(clickUrl)};</script>${ESCAPE_SCRIPT}${tagged}`;
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
      return ad.imageUrl === null ? card(ad) : picture(ad, ad.imageUrl);
  }
}

const picture = (ad: AdMarkup, url: string): string =>
  `<a ${linkTo(ad)}><img class="m" src="${escapeUrl(url)}" alt="${escapeHtml(ad.title ?? ad.words.ad)}"></a>`;

/** A code that sends its clicks through us keeps them; any other is covered by our link. */
function codeFrame(ad: AdMarkup): string {
  const code = ad.code ?? '';
  const frame = innerFrame(ad, `srcdoc="${escapeHtml(codeDocument(code, ad.clickUrl))}"`);
  return OWN_CLICK.test(code) ? frame : frame + overlay(ad);
}

/** Its clicks open `clickTag`, which an HTML5 creative must have to be taken (interface 2.5). */
const html5Frame = (ad: AdMarkup, url: string): string =>
  innerFrame(ad, `src="${escapeUrl(html5FrameUrl(url, ad.clickUrl))}"`);

function innerFrame({ drawnFor, words }: AdMarkup, source: string): string {
  const size =
    drawnFor === null
      ? ''
      : ` class="f" style="--w:${drawnFor.width}px;--h:${drawnFor.height}px" width="${drawnFor.width}" height="${drawnFor.height}" scrolling="no"`;
  return `<iframe sandbox="${AD_SANDBOX}" ${source}${size} title="${escapeHtml(words.ad)}"></iframe>`;
}

/** Texts first; one without any is its picture, and without a picture shows at least where it leads. */
function card(ad: AdMarkup): string {
  const imageUrl = ad.display === 'TEXT' ? null : ad.imageUrl;
  const brand = textOf(ad.brandName) ?? textOf(ad.displayUrl);
  const ownTitle = textOf(ad.title);
  const title = ownTitle ?? textOf(ad.description) ?? brand;
  const button = element('em', ad.buttonText);
  if (title === null && button === '' && imageUrl !== null) return picture(ad, imageUrl);
  const icon = imageUrl === null || brand === null ? '' : pictureOf(ad.iconUrl, '');
  const texts = [
    title === null ? '' : `<b>${escapeHtml(title)}</b>`,
    element('span', ownTitle === null ? null : ad.description),
    brand === null || (ownTitle === null && brand === title)
      ? ''
      : `<i>${icon}${escapeHtml(brand)}</i>`,
  ].join('');
  const shown = imageUrl === null ? pictureOf(ad.iconUrl, 'q k') : pictureOf(imageUrl, 'q');
  const inner = shown + (texts === '' ? '' : `<span class="x">${texts}</span>`) + button;
  const name = title === null ? ` aria-label="${escapeHtml(ad.words.ad)}"` : '';
  return `${CARD}${shown === '' ? '' : ' q'}" dir="auto"${name} ${linkTo(ad)}>${inner}</a>`;
}

/** What is only blank is missing. */
const textOf = (text: string | null): string | null =>
  text === null || text.trim() === '' ? null : text;

function pictureOf(url: string | null, className: string): string {
  const source = url === null ? '' : escapeUrl(url);
  return source === '' ? '' : `<img class="${className}" src="${source}" alt="">`;
}

const element = (name: string, text: string | null): string =>
  textOf(text) === null ? '' : `<${name}>${escapeHtml(text ?? '')}</${name}>`;

const linkTo = (ad: AdMarkup): string =>
  `href="${escapeUrl(ad.clickUrl)}" target="_blank" rel="noopener sponsored"`;

const overlay = (ad: AdMarkup): string =>
  `<a class="c" ${linkTo(ad)} aria-label="${escapeHtml(ad.title ?? ad.words.ad)}"></a>`;

const source = (url: string | null): string => (url === null ? '' : escapeUrl(url));
