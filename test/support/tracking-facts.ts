import type { EventFacts, TrackFacts } from '../../domain/tracking/facts.ts';

/** What a seal says, unless told otherwise. */
export const trackOf = (over: Partial<TrackFacts> = {}): TrackFacts => ({
  requestId: 'r',
  bidId: 'b',
  advertiserId: 1,
  campaignId: 2,
  adId: 3,
  creativeId: 4,
  zoneId: 5,
  issuedAt: 1_769_860_800,
  protocol: 2,
  channel: 'page',
  pricingModel: 'CPM',
  priceNanos: '1000',
  uaHash: 'ua',
  ipHash: 'ip',
  country: 'DE',
  device: 'DESKTOP',
  os: 'LINUX',
  ...over,
});

/** What an event of protocol 1 leaves out. */
export const UNSIGNED = {
  protocol: 1,
  signature: 'none',
  session: 'none',
  webdriver: null,
  placement: null,
} as const;

/** What a sound event of a browser says, unless told otherwise. */
export const factsOf = (over: Partial<EventFacts> = {}): EventFacts => ({
  track: trackOf(),
  seal: 'ok',
  protocol: 2,
  signature: 'ok',
  session: 'ok',
  clock: 'ok',
  nonce: null,
  userAgent: 'ok',
  uaHash: 'ua',
  ipHash: 'ip',
  viewerKey: 'v',
  ipPrefix: '203.0.113.0/24',
  country: 'DE',
  device: 'DESKTOP',
  os: 'LINUX',
  browser: 'CHROME',
  prefetch: false,
  datacenter: false,
  webdriver: false,
  placement: { width: 300, height: 250 },
  ...over,
});
