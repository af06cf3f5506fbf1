import {
  AD_SYSTEM,
  NO_AD_TRACK_ID,
  type VastAd,
  type VastBeacon,
  type VastMediaFile,
  VIEW_SECONDS,
  beaconsOf,
  clockTime,
} from './vast.ts';
import { address, element, optionalText, text, XML_HEAD } from './vast-xml.ts';

/** Events of a linear creative in 4.2. */
const EVENTS: ReadonlySet<string> = new Set([
  'mute',
  'unmute',
  'pause',
  'resume',
  'rewind',
  'skip',
  'playerExpand',
  'playerCollapse',
  'loaded',
  'start',
  'firstQuartile',
  'midpoint',
  'thirdQuartile',
  'complete',
  'progress',
  'closeLinear',
  'acceptInvitation',
  'otherAdInteraction',
  'interactiveStart',
]);
const OWN_EVENTS = ['loaded', 'start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete'];
const NAMESPACE = 'http://www.iab.com/VAST';
/** Every creative must have one; ours carry no Ad-ID. */
const NO_REGISTERED_ID = element('UniversalAdId', { idRegistry: 'unknown' }, 'unknown');

/** A VAST 4.2 document; without ads it holds the root Error that players fire for an empty answer. */
export function vast4(ads: readonly VastAd[], trackUrl: string): string {
  const isPod = ads.length > 1;
  const nothing = beaconsOf({ trackUrl, trackId: NO_AD_TRACK_ID }).error;
  return (
    XML_HEAD +
    element(
      'VAST',
      { version: '4.2', xmlns: NAMESPACE },
      ...ads.map((ad, at) =>
        element(
          'Ad',
          // Behind a wrapper that allows one ad, a lone sequence number makes players drop it.
          { id: ad.adId, sequence: isPod ? at + 1 : null, adType: 'video' },
          ad.source.kind === 'inline' ? inLine(ad, ad.source) : wrapper(ad, ad.source),
        ),
      ),
      ads.length === 0 ? address('Error', nothing) : '',
    )
  );
}

function inLine(ad: VastAd, source: Extract<VastAd['source'], { kind: 'inline' }>): string {
  const urls = beaconsOf(ad);
  return element(
    'InLine',
    {},
    ...head(ad),
    text('AdServingId', ad.requestId),
    text('AdTitle', ad.title === '' ? ad.adName : ad.title),
    optionalText('Advertiser', ad.advertiser),
    element(
      'Creatives',
      {},
      element(
        'Creative',
        { id: ad.creativeId, sequence: 1, adId: ad.creativeId },
        element(
          'Linear',
          { skipoffset: skipOffset(ad, source.durationSeconds) },
          trackingEvents(ad, source.durationSeconds),
          text('Duration', clockTime(source.durationSeconds)),
          element('MediaFiles', {}, ...source.mediaFiles.map(mediaFile)),
          element(
            'VideoClicks',
            {},
            ...source.thirdParty.clickTracking.map((url) => address('ClickTracking', url)),
            address('ClickThrough', urls.click, { id: 'landing' }),
          ),
        ),
        NO_REGISTERED_ID,
      ),
      companion(ad),
    ),
    optionalText('Description', ad.description),
  );
}

function wrapper(ad: VastAd, source: Extract<VastAd['source'], { kind: 'wrapper' }>): string {
  const urls = beaconsOf(ad);
  return element(
    'Wrapper',
    { followAdditionalWrappers: 'true', allowMultipleAds: 'false', fallbackOnNoAd: 'false' },
    ...head(ad),
    element(
      'Creatives',
      {},
      element(
        'Creative',
        { id: ad.creativeId, adId: ad.creativeId },
        element(
          'Linear',
          {},
          trackingEvents(ad, null),
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
    address('VASTAdTagURI', source.tagUrl),
  );
}

/** The parts that both kinds begin with. */
function head(ad: VastAd): string[] {
  const urls = beaconsOf(ad);
  const { impressions, errors } = ad.source.thirdParty;
  return [
    element('AdSystem', { version: '1.0' }, AD_SYSTEM),
    ...[urls.error, ...errors].map((url) => address('Error', url)),
    ...[urls.impression, ...impressions].map((url, at) =>
      address('Impression', url, at === 0 ? { id: 'main' } : {}),
    ),
    element(
      'ViewableImpression',
      { id: 'main' },
      address('Viewable', urls.view('viewable')),
      address('NotViewable', urls.view('notviewable')),
      address('ViewUndetermined', urls.view('undetermined')),
    ),
  ];
}

function skipOffset(ad: VastAd, durationSeconds: number): string | null {
  const after = ad.skipAfterSeconds;
  return after === null || after >= durationSeconds ? null : clockTime(after);
}

/** A null duration is another server's video: nothing of ours can be skipped or billed by its length. */
function trackingEvents(ad: VastAd, durationSeconds: number | null): string {
  const urls = beaconsOf(ad);
  const own = OWN_EVENTS.map((event): VastBeacon => ({
    event,
    url: urls.video(event),
    offset: null,
  }));
  if (durationSeconds !== null && skipOffset(ad, durationSeconds) !== null) {
    own.push({ event: 'skip', url: urls.video('skip'), offset: null });
  }
  if (durationSeconds !== null && durationSeconds > VIEW_SECONDS) {
    own.push({ event: 'progress', url: urls.video('view'), offset: clockTime(VIEW_SECONDS) });
  }
  const theirs = ad.source.thirdParty.beacons.filter(
    ({ event, offset }) => EVENTS.has(event) && (event === 'progress') === (offset !== null),
  );
  return element(
    'TrackingEvents',
    {},
    ...[...own, ...theirs].map(({ event, url, offset }) =>
      address('Tracking', url, { event, offset }),
    ),
  );
}

const mediaFile = (file: VastMediaFile): string =>
  address('MediaFile', file.url, {
    delivery: 'progressive',
    type: file.mime,
    width: file.width,
    height: file.height,
    codec: file.codec,
    bitrate: file.bitrateKbps,
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
      { required: 'none' },
      element(
        'Companion',
        { width, height },
        address('StaticResource', url, { creativeType: mime }),
        address('CompanionClickThrough', beaconsOf(ad).click),
      ),
    ),
    NO_REGISTERED_ID,
  );
}
