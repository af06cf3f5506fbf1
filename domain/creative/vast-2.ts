import {
  AD_SYSTEM,
  type VastAd,
  type VastBeacon,
  type VastMediaFile,
  beaconsOf,
  clockTime,
} from './vast.ts';
import { address, element, optionalText, text, XML_HEAD } from './vast-xml.ts';

/** Events that a 2.0 player knows; it has neither `skip` nor `progress`. */
const EVENTS: ReadonlySet<string> = new Set([
  'creativeView',
  'start',
  'midpoint',
  'firstQuartile',
  'thirdQuartile',
  'complete',
  'mute',
  'unmute',
  'pause',
  'rewind',
  'resume',
  'fullscreen',
  'expand',
  'collapse',
  'acceptInvitation',
  'close',
]);
const OWN_EVENTS = [
  'creativeView',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
];

/** A VAST 2.0 document: no namespace, no root Error. Without ads it is the empty answer. */
export function vast2(ads: readonly VastAd[]): string {
  const isPod = ads.length > 1;
  return (
    XML_HEAD +
    element(
      'VAST',
      { version: '2.0' },
      // A lone sequence number would make players look for the rest of a pod.
      ...ads.map((ad, at) =>
        element(
          'Ad',
          { id: ad.adId, sequence: isPod ? at + 1 : null },
          ad.source.kind === 'inline' ? inLine(ad, ad.source) : wrapper(ad, ad.source),
        ),
      ),
    )
  );
}

function inLine(ad: VastAd, source: Extract<VastAd['source'], { kind: 'inline' }>): string {
  const urls = beaconsOf(ad);
  return element(
    'InLine',
    {},
    element('AdSystem', { version: '1.0' }, AD_SYSTEM),
    text('AdTitle', ad.title === '' ? ad.adName : ad.title),
    optionalText('Description', ad.description),
    // One Error is all that 2.0 allows, and ours tells us what went wrong.
    address('Error', urls.error),
    ...impressions(ad),
    element(
      'Creatives',
      {},
      element(
        'Creative',
        { id: ad.creativeId, sequence: 1, AdID: ad.creativeId },
        element(
          'Linear',
          {},
          text('Duration', clockTime(Math.round(source.durationSeconds))),
          trackingEvents(ad),
          element(
            'VideoClicks',
            {},
            address('ClickThrough', urls.click),
            ...source.thirdParty.clickTracking.map((url) => address('ClickTracking', url)),
          ),
          element('MediaFiles', {}, ...source.mediaFiles.map(mediaFile)),
        ),
      ),
      companion(ad),
    ),
  );
}

function wrapper(ad: VastAd, source: Extract<VastAd['source'], { kind: 'wrapper' }>): string {
  const urls = beaconsOf(ad);
  return element(
    'Wrapper',
    {},
    element('AdSystem', { version: '1.0' }, AD_SYSTEM),
    address('VASTAdTagURI', source.tagUrl),
    address('Error', urls.error),
    ...impressions(ad),
    element(
      'Creatives',
      {},
      element(
        'Creative',
        { id: ad.creativeId, AdID: ad.creativeId },
        element(
          'Linear',
          {},
          trackingEvents(ad),
          element(
            'VideoClicks',
            {},
            ...[urls.measuredClick, ...source.thirdParty.clickTracking].map((url) =>
              address('ClickTracking', url),
            ),
          ),
        ),
      ),
    ),
  );
}

const impressions = (ad: VastAd): string[] =>
  [beaconsOf(ad).impression, ...ad.source.thirdParty.impressions].map((url, at) =>
    address('Impression', url, at === 0 ? { id: 'main' } : {}),
  );

function trackingEvents(ad: VastAd): string {
  const urls = beaconsOf(ad);
  const own = OWN_EVENTS.map((event): VastBeacon => ({
    event,
    url: urls.video(event),
    offset: null,
  }));
  const theirs = ad.source.thirdParty.beacons.filter(({ event }) => EVENTS.has(event));
  return element(
    'TrackingEvents',
    {},
    ...[...own, ...theirs].map(({ event, url }) => address('Tracking', url, { event })),
  );
}

const mediaFile = (file: VastMediaFile): string =>
  address('MediaFile', file.url, {
    delivery: 'progressive',
    type: file.mime,
    bitrate: file.bitrateKbps,
    width: file.width,
    height: file.height,
    scalable: 'true',
    maintainAspectRatio: 'true',
  });

function companion(ad: VastAd): string {
  if (ad.companion === null) return '';
  const { url, mime, width, height } = ad.companion;
  return element(
    'Creative',
    { sequence: 1 },
    element(
      'CompanionAds',
      {},
      element(
        'Companion',
        { width, height },
        address('StaticResource', url, { creativeType: mime }),
        address('CompanionClickThrough', beaconsOf(ad).click),
      ),
    ),
  );
}
