import { nonce as newNonce, obfuscateForRequest, signedQuery } from './protocol.ts';
import type { AdItem, Answer } from './request.ts';
import { watchViewability } from './viewable.ts';

/** Advertiser code runs without this page's origin; a click may open a new tab. */
const FRAME_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

/**
 * An ad in its frame, not yet on the page: the document carries its own impression pixel, which
 * counts when it begins to render. `watch` is called once it is on the page.
 */
export function adFrame(ad: AdItem, answer: Answer): { frame: HTMLElement; watch: () => void } {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', FRAME_SANDBOX);
  frame.width = String(ad.width);
  frame.height = String(ad.height);
  frame.title = 'Advertisement';
  frame.style.cssText = 'border:0;display:block;overflow:hidden';
  frame.srcdoc = withPage(ad, Date.now() + answer.skewMs);
  const watch = (): void => {
    watchViewability(frame, () => {
      beacon(ad, 'view', 's=viewable');
    });
    if (ad.type === 'VIDEO') reportVideo(frame, ad, answer);
  };
  return { frame, watch };
}

/** Its clicks say which page they come from: `_p`, obfuscated under the ad's own id (interface 4.14). */
function withPage({ id, html }: AdItem, now: number): string {
  const nonce = newNonce(now);
  const page = {
    u: location.href.slice(0, 500),
    r: document.referrer.slice(0, 200),
    t: document.title.slice(0, 200),
  };
  const said = `?_p=${nonce}.${obfuscateForRequest(id, nonce, page)}`;
  return html.replaceAll(`/track/click/${id}`, (address) => address + said);
}

/**
 * The ad's document measures its video and tells us; we report it, because what bills is signed with
 * the session key (interface 9) at the time it happened. Only the outer document is heard: code of
 * an advertiser runs in frames further inside.
 */
function reportVideo(frame: HTMLIFrameElement, ad: AdItem, { qa_k: key, skewMs }: Answer): void {
  const hear = ({ source, data }: MessageEvent<{ adpVideo?: unknown } | null>): void => {
    if (!frame.isConnected) {
      removeEventListener('message', hear);
      return;
    }
    const event = data?.adpVideo;
    if (source !== frame.contentWindow || typeof event !== 'string' || !/^\w+$/.test(event)) return;
    const path = `/track/video/${ad.id}`;
    beacon(ad, 'video', signedQuery(path, { event, key, now: Date.now() + skewMs }));
  };
  addEventListener('message', hear);
}

/** Beacons go where the impression goes: the tracking host need not be the one that serves ads. */
function beacon(ad: AdItem, name: string, query: string): void {
  new Image().src = `${ad.impression_url.replace('/track/impression/', `/track/${name}/`)}?${query}`;
}
