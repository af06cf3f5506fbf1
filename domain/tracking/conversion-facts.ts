import type { BrowserTraits } from './conversion-findings.ts';
import type { EventFacts, PricingModel, Reason, TrackFacts } from './facts.ts';

/** The click that a conversion is attributed to, as its row has it. */
export interface AttributedClick {
  clickId: string;
  clickedAt: Date;
  requestId: string;
  bidId: string;
  advertiserId: number;
  campaignId: number;
  adId: number;
  creativeId: number;
  zoneId: number;
  pricingModel: PricingModel;
  bidPriceNanos: bigint;
  /** As the click was stored; null when the inbox no longer has it. */
  facts: EventFacts | null;
  /** As the click was judged; null when that is not kept either. */
  traits: ViewerTraits | null;
}

export interface ViewerTraits extends BrowserTraits {
  country: string | null;
}

/**
 * The facts of a conversion are its click's: a server reports it, the viewer is the one who
 * clicked. A conversion on a tracker that the campaign does not bill by counts, at no price.
 */
export function conversionFacts(
  click: AttributedClick,
  conversion: { conversionId: number; isBilling: boolean; refusal?: Reason | undefined },
): EventFacts {
  const viewer: EventFacts = click.facts ?? { ...UNKNOWN_VIEWER, ...click.traits };
  return {
    ...viewer,
    track: {
      ...(viewer.track ?? rebuiltTrack(click)),
      priceNanos: conversion.isBilling ? click.bidPriceNanos.toString() : '0',
    },
    seal: 'ok',
    nonce: null,
    clickEventId: undefined,
    clickId: click.clickId,
    conversionId: conversion.conversionId,
    ...(conversion.refusal === undefined ? {} : { refusal: conversion.refusal }),
  };
}

function rebuiltTrack(click: AttributedClick): TrackFacts {
  return {
    requestId: click.requestId,
    bidId: click.bidId,
    advertiserId: click.advertiserId,
    campaignId: click.campaignId,
    adId: click.adId,
    creativeId: click.creativeId,
    zoneId: click.zoneId,
    issuedAt: Math.floor(click.clickedAt.getTime() / 1000),
    protocol: 1,
    channel: 'page',
    pricingModel: click.pricingModel,
    priceNanos: click.bidPriceNanos.toString(),
    uaHash: '',
    ipHash: '',
    country: null,
    device: 'OTHER',
    os: 'OTHER',
  };
}

/** When the click's own event is past its keeping time. */
const UNKNOWN_VIEWER: EventFacts = {
  track: null,
  seal: 'ok',
  protocol: 1,
  signature: 'none',
  session: 'none',
  clock: 'ok',
  nonce: null,
  userAgent: 'ok',
  uaHash: '',
  ipHash: '',
  viewerKey: '',
  ipPrefix: '',
  country: null,
  device: 'OTHER',
  os: 'OTHER',
  browser: 'OTHER',
  prefetch: false,
  datacenter: false,
  webdriver: null,
  placement: null,
};
