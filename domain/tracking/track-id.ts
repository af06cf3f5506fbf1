import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { DEVICES, OSES } from '../viewer.ts';
import type { PricingModel, TrackPayload } from './facts.ts';
import { freshBytes } from './fresh-bytes.ts';

/**
 * The track_id (interface 2.13): encrypt-then-MAC, AES-128-CBC with HMAC-SHA256/128.
 *
 *     version|key id (1) | IV (16) | ciphertext (96) | tag (16)   = 129 bytes, 172 characters
 *
 * Before pages and devices were sealed the ciphertext was of 80 bytes; those still open.
 *
 * The tag covers everything before it and is compared in constant time before anything is
 * decrypted, so there is no padding to ask about; every refusal is the same null.
 */
export interface TrackSealer {
  seal(payload: TrackPayload): string;
  /** Null for anything that was not sealed here. Age is the caller's question (TRACK_TTL_SECONDS). */
  open(text: string): TrackPayload | null;
}

/** Seconds after `issuedAt` within which each use counts (interface 2.13). */
export const TRACK_TTL_SECONDS = {
  impression: 3_600,
  click: 86_400,
  view: 21_600,
  video: 21_600,
} as const;

const VERSION = 0x10;
const IV_BYTES = 16;
const TAG_BYTES = 16;
const charsOf = (ciphertextBytes: number): number =>
  Math.ceil(((1 + IV_BYTES + ciphertextBytes + TAG_BYTES) * 4) / 3);
export const TRACK_ID_CHARS = charsOf(96);
const TRACK_ID_CHARS_BEFORE = charsOf(80);

interface Keys {
  encrypt: KeyObject;
  authenticate: KeyObject;
}

/** `keys`: the first one seals, all of them open; ids are 0..15. */
export function createTrackSealer(keys: readonly { id: number; secret: Buffer }[]): TrackSealer {
  const [first] = keys;
  if (first === undefined) throw new Error('a track key is needed');
  const byId = new Map(keys.map((key) => [key.id, deriveKeys(key.secret)]));
  const sealing = deriveKeys(first.secret);
  return {
    seal: (payload) => {
      const iv = freshBytes(IV_BYTES);
      const cipher = createCipheriv('aes-128-cbc', sealing.encrypt, iv);
      const head = Buffer.concat([
        Buffer.of(VERSION | first.id),
        iv,
        cipher.update(pack(payload)),
        cipher.final(),
      ]);
      return Buffer.concat([head, tagOf(sealing, head)]).toString('base64url');
    },
    open: (text) => {
      if (text.length !== TRACK_ID_CHARS && text.length !== TRACK_ID_CHARS_BEFORE) return null;
      const bytes = Buffer.from(text, 'base64url');
      // Re-encoding must give the input back: else unused trailing bits and skipped characters
      // would let many spellings name one id.
      if (bytes.toString('base64url') !== text) return null;
      const marker = bytes.readUInt8(0);
      const opening = (marker & 0xf0) === VERSION ? byId.get(marker & 0x0f) : undefined;
      if (opening === undefined) return null;
      const head = bytes.subarray(0, -TAG_BYTES);
      if (!timingSafeEqual(tagOf(opening, head), bytes.subarray(-TAG_BYTES))) {
        return null;
      }
      const decipher = createDecipheriv('aes-128-cbc', opening.encrypt, head.subarray(1, 17));
      return unpack(Buffer.concat([decipher.update(head.subarray(17)), decipher.final()]));
    },
  };
}

function deriveKeys(secret: Buffer): Keys {
  const derive = (label: string, bytes: number): KeyObject =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', label, bytes)));
  return { encrypt: derive('track-id/encrypt', 16), authenticate: derive('track-id/mac', 32) };
}

function tagOf(keys: Keys, head: Buffer): Buffer {
  return createHmac('sha256', keys.authenticate)
    .update('tid\0')
    .update(head)
    .digest()
    .subarray(0, TAG_BYTES);
}

const PRICING_MODELS: readonly PricingModel[] = ['CPM', 'CPC', 'CPA', 'CPS', 'CPV'];
const CHANNELS: readonly TrackPayload['channel'][] = ['page', 'render', 'vast'];
/** Of 95 that padding leaves of 96. */
const PACKED_BYTES = 93;
/** Of before: without page and device, and before videos were sold. */
const PACKED_BYTES_BEFORE: readonly number[] = [79, 78];
const ID_BYTES = 6;
const FINGERPRINT_BYTES = 8;

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
  pageId: 79,
  fingerprint: 85,
} as const;

