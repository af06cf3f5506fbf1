import type { IncomingMessage, ServerResponse } from 'node:http';
import { adWordsIn } from '../../domain/creative/ad-words.ts';
import { adDocument, AD_SANDBOX, EMPTY_DOCUMENT } from '../../domain/creative/markup.ts';
import { timedHex } from '../../domain/tracking/timed-id.ts';
import { standingRefusal } from '../../domain/auction/eligibility.ts';
import { DomainError, invalid, notFound } from '../../domain/errors.ts';
import { TRACK_TTL_SECONDS } from '../../domain/tracking/track-id.ts';
import { asciiText, type ByteText, byteText } from '../http/byte-text.ts';
import { repeatedIn } from '../http/repeated.ts';
import { markupOf } from './ad-markup.ts';
import { sendHtml } from './answer.ts';
import { idsOf, presentAs, urlsOf } from './item.ts';
import { labelsIn } from './labels.ts';
import { queryIn, readParams } from './params.ts';
import { serve, type ServeDeps } from './serve.ts';

const presentDocument = presentAs('html');

/**
 * GET /ad/render/{zone_id}: the ad as a document for an iframe's src. It is issued under v1, as
 * nothing in that document can sign; the sandbox that the page should have set is set here too.
 */
export async function answerRender(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  zoneRef: string,
): Promise<void> {
  const requestId = timedHex(deps.clock());
  await answerDocument(deps, io.res, async () => {
    const request = await readParams(io.req, zoneRef);
    const params = { ...request, limit: 1, version: 1 };
    const ask = { params, requestId, channel: 'render' as const };
    const served = await serve(deps, io.req, ask, (win, context) => ({
      html: presentDocument(win, context),
      type: win.candidate.creative.display,
    }));
    const sent = (): void => {
      served.countShown();
    };
    return { ...(served.ads[0] ?? NO_AD), sent };
  });
}

/**
 * GET /ad/render/ad/{track_id}: the document of an ad that was won before, for the frame of a page: what
 * a page writes itself (`srcdoc`) stands under the page's policy and is refused by its Trusted Types.
 * The track_id is the signature of this address, good for as long as its impression is and in the
 * browser that asked. The pixel is signed with a key of its own: the answer's key in the address
 * could be read by an advertiser's code inside. `again=1` draws it without reporting anything,
 * `_p` goes on to the click, `page_lang` is the page's.
 */
export async function answerAdDocument(
  deps: ServeDeps,
  io: { req: IncomingMessage; res: ServerResponse },
  trackId: string,
): Promise<void> {
  await answerDocument(deps, io.res, async () => {
    const snapshot = deps.inventory.current();
    if (!snapshot.isLoaded) throw new DomainError('unavailable');
    const now = deps.clock();
    const viewer = deps.readViewer(io.req);
    const track = deps.sealer.open(trackId);
    // One refusal for all: nobody learns what a track_id that is not theirs holds.
    if (track === null || hasEnded(track, now)) throw notFound();
    if (track.uaHash !== viewer.uaHash) throw notFound();
    const ad = deps.inventory.adOf(track.advertiserId, track.adId);
    const zone = snapshot.zones.ofId(track.zoneId);
    if (ad === undefined || zone === undefined) throw notFound();
    // Taken out of serving since, as by a reviewer: not shown either.
    if (ad.creative.id !== track.creativeId || standingRefusal(ad) !== undefined) throw notFound();
    const { type, width, height } = zone;
    const { requestId, protocol } = track;
    const sessionKey = deps.sessionKeys.mintSession({ requestId, viewer, now });
    const frame = { type, width, height, protocol, trackUrl: deps.urls.track };
    const query = queryIn(io.req);
    const faults = repeatedIn(query, ['again', '_p', 'page_lang']);
    if (faults.length > 0) throw invalid(...faults);
    const pageLang = query.get('page_lang') ?? '';
    const labels = labelsIn(pageLang);
    const made = urlsOf(frame, idsOf(trackId, { frame, requestId, sessionKey, now, labels }));
    const clickUrl = made.clickUrl + pageOf(query);
    const counted = query.get('again') === '1' ? { pixelUrl: '', progressUrl: null } : {};
    const words = adWordsIn(pageLang);
    const slots = { ...made, ...counted, clickUrl, words, isServed: true };
    const html = adDocument(markupOf(ad, zone, slots));
    return { html: byteText(html), type: ad.creative.display };
  });
}

/** `_p`: the page that the ad stands in, as the SDK writes it for the click. Nothing else gets through. */
function pageOf(query: URLSearchParams): string {
  const page = query.get('_p') ?? '';
  return /^[\w.-]{1,4000}$/.test(page) ? `?_p=${page}` : '';
}

const hasEnded = (track: { issuedAt: number }, now: Date): boolean =>
  now.getTime() > (track.issuedAt + TRACK_TTL_SECONDS.impression) * 1_000;

interface AdDocument {
  html: ByteText;
  /** The display that it shows. */
  type: string;
  /** Called once the answer is out. */
  sent?: () => void;
}
const NO_AD: AdDocument = { html: asciiText(EMPTY_DOCUMENT), type: '' };

/** A frame shows nothing rather than an error; the status says what went wrong. */
async function answerDocument(
  deps: ServeDeps,
  res: ServerResponse,
  make: () => Promise<AdDocument>,
): Promise<void> {
  try {
    const { html, type, sent } = await make();
    sendHtml(res, { status: 200, html, policy: documentPolicy(deps.urls, type) });
    sent?.();
  } catch (error) {
    const status = error instanceof DomainError ? error.status : 500;
    if (status === 500) deps.log.error({ err: error }, 'ad document failed');
    sendHtml(res, { status, html: NO_AD.html, policy: documentPolicy(deps.urls, '') });
  }
}

/**
 * Our own hosts are named because in development they speak plain http. An advertiser's code, which
 * inherits this in its inner frame, may load what such code loads: its scripts bring fonts, frames
 * and answers of their own.
 */
function documentPolicy(urls: ServeDeps['urls'], type: string): string {
  const own = [...new Set([urls.track, urls.cdn])].join(' ');
  const isCode = type === 'HTML' || type === 'RICH_MEDIA';
  return [
    `sandbox ${AD_SANDBOX}`,
    'frame-ancestors *',
    "default-src 'none'",
    `img-src https: data: ${own}`,
    `media-src https: ${own}`,
    // HTML5 creatives are pages of our own media host, under a sandbox of their own.
    `frame-src ${isCode ? 'https: ' : ''}${urls.cdn}`,
    `style-src 'unsafe-inline'${isCode ? ' https:' : ''}`,
    "script-src 'unsafe-inline' https:",
    ...(isCode ? ['font-src https: data:', 'connect-src https:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
