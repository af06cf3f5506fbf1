import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import { BlockMac } from './block-mac.ts';
import type { TrackPayload } from './facts.ts';
import { fillFresh } from './fresh-bytes.ts';
import { pack, PACKED_BYTES, unpack, unpackOld } from './track-payload.ts';

/**
 * The track_id (interface 2.13): encrypt-then-MAC, AES-128-CBC with AES-256-CMAC.
 *
 *     version|key id (1) | IV (16) | ciphertext (96) | tag (16)   = 129 bytes, 172 characters
 *
 * The tag covers everything before it and is compared in constant time before anything is
 * decrypted; every refusal is the same null. Ids that pages got before (151 characters, tagged by
 * HMAC-SHA256, without the ad group) open as they did.
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

const VERSION = 0x20;
const IV_BYTES = 16;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + IV_BYTES + PACKED_BYTES;
const SEALED_BYTES = HEAD_BYTES + TAG_BYTES;
export const TRACK_ID_CHARS = Math.ceil((SEALED_BYTES * 4) / 3);

const OLD_VERSION = 0x10;
const OLD_SEALED_BYTES = 1 + IV_BYTES + 80 + TAG_BYTES;
const OLD_CHARS = Math.ceil((OLD_SEALED_BYTES * 4) / 3);

/** `keys`: the first one seals, all of them open; ids are 0..15. */
export function createTrackSealer(keys: readonly { id: number; secret: Buffer }[]): TrackSealer {
  const [first] = keys;
  if (first === undefined) throw new Error('a track key is needed');
  const byId = new Map(keys.map((key) => [key.id, new TrackKey(key)]));
  const sealing = new TrackKey(first);
  return {
    seal: (payload) => sealing.seal(payload),
    open: (text) => {
      if (text.length !== TRACK_ID_CHARS && text.length !== OLD_CHARS) return null;
      const bytes = Buffer.from(text, 'base64url');
      // Re-encoding must give the input back: else unused trailing bits and skipped characters
      // would let many spellings name one id.
      if (bytes.toString('base64url') !== text) return null;
      const marker = bytes.readUInt8(0);
      const key = byId.get(marker & 0x0f);
      if (key === undefined) return null;
      const version = marker & 0xf0;
      if (version === VERSION && bytes.length === SEALED_BYTES) return key.open(bytes);
      const isOld = version === OLD_VERSION && bytes.length === OLD_SEALED_BYTES;
      return isOld ? key.openOld(bytes) : null;
    },
  };
}

/**
 * Both ciphers go on from id to id, because making one costs more than using it. A random block before
 * each payload comes out as its IV, as unforeseeable as the block, and what follows is ordinary CBC;
 * the other way round, the IV goes in first and what comes out of it is dropped.
 */
class TrackKey {
  readonly #marker: number;
  readonly #cipher;
  readonly #decipher;
  readonly #mac: BlockMac;
  /** Of the ids before this version. */
  readonly #oldEncrypt: KeyObject;
  readonly #oldAuthenticate: KeyObject;
  readonly #plain = Buffer.alloc(IV_BYTES + PACKED_BYTES);
  readonly #payload = this.#plain.subarray(IV_BYTES);
  readonly #sealed = Buffer.alloc(SEALED_BYTES);
  readonly #head = this.#sealed.subarray(0, HEAD_BYTES);

  constructor({ id, secret }: { id: number; secret: Buffer }) {
    const derive = (label: string, bytes: number): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', label, bytes));
    const encrypt = derive('track-id/encrypt', 16);
    const start = Buffer.alloc(IV_BYTES);
    this.#marker = VERSION | id;
    this.#cipher = createCipheriv('aes-128-cbc', encrypt, start).setAutoPadding(false);
    this.#decipher = createDecipheriv('aes-128-cbc', encrypt, start).setAutoPadding(false);
    this.#mac = new BlockMac(derive('track-id/cmac', 32));
    this.#oldEncrypt = createSecretKey(encrypt);
    this.#oldAuthenticate = createSecretKey(derive('track-id/mac', 32));
  }

  seal(payload: TrackPayload): string {
    pack(payload, this.#payload);
    fillFresh(this.#plain, 0, IV_BYTES);
    const sealed = this.#sealed;
    sealed[0] = this.#marker;
    sealed.set(this.#cipher.update(this.#plain), 1);
    sealed.set(this.#mac.tag('', this.#head), HEAD_BYTES);
    return sealed.toString('base64url');
  }

  open(sealed: Buffer): TrackPayload | null {
    const head = sealed.subarray(0, HEAD_BYTES);
    if (!timingSafeEqual(this.#mac.tag('', head), sealed.subarray(HEAD_BYTES))) return null;
    return unpack(this.#decipher.update(head.subarray(1)).subarray(IV_BYTES));
  }

  openOld(sealed: Buffer): TrackPayload | null {
    const head = sealed.subarray(0, OLD_SEALED_BYTES - TAG_BYTES);
    const tag = createHmac('sha256', this.#oldAuthenticate).update('tid\0').update(head).digest();
    if (!timingSafeEqual(tag.subarray(0, TAG_BYTES), sealed.subarray(head.length))) return null;
    const iv = head.subarray(1, 1 + IV_BYTES);
    const decipher = createDecipheriv('aes-128-cbc', this.#oldEncrypt, iv);
    const plain = decipher.update(head.subarray(1 + IV_BYTES));
    return unpackOld(Buffer.concat([plain, decipher.final()]));
  }
}
