import { DEVICES, OSES } from '../viewer.ts';
import type { PricingModel, TrackPayload } from './facts.ts';
import { FINGERPRINT_CHARS } from './fingerprint.ts';

/** What a track_id holds, in bytes: six blocks of its cipher, all of them used. */
export const PACKED_BYTES = 96;
/** Before ad group, page and device were in it, and before videos were sold. */
const OLD_PACKED_BYTES = [79, 78];

const PRICING_MODELS: readonly PricingModel[] = ['CPM', 'CPC', 'CPA', 'CPS', 'CPV'];
const CHANNELS: readonly TrackPayload['channel'][] = ['page', 'render', 'vast'];
const ID_BYTES = 6;
/** Of flags; builds before these two wrote and read neither. */
const WEBDRIVER_FLAG = 0x40;
const RESTRICTED_FLAG = 0x80;
const NO_FINGERPRINT = '0'.repeat(FINGERPRINT_CHARS);

/** Byte offsets of the packed payload. */
const AT = {
  requestId: 0,
  bidId: 16,
  creativeId: 24,
  adId: 30,
  zoneId: 36,
  campaignId: 42,
  advertiserId: 48,
  issuedAt: 54,
  flags: 58,
  uaHash: 59,
  ipHash: 63,
  price: 67,
  country: 75,
  deviceOs: 77,
  viewSeconds: 78,
  adGroupId: 79,
  pageId: 85,
  fingerprint: 91,
} as const;

/**
 * Writes every byte of `out`. flags: restricted (1 bit) | webdriver (1) | protocol (1) |
 * channel (2) | pricing model (3). Raises RangeError on a value that does not fit.
 */
export function pack(payload: TrackPayload, out: Buffer): void {
  writeHex(out, payload.requestId, AT.requestId, 16);
  writeHex(out, payload.bidId, AT.bidId, 8);
  out.writeUIntBE(payload.creativeId, AT.creativeId, ID_BYTES);
  out.writeUIntBE(payload.adId, AT.adId, ID_BYTES);
  out.writeUIntBE(payload.zoneId, AT.zoneId, ID_BYTES);
  out.writeUIntBE(payload.campaignId, AT.campaignId, ID_BYTES);
  out.writeUIntBE(payload.advertiserId, AT.advertiserId, ID_BYTES);
  out.writeUIntBE(payload.adGroupId ?? 0, AT.adGroupId, ID_BYTES);
  out.writeUInt32BE(payload.issuedAt, AT.issuedAt);
  const channel = indexOf(CHANNELS, payload.channel);
  const model = indexOf(PRICING_MODELS, payload.pricingModel);
  const said =
    (payload.webdriver === true ? WEBDRIVER_FLAG : 0) |
    (payload.isRestricted === true ? RESTRICTED_FLAG : 0);
  out.writeUInt8(said | ((payload.protocol - 1) << 5) | (channel << 3) | model, AT.flags);
  writeHex(out, payload.uaHash, AT.uaHash, 4);
  writeHex(out, payload.ipHash, AT.ipHash, 4);
  out.writeBigUInt64BE(payload.priceNanos, AT.price);
  out.writeUInt16BE(countryCode(payload.country), AT.country);
  const device = indexOf(DEVICES, payload.device);
  out.writeUInt8((device << 4) | indexOf(OSES, payload.os), AT.deviceOs);
  out.writeUInt8(payload.viewSeconds ?? 0, AT.viewSeconds);
  out.writeUIntBE(payload.pageId ?? 0, AT.pageId, ID_BYTES);
  const fingerprint = payload.fingerprint ?? NO_FINGERPRINT;
  writeHex(out, fingerprint, AT.fingerprint, FINGERPRINT_CHARS / 2);
}

/** Null for a payload of another build whose values this one does not know. */
export function unpack(bytes: Buffer): TrackPayload | null {
  const payload = readCommon(bytes);
  if (payload === null) return null;
  const adGroupId = bytes.readUIntBE(AT.adGroupId, ID_BYTES);
  if (adGroupId !== 0) payload.adGroupId = adGroupId;
  const pageId = bytes.readUIntBE(AT.pageId, ID_BYTES);
  if (pageId !== 0) payload.pageId = pageId;
  const fingerprint = bytes.toString('hex', AT.fingerprint, PACKED_BYTES);
  if (fingerprint !== NO_FINGERPRINT) payload.fingerprint = fingerprint;
  return payload;
}