/** flags: protocol (1 bit) | channel (2) | pricing model (3). Raises RangeError on a value that does not fit. */
function pack(payload: TrackPayload): Buffer {
  const out = Buffer.alloc(PACKED_BYTES);
  writeHex(out, payload.requestId, AT.requestId, 16);
  writeHex(out, payload.bidId, AT.bidId, 8);
  out.writeUIntBE(payload.creativeId, AT.creativeId, ID_BYTES);
  out.writeUIntBE(payload.adId, AT.adId, ID_BYTES);
  out.writeUIntBE(payload.zoneId, AT.zoneId, ID_BYTES);
  out.writeUIntBE(payload.campaignId, AT.campaignId, ID_BYTES);
  out.writeUIntBE(payload.advertiserId, AT.advertiserId, ID_BYTES);
  out.writeUInt32BE(payload.issuedAt, AT.issuedAt);
  const channel = indexOf(CHANNELS, payload.channel);
  const model = indexOf(PRICING_MODELS, payload.pricingModel);
  out.writeUInt8(((payload.protocol - 1) << 5) | (channel << 3) | model, AT.flags);
  writeHex(out, payload.uaHash, AT.uaHash, 4);
  writeHex(out, payload.ipHash, AT.ipHash, 4);
  out.writeBigUInt64BE(payload.priceNanos, AT.price);
  if (payload.country !== null) {
    if (!/^[A-Z]{2}$/.test(payload.country)) throw new RangeError('country is two letters');
    out.write(payload.country, AT.country, 'latin1');
  }
  const device = indexOf(DEVICES, payload.device);
  out.writeUInt8((device << 4) | indexOf(OSES, payload.os), AT.deviceOs);
  out.writeUInt8(payload.viewSeconds ?? 0, AT.viewSeconds);
  out.writeUIntBE(payload.pageId ?? 0, AT.pageId, ID_BYTES);
  if (payload.fingerprint !== undefined) {
    writeHex(out, payload.fingerprint, AT.fingerprint, FINGERPRINT_BYTES);
  }
  return out;
}

/** Null for a payload of another build whose values this one does not know. */
function unpack(bytes: Buffer): TrackPayload | null {
  if (bytes.length !== PACKED_BYTES && !PACKED_BYTES_BEFORE.includes(bytes.length)) return null;
  const flags = bytes.readUInt8(AT.flags);
  const deviceOs = bytes.readUInt8(AT.deviceOs);
  const channel = CHANNELS[(flags >> 3) & 0x03];
  const pricingModel = PRICING_MODELS[flags & 0x07];
  const device = DEVICES[deviceOs >> 4];
  const os = OSES[deviceOs & 0x0f];
  if (channel === undefined || pricingModel === undefined) return null;
  if (device === undefined || os === undefined) return null;
  const viewSeconds = bytes.at(AT.viewSeconds) ?? 0;
  const isOfBefore = bytes.length !== PACKED_BYTES;
  const pageId = isOfBefore ? 0 : bytes.readUIntBE(AT.pageId, ID_BYTES);
  const fingerprint = isOfBefore ? '' : bytes.toString('hex', AT.fingerprint, PACKED_BYTES);
  return {
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
    ...(viewSeconds === 0 ? {} : { viewSeconds }),
    ...(pageId === 0 ? {} : { pageId }),
    // A device without a fingerprint is all zeros; that one is hashed to them is one in 2^64.
    ...(/^0*$/.test(fingerprint) ? {} : { fingerprint }),
  };
}

/** Buffer's own hex writer stops silently at the first wrong digit. */
function writeHex(out: Buffer, text: string, offset: number, bytes: number): void {
  if (out.write(text, offset, bytes, 'hex') !== bytes || text.length !== bytes * 2) {
    throw new RangeError(`${bytes * 2} hex digits are expected`);
  }
}

function indexOf<Value>(list: readonly Value[], value: Value): number {
  const index = list.indexOf(value);
  if (index < 0) throw new RangeError(`${String(value)} cannot be sealed`);
  return index;
}
