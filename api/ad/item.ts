import * as yup from 'yup';
import type { Win } from '../../domain/auction/types.ts';
import { adDocument, codeDocument } from '../../domain/creative/markup.ts';
import { viewSecondsOf } from '../../domain/creative/vast.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { signRequest } from '../../domain/tracking/signature.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import type { Viewer } from '../../domain/viewer.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';
import { addressOrNull, record, whole, words } from '../http/response-shapes.ts';
import { markupOf, type MarkupUrls } from './ad-markup.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import { freshBytes } from '../../domain/tracking/fresh-bytes.ts';

/** interface 2.11. */
export const adItemShape = record(
  {
    id: words(),
    creative_id: whole(),
    type: words(),
    title: words(),
    description: words(),
    button_text: words(),
    brand_name: words(),
    image_url: addressOrNull(),
    image_url_2: addressOrNull(),
    video_url: addressOrNull(),
    icon_url: addressOrNull(),
    display_url: words(),
    landing_url: words(),
    click_url: words(),
    impression_url: words(),
    width: whole(),
    height: whole(),
    pricing_model: words(),
    html: words(),
    html_content: yup.string(),
  },
  'AdItem',
);
type AdItem = yup.InferType<typeof adItemShape>;

/** What all ads of one answer have in common. */
export interface AnswerContext {
  requestId: string;
  sessionKey: string;
  protocol: 1 | 2;
  channel: TrackPayload['channel'];
  zone: ServableZone;
  viewer: Viewer;
  /** Of the page that asks; undefined when it says nothing. */
  pageId: number | undefined;
  /** Of the device that asks; undefined when it says nothing of itself. */
  fingerprint: string | undefined;
  now: Date;
  trackUrl: string;
  sealer: TrackSealer;
}

export function presentAd(win: Win<ServableAd>, context: AnswerContext): AdItem {
  const { candidate } = win;
  const { content, creative, campaign } = candidate;
  const trackId = trackIdOf(win, context);
  const markup = markupOf(candidate, context.zone, urlsOf(trackId, context));
  const { clickUrl } = markup;
  const hasTemplate = creative.display === 'RICH_MEDIA' && content.code !== null;
  return {
    id: trackId,
    creative_id: creative.id,
    type: creative.display,
    title: content.title ?? '',
    description: content.description ?? '',
    button_text: content.buttonText ?? '',
    brand_name: content.brandName ?? '',
    image_url: content.imageUrl,
    image_url_2: content.imageUrl2,
    video_url: content.videoUrl,
    icon_url: content.iconUrl,
    display_url: content.displayUrl ?? '',
    landing_url: clickUrl,
    click_url: clickUrl,
    impression_url: `${context.trackUrl}/track/impression/${trackId}`,
    width: markup.width,
    height: markup.height,
    pricing_model: campaign.pricingModel,
    html: adDocument(markup),
    ...(hasTemplate ? { html_content: codeDocument(content.code ?? '', clickUrl) } : {}),
  };
}

/** The price that was won travels in the seal: the event bills exactly this (interface 2.13). */
export function trackIdOf(win: Win<ServableAd>, context: AnswerContext): string {
  const { candidate } = win;
  const { viewer } = context;
  const { video } = candidate.content;
  return context.sealer.seal({
    requestId: context.requestId,
    bidId: freshBytes(8).toString('hex'),
    advertiserId: candidate.advertiser.id,
    campaignId: candidate.campaign.id,
    adId: candidate.adId,
    creativeId: candidate.creative.id,
    zoneId: context.zone.id,
    issuedAt: Math.floor(context.now.getTime() / 1_000),
    protocol: context.protocol,
    channel: context.channel,
    pricingModel: candidate.campaign.pricingModel,
    priceNanos: win.eventPriceNanos,
    uaHash: viewer.uaHash,
    ipHash: viewer.ipHash,
    country: viewer.country,
    device: viewer.device,
    os: viewer.os,
    viewSeconds: video === null ? undefined : viewSecondsOf(video),
    pageId: context.pageId,
    fingerprint: context.fingerprint,
  });
}

type UrlContext = Pick<AnswerContext, 'trackUrl' | 'protocol' | 'sessionKey' | 'now'>;

export const urlsOf = (trackId: string, context: UrlContext): MarkupUrls => ({
  clickUrl: `${context.trackUrl}/track/click/${trackId}`,
  pixelUrl: pixelUrlOf(trackId, context),
  progressUrl: context.protocol === 1 ? `${context.trackUrl}/track/video/${trackId}?e=` : null,
});

/** Under v2 the pixel inside `html` is signed here, because no script of ours runs in that document. */
function pixelUrlOf(trackId: string, context: UrlContext): string {
  const path = `/track/impression/${trackId}`;
  if (context.protocol === 1) return context.trackUrl + path;
  const nonce = `${context.now.getTime()}.${freshBytes(12).toString('base64url')}`;
  const params: [string, string][] = [
    ['_v', '2'],
    ['qa_k', context.sessionKey],
    ['_r', nonce],
  ];
  const signature = signRequest(context.sessionKey, { method: 'GET', path, params });
  // Every value is base64url, digits and a dot: nothing needs encoding.
  return `${context.trackUrl}${path}?_v=2&qa_k=${context.sessionKey}&_r=${nonce}&_s=${signature}`;
}

/** interface 2.12: the zone, and the configuration objects of its type. */
export function presentZone(zone: ServableZone): Record<string, unknown> {
  return {
    id: zone.id,
    code: zone.zoneKey,
    width: zone.width,
    height: zone.height,
    type: zone.type,
    refresh: zone.refresh,
    ...zoneSettings(zone.type, zone.settings),
  };
}