export const unpackOld = (bytes: Buffer): TrackPayload | null =>
  OLD_PACKED_BYTES.includes(bytes.length) ? readCommon(bytes) : null;

function readCommon(bytes: Buffer): TrackPayload | null {
  const flags = bytes.readUInt8(AT.flags);
  const deviceOs = bytes.readUInt8(AT.deviceOs);
  const channel = CHANNELS[(flags >> 3) & 0x03];
  const pricingModel = PRICING_MODELS[flags & 0x07];
  const device = DEVICES[deviceOs >> 4];
  const os = OSES[deviceOs & 0x0f];
  if (channel === undefined || pricingModel === undefined) return null;
  if (device === undefined || os === undefined) return null;
  const payload: TrackPayload = {
    requestId: bytes.toString('hex', AT.requestId, AT.requestId + 16),
    bidId: bytes.toString('hex', AT.bidId, AT.bidId + 8),
    creativeId: bytes.readUIntBE(AT.creativeId, ID_BYTES),
    adId: bytes.readUIntBE(AT.adId, ID_BYTES),
    zoneId: bytes.readUIntBE(AT.zoneId, ID_BYTES),
    campaignId: bytes.readUIntBE(AT.campaignId, ID_BYTES),
    advertiserId: bytes.readUIntBE(AT.advertiserId, ID_BYTES),
    issuedAt: bytes.readUInt32BE(AT.issuedAt),
    protocol: (flags >> 5) % 2 === 1 ? 2 : 1,
    channel,
    pricingModel,
    priceNanos: bytes.readBigUInt64BE(AT.price),
    uaHash: bytes.toString('hex', AT.uaHash, AT.uaHash + 4),
    ipHash: bytes.toString('hex', AT.ipHash, AT.ipHash + 4),
    country: bytes.readUInt16BE(AT.country) === 0 ? null : bytes.toString('latin1', 75, 77),
    device,
    os,
  };
  const viewSeconds = bytes.at(AT.viewSeconds) ?? 0;
  if (viewSeconds !== 0) payload.viewSeconds = viewSeconds;
  if ((flags & WEBDRIVER_FLAG) !== 0) payload.webdriver = true;
  if ((flags & RESTRICTED_FLAG) !== 0) payload.isRestricted = true;
  return payload;
}

function countryCode(country: string | null): number {
  if (country === null) return 0;
  if (!/^[A-Z]{2}$/.test(country)) throw new RangeError('country is two letters');
  return (country.charCodeAt(0) << 8) | country.charCodeAt(1);
}

/** By character code; 255 for what is no hex digit. */
const HEX_VALUES = new Uint8Array(128).fill(255);
for (const [value, digit] of '0123456789abcdef'.split('').entries()) {
  HEX_VALUES[digit.charCodeAt(0)] = value;
  HEX_VALUES[digit.toUpperCase().charCodeAt(0)] = value;
}

/** Buffer's own hex writer stops silently at the first wrong digit, and is slow to call for a few. */
function writeHex(out: Buffer, text: string, offset: number, bytes: number): void {
  if (text.length !== bytes * 2) throw new RangeError(`${bytes * 2} hex digits are expected`);
  for (let index = 0; index < bytes; index += 1) {
    const high = HEX_VALUES[text.charCodeAt(index * 2)] ?? 255;
    const low = HEX_VALUES[text.charCodeAt(index * 2 + 1)] ?? 255;
    if ((high | low) > 15) throw new RangeError(`${bytes * 2} hex digits are expected`);
    out[offset + index] = (high << 4) | low;
  }
}

function indexOf<Value>(list: readonly Value[], value: Value): number {
  const index = list.indexOf(value);
  if (index < 0) throw new RangeError(`${String(value)} cannot be sealed`);
  return index;
}
