import type { Browser, Device, Os } from '../viewer.ts';

/**
 * What a tracking endpoint appends: the facts that exist only at that moment. No verdict is made
 * there; settlement judges later from this record alone, so a verdict can be replayed.
 */
export type EventKind =
  | 'impression'
  /** GET click: stored verify_pending, never bills by itself. */
  | 'click'
  /** The verified click: what CPC bills and reports count. */
  | 'click_verify'
  /** Written by the click-expiry loop for a click whose deadline passed. */
  | 'click_expired'
  | 'conversion'
  /** Viewability beacon: `viewable` says its outcome. */
  | 'view'
  /** What a video player reports of its progress: `video` names it. Kept, never counted. */
  | 'video'
  /** The end of a video, or 30 seconds of it: what CPV bills. */
  | 'video_view'
  /** A video player could not play what it was given: `vastError` is its code. */
  | 'vast_error';

export type PricingModel = 'CPM' | 'CPC' | 'CPA' | 'CPS' | 'CPV';

/** What a track_id seals (interface 2.13). Ids are below 2^48. */
export interface TrackPayload {
  /** 32 hex */
  requestId: string;
  /** 16 hex; unique per won impression opportunity */
  bidId: string;
  advertiserId: number;
  campaignId: number;
  /** Absent in ids that were sealed before it was among them. */
  adGroupId?: number | undefined;
  adId: number;
  creativeId: number;
  zoneId: number;
  /** Unix seconds */
  issuedAt: number;
  /** Protocol the ad was requested under; reporting a 2 as a 1 does not bill. */
  protocol: 1 | 2;
  channel: 'page' | 'render' | 'vast';
  pricingModel: PricingModel;
  /** What one billable event costs: CPM price / 1000 for an impression, CPC price for a click, ... */
  priceNanos: bigint;
  uaHash: string;
  ipHash: string;
  /** As they were when the auction found the campaign's targeting to match. */
  country: string | null;
  device: Device;
  os: Os;
  /** Whole seconds of server time that a view of this video takes, 1 to 255; absent when nothing is viewed. */
  viewSeconds?: number | undefined;
  /** What the page said that asked for it, as db/tables/page.ts keeps it; absent when it said nothing. */
  pageId?: number | undefined;
  /** 10 hex, of the device that asked (fingerprint.ts); absent when it said nothing of itself. */
  fingerprint?: string | undefined;
  /** The browser that asked said that it is automated: what it reports is a robot's, whatever a beacon can say. */
  webdriver?: true | undefined;
  /** It was asked for with a privacy signal: its events keep nothing of the device either (interface 4.13). */
  isRestricted?: true | undefined;
}

/** TrackPayload in JSON: the price is decimal text. What the last two decide is in the event's own facts. */
export type TrackFacts = Omit<TrackPayload, 'priceNanos' | 'webdriver' | 'isRestricted'> & {
  priceNanos: string;
};

export interface EventFacts {
  /** Null when the seal did not open. */
  track: TrackFacts | null;
  seal: 'ok' | 'invalid' | 'expired';
  /** What the reporter spoke: `_v` >= 2 is 2. */
  protocol: 1 | 2;
  signature: 'none' | 'ok' | 'missing' | 'bad';
  session: 'none' | 'ok' | 'expired' | 'bad';
  clock: 'ok' | 'skew';
  /** `_r`, for replay; null under v1. */
  nonce: string | null;
  userAgent: 'ok' | 'empty' | 'bot';
  uaHash: string;
  ipHash: string;
  viewerKey: string;
  ipPrefix: string;
  country: string | null;
  device: Device;
  os: Os;
  browser: Browser;
  prefetch: boolean;
  datacenter: boolean;
  webdriver: boolean | null;
  /** Of the device that reports, made as the sealed one; absent when it says nothing of itself. */
  fingerprint?: string | undefined;
  /** CSS pixels that the page says the ad occupies; null when not said. */
  placement: { width: number; height: number } | null;
  /** click: the page by its own word, as track.pageId, where the ad request named none. */
  pageId?: number | undefined;
  /** click_verify, click_expired: the row in clicks. */
  clickEventId?: string | undefined;
  /** Public attribution id of that click. A click says its own only in events of older builds. */
  clickId?: string | undefined;
  /** view: outcome of the viewability measurement. */
  viewable?: boolean | undefined;
  /** video, video_view: the player's own name of what happened. */
  video?: string | undefined;
  /** vast_error: VAST's code, 100 to 999. */
  vastError?: number | undefined;
  /** conversion: the row in conversions. */
  conversionId?: number | undefined;
  /** conversion: it was refused before it could be billed, and this is why. */
  refusal?: Reason | undefined;
}

/** The public id of a click, by which conversions name it: the 32 hex digits of its event's id, 74 of their bits random. */
export const publicClickId = (eventId: string): string => eventId.replaceAll('-', '');

/** A click whose seal holds has an id of its own; one that is forged or late has none. */
export const ownClickId = (event: {
  id: string;
  kind: EventKind;
  facts: Pick<EventFacts, 'seal' | 'clickId'> | null;
}): string | null =>
  event.kind === 'click' && event.facts?.seal === 'ok'
    ? (event.facts.clickId ?? publicClickId(event.id))
    : null;

/** Budgets and balance of one advertiser are judged in one place: its shard. */
export function shardOf(advertiserId: number, shards: number): number {
  return advertiserId % shards;
}

/** Why an event is not billed; the first that applies is its reason, all are kept (interface 6). */
export const REASONS = [
  'TRACK_INVALID',
  'TRACK_EXPIRED',
  'SIG_MISSING',
  'SIG_BAD',
  'SESSION_EXPIRED',
  'CLOCK_SKEW',
  'REPLAY',
  'EMPTY_UA',
  'BOT_UA',
  'PREFETCH',
  'DATACENTER_IP',
  'INVALID_PLACEMENT',
  'WEBDRIVER',
  'UA_MISMATCH',
  'FP_MISMATCH',
  'TARGETING_MISMATCH',
  'CLICK_BEFORE_IMPRESSION',
  'TOO_FAST',
  'RATE_LIMIT',
  'DUPLICATE_IMPRESSION',
  'DUPLICATE_CLICK',
  'BUDGET_EXCEEDED',
  'BALANCE_EXHAUSTED',
  // Of a conversion alone: its advertiser rejected it.
  'CONVERSION_REJECTED',
  // Findings held it, and nobody decided in time.
  'CONVERSION_UNDECIDED',
] as const;
export type Reason = (typeof REASONS)[number];
