import {
  type EventFacts,
  shardOf,
  type TrackFacts,
  type TrackPayload,
} from '../../domain/tracking/facts.ts';
import {
  type DeviceTraits,
  type FingerprintOf,
  traitsOfPage,
  webdriverOf,
} from '../../domain/tracking/fingerprint.ts';
import { deobfuscate } from '../../domain/tracking/obfuscation.ts';
import { CLOCK_SKEW_MAX_MS, isSignedBy, nonceTime } from '../../domain/tracking/signature.ts';
import type { Viewer } from '../../domain/viewer.ts';
import { isRestricted, type Said, signalsOf } from '../privacy.ts';
import type { Exchange, TrackDeps } from './deps.ts';

/** A track_id as it was reported. */
export interface OpenedTrack {
  payload: TrackPayload | null;
  seal: EventFacts['seal'];
  /** Of its advertiser; 0 when nobody's. */
  shard: number;
  /** A privacy signal came with this report, or with the request for its ad. */
  isRestricted: boolean;
}

type ProtocolFacts = Pick<
  EventFacts,
  | 'protocol'
  | 'signature'
  | 'session'
  | 'clock'
  | 'nonce'
  | 'webdriver'
  | 'placement'
  | 'fingerprint'
>;

const QA_KEY_CHARS_MAX = 100;
const PLACEMENT_PIXELS_MAX = 100_000;

export function openTrack(
  deps: Pick<TrackDeps, 'sealer' | 'shards'>,
  report: Pick<Exchange, 'req' | 'trackId'> & { query: Said },
  { ttlSeconds, now }: { ttlSeconds: number; now: Date },
): OpenedTrack {
  const payload = deps.sealer.open(report.trackId);
  const asksForPrivacy = isRestricted(signalsOf(report.query), report.req.headers);
  if (payload === null) {
    return { payload, seal: 'invalid', shard: 0, isRestricted: asksForPrivacy };
  }
  // Asked for without a signal, reported with one: what was sealed then is not kept now.
  if (asksForPrivacy) payload.fingerprint = undefined;
  return {
    payload,
    seal: hasTrackExpired(payload, ttlSeconds, now.getTime()) ? 'expired' : 'ok',
    shard: shardOf(payload.advertiserId, deps.shards),
    isRestricted: asksForPrivacy || payload.isRestricted === true,
  };
}

export const hasTrackExpired = (
  { issuedAt }: Pick<TrackPayload, 'issuedAt'>,
  ttlSeconds: number,
  atMs: number,
): boolean => atMs > (issuedAt + ttlSeconds) * 1_000;

/** Named one by one: all facts have one shape, and nothing is copied by name. */
export function factsOf(track: OpenedTrack, viewer: Viewer, protocol: ProtocolFacts): EventFacts {
  return {
    track: track.payload === null ? null : trackFacts(track.payload),
    seal: track.seal,
    protocol: protocol.protocol,
    signature: protocol.signature,
    session: protocol.session,
    clock: protocol.clock,
    nonce: protocol.nonce,
    webdriver: track.payload?.webdriver ?? protocol.webdriver,
    placement: protocol.placement,
    fingerprint: protocol.fingerprint,
    userAgent: viewer.userAgent,
    uaHash: viewer.uaHash,
    ipHash: viewer.ipHash,
    viewerKey: viewer.viewerKey,
    ipPrefix: viewer.ipPrefix,
    country: viewer.country,
    device: viewer.device,
    os: viewer.os,
    browser: viewer.browser,
    prefetch: viewer.prefetch,
    datacenter: viewer.datacenter,
  } satisfies Named<Omit<EventFacts, OfSomeKinds>>;
}

/** What the endpoints of single kinds add. */
type OfSomeKinds =
  | 'pageId'
  | 'clickEventId'
  | 'clickId'
  | 'viewable'
  | 'video'
  | 'vastError'
  | 'conversionId'
  | 'refusal';

/** Each by its name, optional ones too: a new fact that is forgotten here does not compile. */
type Named<Facts> = { [Name in keyof Required<Facts>]: Facts[Name] };

/** JSON leaves out what is undefined. */
const trackFacts = (payload: TrackPayload): Named<TrackFacts> => ({
  requestId: payload.requestId,
  bidId: payload.bidId,
  advertiserId: payload.advertiserId,
  campaignId: payload.campaignId,
  adGroupId: payload.adGroupId,
  adId: payload.adId,
  creativeId: payload.creativeId,
  zoneId: payload.zoneId,
  issuedAt: payload.issuedAt,
  protocol: payload.protocol,
  channel: payload.channel,
  pricingModel: payload.pricingModel,
  priceNanos: payload.priceNanos.toString(),
  uaHash: payload.uaHash,
  ipHash: payload.ipHash,
  country: payload.country,
  device: payload.device,
  os: payload.os,
  viewSeconds: payload.viewSeconds,
  pageId: payload.pageId,
  fingerprint: payload.fingerprint,
});

