import { deviceAt } from './device.ts';
import { nonce as newNonce, obfuscateForRequest, signedQuery } from './protocol.ts';
import type { AdItem, Answer } from './request.ts';

/** Advertiser code runs without this page's origin; a click may open a new tab. */
const FRAME_SANDBOX =
  'allow-scripts allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation';

export interface FrameOptions {
  /** Shown before on this page: drawn without reporting anything. */
  isAgain?: boolean;
  /** Escape was pressed inside the ad, where the keys go after a click. */
  onEscape?: () => void;
  /** This page's policy does not let the frame in. */
  onBlocked?: () => void;
}

/**
 * An ad in its frame, to be put on the page at once. Its document comes from our host: what a page writes
 * itself stands under the page's policy and is refused by its Trusted Types. The document counts the
 * impression when it begins to render, and measures whether it is seen. It is light whatever the page's
 * scheme: a frame of another scheme than its document gets a ground of its own.
 */
export function adFrame(ad: AdItem, answer: Answer, options: FrameOptions = {}): HTMLElement {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', FRAME_SANDBOX);
  const { lang, ad: name } = answer.labels;
  frame.title = name;
  frame.style.cssText = `border:0;display:block;overflow:hidden;color-scheme:light;${shapeOf(ad, answer)}`;
  const again = options.isAgain === true ? '&again=1' : '';
  frame.src = `${answer.baseUrl}/ad/render/ad/${ad.id}?_p=${pageOf(ad, answer)}&page_lang=${lang}${again}`;
  hearFrame(frame, { ad, answer, options });
  return frame;
}

/** Its clicks say which page they come from: `_p`, obfuscated under the ad's own id (interface 4.14). */
function pageOf({ id }: AdItem, { skewMs }: Answer): string {
  const nonce = newNonce(Date.now() + skewMs);
  const page = {
    u: location.href.slice(0, 500),
    r: document.referrer.slice(0, 200),
    t: document.title.slice(0, 200),
  };
  return `${nonce}.${obfuscateForRequest(id, nonce, page)}`;
}

/**
 * The zone's size, and never more than there is room for. Texts flow in a narrower frame of the same
 * height; pictures, films and code keep their shape.
 */
function shapeOf({ type, width, height }: AdItem, { zone }: Answer): string {
  if (zone.type === 'RESPONSIVE') return `width:100%;height:${height}px`;
  const isText = type === 'NATIVE' || type === 'TEXT';
  const tall = isText ? `height:${height}px` : `height:auto;aspect-ratio:${width}/${height}`;
  return `width:${width}px;max-width:100%;${tall}`;
}

interface Told {
  adpVideo?: unknown;
  adpKey?: unknown;
}

/**
 * Only the outer document is heard, which is in nobody's origin: code of an advertiser runs in frames
 * further inside, and other frames of the page are strangers.
 */
function hearFrame(
  frame: HTMLIFrameElement,
  { ad, answer, options }: { ad: AdItem; answer: Answer; options: FrameOptions },
): void {
  const isGone = (): boolean => {
    if (frame.isConnected) return false;
    removeEventListener('message', hear);
    document.removeEventListener('securitypolicyviolation', see);
    return true;
  };
  const hear = ({ source, origin, data }: MessageEvent<Told | null | undefined>): void => {
    if (isGone() || source !== frame.contentWindow || origin !== 'null') return;
    if (data === null || data === undefined) return;
    if (data.adpKey === 'Escape') options.onEscape?.();
    if (options.isAgain !== true) reportVideo(ad, answer, { event: data.adpVideo, frame });
  };
  const see = ({ blockedURI, disposition }: SecurityPolicyViolationEvent): void => {
    if (isGone() || disposition !== 'enforce' || blockedURI === '') return;
    if (frame.src.startsWith(blockedURI)) options.onBlocked?.();
  };
  addEventListener('message', hear);
  document.addEventListener('securitypolicyviolation', see);
}

/**
 * The ad's document measures its video and tells us; we report it, because what bills is signed with
 * the session key (interface 9) at the time it happened.
 */
function reportVideo(
  ad: AdItem,
  { qa_k: key, skewMs, isPrivate }: Answer,
  { event, frame }: { event: unknown; frame: HTMLElement },
): void {
  if (ad.type !== 'VIDEO' || typeof event !== 'string' || !/^\w+$/.test(event)) return;
  const now = Date.now() + skewMs;
  const query = signedQuery(`/track/video/${ad.id}`, {
    event,
    key,
    device: deviceAt(frame, isPrivate),
    now,
  });
  // Beacons go where the impression goes: the tracking host need not be the one that serves ads.
  new Image().src = `${ad.impression_url.replace('/track/impression/', '/track/video/')}?${query}`;
}
