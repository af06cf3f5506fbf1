import { deviceTraits } from './device.ts';
import { nonce, obfuscateForRequest } from './protocol.ts';
import { watchViewability } from './viewable.ts';

/** What the SDK reads of an ad answer (interface 2.11, 2.12). */
interface AdItem {
  id: string;
  width: number;
  height: number;
  html: string;
}
interface AdAnswer {
  code: number;
  data?: { zone: { refresh: number }; ads: AdItem[] };
}

/** Advertiser code runs without this page's origin; a click may open a new tab. */
const FRAME_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';
const REQUEST_TIMEOUT_MS = 5_000;
const REFRESH_MIN_SECONDS = 30;

/**
 * Fills one element. Its state shows in `data-adp-state`: loading, filled, empty or failed, so that
 * a page can style it and a test can wait for it.
 */
export async function fillSlot(element: HTMLElement, baseUrl: string): Promise<void> {
  const zone = element.dataset['adpZone'];
  if (zone === undefined || element.dataset['adpState'] !== undefined) return;
  element.dataset['adpState'] = 'loading';
  const answer = await requestAd(zone, baseUrl);
  const ad = answer?.data?.ads[0];
  if (answer?.data === undefined || ad === undefined) {
    element.dataset['adpState'] = answer === undefined ? 'failed' : 'empty';
    return;
  }
  render(element, ad, baseUrl);
  const { refresh } = answer.data.zone;
  if (refresh >= REFRESH_MIN_SECONDS) scheduleRefresh(element, baseUrl, refresh);
}

async function requestAd(zone: string, baseUrl: string): Promise<AdAnswer | undefined> {
  const requestNonce = nonce(Date.now());
  const query = new URLSearchParams({
    zone,
    page_url: location.href.slice(0, 2048),
    page_title: document.title.slice(0, 200),
    page_lang: document.documentElement.lang,
    _v: '2',
    _r: requestNonce,
    _d: obfuscateForRequest(zone, requestNonce, deviceTraits()),
  });
  try {
    const response = await fetch(`${baseUrl}/ad/request?${query.toString()}`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return (await response.json()) as AdAnswer;
  } catch (error) {
    // The page must not break because an ad did not come; its author sees why.
    // oxlint-disable-next-line no-console -- the page's console is the only log there is
    console.warn('adplatform: no answer for', zone, error);
    return undefined;
  }
}

function render(element: HTMLElement, ad: AdItem, baseUrl: string): void {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', FRAME_SANDBOX);
  frame.width = String(ad.width);
  frame.height = String(ad.height);
  frame.title = 'Advertisement';
  frame.style.cssText = 'border:0;display:block;overflow:hidden';
  // The document carries its own impression pixel: it counts when it begins to render.
  frame.srcdoc = ad.html;
  element.replaceChildren(frame);
  element.dataset['adpState'] = 'filled';
  watchViewability(frame, () => {
    new Image().src = `${baseUrl}/track/view/${ad.id}?s=viewable`;
  });
}

/** Only while somebody can see it: an ad that nobody sees is not replaced. */
function scheduleRefresh(element: HTMLElement, baseUrl: string, seconds: number): void {
  setTimeout(() => {
    if (!element.isConnected) return;
    if (document.visibilityState !== 'visible') {
      scheduleRefresh(element, baseUrl, seconds);
      return;
    }
    delete element.dataset['adpState'];
    void fillSlot(element, baseUrl);
  }, seconds * 1_000);
}