/** What a v1 report says of itself: nothing. */
export const V1_FACTS: ProtocolFacts = {
  protocol: 1,
  signature: 'none',
  session: 'none',
  clock: 'ok',
  nonce: null,
  webdriver: null,
  placement: null,
};

/** `wd=1` of a document of ours, which has no key to say more. */
const V1_AUTOMATED: ProtocolFacts = { ...V1_FACTS, webdriver: true };

/** The v2 parameters of a beacon (interface 4.14), checked but not judged. */
export function beaconProtocol(
  deps: Pick<TrackDeps, 'sessionKeys' | 'fingerprintOf'>,
  beacon: { name: string; exchange: Exchange; track: OpenedTrack; viewer: Viewer; now: Date },
): ProtocolFacts {
  const { query, trackId } = beacon.exchange;
  if (!isVersion2(query.get('_v'))) return query.get('wd') === '1' ? V1_AUTOMATED : V1_FACTS;
  const sessionKey = (query.get('qa_k') ?? '').slice(0, QA_KEY_CHARS_MAX);
  const { nonce, clock } = readNonce(query.get('_r'), beacon.now);
  const data = deviceData(query.get('_d'), { key: sessionKey, nonce });
  const device =
    data === null
      ? V1_FACTS
      : keptOfDevice(
          { webdriver: webdriverOf(data), placement: data['pl'], traits: traitsOfPage(data) },
          beacon.track,
          deps.fingerprintOf,
        );
  return {
    protocol: 2,
    signature: signatureOf(sessionKey, {
      path: `/track/${beacon.name}/${trackId}`,
      query,
    }),
    session:
      sessionKey === ''
        ? 'none'
        : deps.sessionKeys.checkSession(sessionKey, {
            requestId: beacon.track.payload?.requestId ?? '',
            viewer: beacon.viewer,
            now: beacon.now,
          }),
    clock: nonce === null ? 'skew' : clock,
    nonce,
    webdriver: device.webdriver,
    placement: device.placement,
    fingerprint: device.fingerprint,
  };
}

const isVersion2 = (text: string | null): boolean =>
  text !== null && Number.parseInt(text, 10) >= 2;

function signatureOf(
  sessionKey: string,
  request: { path: string; query: URLSearchParams },
): EventFacts['signature'] {
  const signature = request.query.get('_s');
  if (signature === null || signature === '' || sessionKey === '') return 'missing';
  const signed = { method: 'GET', path: request.path, params: request.query };
  return isSignedBy(sessionKey, signed, signature) ? 'ok' : 'bad';
}

/** `_r`; a nonce that is not of its form cannot be remembered, so it counts as none. */
export function readNonce(
  text: string | null,
  now: Date,
): { nonce: string | null; clock: EventFacts['clock'] } {
  const timeMs = text === null ? null : nonceTime(text);
  if (timeMs === null) return { nonce: null, clock: 'ok' };
  const isNear = Math.abs(timeMs - now.getTime()) <= CLOCK_SKEW_MAX_MS;
  return { nonce: text, clock: isNear ? 'ok' : 'skew' };
}

function deviceData(
  obfuscated: string | null,
  { key, nonce }: { key: string; nonce: string | null },
): Record<string, unknown> | null {
  if (obfuscated === null || nonce === null || key === '') return null;
  return deobfuscate(obfuscated, { key, nonce });
}

/**
 * What is kept of a device's own word: that it is automated, `pl` ([width, height] of the ad in CSS pixels)
 * and a fingerprint of what is stable. Of who asks for privacy none of it; that it is a robot is nobody's secret.
 */
export function keptOfDevice(
  said: { webdriver: boolean | null; placement?: unknown; traits: DeviceTraits },
  { isRestricted: isPrivate }: OpenedTrack,
  fingerprintOf: FingerprintOf,
): Pick<EventFacts, 'webdriver' | 'placement' | 'fingerprint'> {
  if (isPrivate) return { webdriver: said.webdriver === true ? true : null, placement: null };
  return {
    webdriver: said.webdriver,
    placement: placementOf(said.placement),
    fingerprint: fingerprintOf(said.traits) ?? undefined,
  };
}

function placementOf(value: unknown): EventFacts['placement'] {
  if (!Array.isArray(value)) return null;
  const [width, height] = value as unknown[];
  if (!isPixels(width) || !isPixels(height)) return null;
  return { width, height };
}

const isPixels = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= PLACEMENT_PIXELS_MAX;
