import * as yup from 'yup';
import type { Win } from '../../domain/auction/types.ts';
import { adDocument, type AdMarkup, codeDocument } from '../../domain/creative/markup.ts';
import { type VastVersion, viewSecondsOf } from '../../domain/creative/vast.ts';
import type { TrackPayload } from '../../domain/tracking/facts.ts';
import { signRequest } from '../../domain/tracking/signature.ts';
import type { TrackSealer } from '../../domain/tracking/track-id.ts';
import type { Viewer } from '../../domain/viewer.ts';
import { zoneSettings } from '../../domain/zone-settings.ts';
import { addressOrNull, record, whole, words } from '../http/response-shapes.ts';
import type { ByteText } from '../http/byte-text.ts';
import { markupOf, type MarkupSlots } from './ad-markup.ts';
import type { Labels } from './labels.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';
import { freshText } from '../../domain/tracking/fresh-bytes.ts';

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

/** What item-texts.ts is: an item as its answer holds it. */
export interface ItemWriter {
  write(form: ItemForm, item: { ad: ServableAd; frame: ItemFrame; ids: ItemIds }): ByteText;
}

/** All of it as JSON, its document, or a player's document of this ad alone. */
export type ItemForm = 'json' | 'html' | `vast-${VastVersion}`;

/** What is sealed of the device that asks; undefined where it says nothing of itself. */
export interface AskingDevice {
  fingerprint: string | undefined;
  webdriver: true | undefined;
}

/** What all ads of one answer have in common. */
export interface AnswerContext {
  requestId: string;
  sessionKey: string;
  channel: TrackPayload['channel'];
  zone: ServableZone;
  viewer: Viewer;
  /** Of the page that asks; undefined when it says nothing. */
  pageId: number | undefined;
  device: AskingDevice;
  /** It asks for privacy. */
  isRestricted: boolean;
  now: Date;
  frame: ItemFrame;
  labels: Labels;
  sealer: TrackSealer;
  texts: ItemWriter;
}

/** What an ad's item depends on beside the ad itself. */
export interface ItemFrame {
  type: string;
  width: number;
  height: number;
  protocol: 1 | 2;
  trackUrl: string;
  /** For a player: when a viewer may skip; undefined keeps them. */
  skipAfterSeconds?: number | undefined;
}

/**
 * What one answer alone has: base64url, digits and dots, which no escaping changes, and the words of its page's
 * language, as bytes. The request's is told to players, the key, nonce and signature are used under v2.
 */
export interface ItemIds {
  trackId: string;
  requestId: string;
  sessionKey: string;
  nonce: string;
  signature: string;
  lang: string;
  adName: string;
}

const markupIn = (
  ad: ServableAd,
  { frame, ids, isServed }: { frame: ItemFrame; ids: ItemIds; isServed: boolean },
): AdMarkup => {
  const words = { lang: ids.lang, ad: ids.adName };
  return markupOf(ad, frame, { ...urlsOf(frame, ids), words, isServed });
};

/** Its document, as a frame loads it from us. */
export const presentDocument = (ad: ServableAd, frame: ItemFrame, ids: ItemIds): string =>
  adDocument(markupIn(ad, { frame, ids, isServed: true }));

export function presentItem(ad: ServableAd, frame: ItemFrame, ids: ItemIds): AdItem {
  const { content, creative, campaign } = ad;
  const { trackId } = ids;
  const markup = markupIn(ad, { frame, ids, isServed: false });
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
    impression_url: `${frame.trackUrl}/track/impression/${trackId}`,
    width: markup.width,
    height: markup.height,
    pricing_model: campaign.pricingModel,
    html: adDocument(markup),
    ...(hasTemplate ? { html_content: codeDocument(content.code ?? '', clickUrl) } : {}),
  };
}

/** Writes a win as this form of it; the ids are made for this answer. */
export const presentAs =
  (form: ItemForm) =>
  (win: Win<ServableAd>, context: AnswerContext): ByteText =>
    context.texts.write(form, {
      ad: win.candidate,
      frame: context.frame,
      ids: idsOf(trackIdOf(win, context), context),
    });

/** The price that was won travels in the seal: the event bills exactly this (interface 2.13). */
export function trackIdOf(win: Win<ServableAd>, context: AnswerContext): string {
  const { candidate } = win;
  const { viewer } = context;
  const { video } = candidate.content;
  return context.sealer.seal({
    requestId: context.requestId,
    bidId: freshText(8, 'hex'),
    advertiserId: candidate.advertiser.id,
    campaignId: candidate.campaign.id,
    adGroupId: candidate.adGroup.id,
    adId: candidate.adId,
    creativeId: candidate.creative.id,
    zoneId: context.zone.id,
    issuedAt: Math.floor(context.now.getTime() / 1_000),
    protocol: context.frame.protocol,
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
    fingerprint: context.device.fingerprint,
    webdriver: context.device.webdriver,
    isRestricted: context.isRestricted ? true : undefined,
  });
}

type SigningContext = Pick<AnswerContext, 'requestId' | 'sessionKey' | 'now' | 'labels'> & {
  frame: Pick<ItemFrame, 'protocol'>;
};

/** Under v2 the pixel inside `html` is signed here, because no script of ours runs in that document. */
export function idsOf(trackId: string, context: SigningContext): ItemIds {
  const { requestId, sessionKey, labels } = context;
  const { lang, adName } = labels;
  if (context.frame.protocol === 1) {
    return { trackId, requestId, sessionKey: '', nonce: '', signature: '', lang, adName };
  }
  const nonce = `${context.now.getTime()}.${freshText(12, 'base64url')}`;
  const signature = signRequest(sessionKey, {
    method: 'GET',
    path: `/track/impression/${trackId}`,
    params: [
      ['_v', '2'],
      ['qa_k', sessionKey],
      ['_r', nonce],
    ],
  });
  return { trackId, requestId, sessionKey, nonce, signature, lang, adName };
}

export const urlsOf = (
  frame: ItemFrame,
  ids: ItemIds,
): Omit<MarkupSlots, 'words' | 'isServed'> => ({
  clickUrl: `${frame.trackUrl}/track/click/${ids.trackId}`,
  pixelUrl: pixelUrlOf(frame, ids),
  progressUrl: frame.protocol === 1 ? `${frame.trackUrl}/track/video/${ids.trackId}?e=` : null,
});

/** Every value is base64url, digits and a dot: nothing needs encoding. */
function pixelUrlOf({ protocol, trackUrl }: ItemFrame, ids: ItemIds): string {
  const url = `${trackUrl}/track/impression/${ids.trackId}`;
  if (protocol === 1) return url;
  return `${url}?_v=2&qa_k=${ids.sessionKey}&_r=${ids.nonce}&_s=${ids.signature}`;
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
