import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Viewer } from '../viewer.ts';
import { BlockMac } from './block-mac.ts';
import { fillFresh } from './fresh-bytes.ts';

/**
 * The two kinds of `qa_k`. Both are stateless and say only when they end:
 *
 *     session key (ad answer)    0x23 | ends (4) | random (22) | tag (16)         = 58 characters
 *     click key (interstitial)   0x24 | ends (4) | click event (16) | tag (16)    = 50 characters
 *
 * What a key belongs to (its request or track_id, and the browser family) is under the tag and not
 * in the key, so a key of one request, one click or one browser family is refused for another, and
 * minting costs one tag, an AES-256-CMAC. Keys under 0x21 and 0x22 have an HMAC-SHA256 in its place and
 * hold until they end. The address is not bound: a phone changes networks, and the two hosts may
 * be reached over different IP versions. Its prefix is sealed in the track_id and stored with every
 * event, where settlement compares them. A click key is single use, which the conditional UPDATE of
 * its clicks row enforces.
 */
export interface SessionKeys {
  mintSession(input: { requestId: string; viewer: Bound; now: Date }): string;
  checkSession(
    text: string,
    against: { requestId: string; viewer: Bound; now: Date },
  ): SessionCheck;
  /** `_rand` of the ad answer: proves to the page that the answer is whole. */
  randOf(sessionKey: string): string;
  mintClick(input: { trackId: string; clickEventId: string; viewer: Bound; now: Date }): string;
  /** `bad` for anything that was not minted here for this track id and this browser family. */
  openClick(
    text: string,
    against: { trackId: string; viewer: Bound; now: Date },
  ): { clickEventId: string } | 'expired' | 'bad';
}

export type SessionCheck = 'ok' | 'expired' | 'bad';
type Bound = Pick<Viewer, 'uaHash'>;

const SESSION_TTL_SECONDS = 3_600;
/** interface 4.14: click-verify's qa_k. */
export const CLICK_TTL_SECONDS = 300;

const SESSION_TYPE = 0x23;
const CLICK_TYPE = 0x24;
/** Of the keys that were tagged by HMAC. */
const OLD_SESSION_TYPE = 0x21;
const OLD_CLICK_TYPE = 0x22;
const TAG_BYTES = 16;
const HEAD_BYTES = 5;
const SESSION_BYTES = 43;
const CLICK_BYTES = 37;
const RAND_BYTES = 9;
const NO_BYTES = Buffer.alloc(0);

export function createSessionKeys(key: Buffer): SessionKeys {
  const derive = (label: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', label, 32));
  const tags: Tags = {
    mac: new BlockMac(derive('session-key/cmac')),
    old: createSecretKey(derive('session-key')),
  };
  const session = new Draft(SESSION_BYTES);
  const click = new Draft(CLICK_BYTES);
  return {
    mintSession: ({ requestId, viewer, now }) => {
      writeHead(session.body, SESSION_TYPE, endOf(now, SESSION_TTL_SECONDS));
      fillFresh(session.body, HEAD_BYTES, SESSION_BYTES - TAG_BYTES - HEAD_BYTES);
      return session.sealed(tags.mac, [requestId, viewer.uaHash]);
    },
    checkSession: (text, { requestId, viewer, now }) => {
      const types = { type: SESSION_TYPE, oldType: OLD_SESSION_TYPE, length: SESSION_BYTES };
      const body = unseal(tags, { text, ...types, owner: [requestId, viewer.uaHash] });
      if (body === null) return 'bad';
      return hasEnded(body, now) ? 'expired' : 'ok';
    },
    randOf: (sessionKey) =>
      tags.mac.tag(`rand\0${sessionKey}`, NO_BYTES).toString('base64url', 0, RAND_BYTES),
    mintClick: ({ trackId, clickEventId, viewer, now }) => {
      writeHead(click.body, CLICK_TYPE, endOf(now, CLICK_TTL_SECONDS));
      writeUuid(click.body, clickEventId);
      return click.sealed(tags.mac, [trackId, viewer.uaHash]);
    },
    openClick: (text, { trackId, viewer, now }) => {
      const types = { type: CLICK_TYPE, oldType: OLD_CLICK_TYPE, length: CLICK_BYTES };
      const body = unseal(tags, { text, ...types, owner: [trackId, viewer.uaHash] });
      if (body === null) return 'bad';
      if (hasEnded(body, now)) return 'expired';
      return { clickEventId: uuidText(body.subarray(HEAD_BYTES)) };
    },
  };
}

interface Tags {
  mac: BlockMac;
  old: KeyObject;
}

const endOf = (now: Date, ttlSeconds: number): number =>
  Math.floor(now.getTime() / 1000) + ttlSeconds;

function writeHead(out: Buffer, type: number, ends: number): void {
  out.writeUInt8(type, 0);
  out.writeUInt32BE(ends, 1);
}

const hasEnded = (body: Buffer, now: Date): boolean => body.readUInt32BE(1) * 1000 < now.getTime();

/** Whom a key belongs to: request or track_id, and browser family. Neither holds a NUL. */
type Owner = readonly [subject: string, uaHash: string];

const ownerText = ([subject, uaHash]: Owner): string => `tag\0${subject}\0${uaHash}\0`;

/** Where keys of one kind are written, one after another. */
class Draft {
  readonly #bytes: Buffer;
  readonly body: Buffer;

  constructor(length: number) {
    this.#bytes = Buffer.alloc(length);
    this.body = this.#bytes.subarray(0, length - TAG_BYTES);
  }

  sealed(mac: BlockMac, owner: Owner): string {
    this.#bytes.set(mac.tag(ownerText(owner), this.body), this.body.length);
    return this.#bytes.toString('base64url');
  }
}

/** The body whose tag holds; canonical spelling only, so that one key has one text. */
function unseal(
  tags: Tags,
  sealed: { text: string; type: number; oldType: number; length: number; owner: Owner },
): Buffer | null {
  const { text, length } = sealed;
  if (text.length !== Math.ceil((length * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== text) return null;
  const type = bytes.readUInt8(0);
  if (type !== sealed.type && type !== sealed.oldType) return null;
  const body = bytes.subarray(0, length - TAG_BYTES);
  const owner = ownerText(sealed.owner);
  const tag = type === sealed.type ? tags.mac.tag(owner, body) : oldTag(tags.old, owner, body);
  return timingSafeEqual(tag, bytes.subarray(length - TAG_BYTES)) ? body : null;
}

const oldTag = (secret: KeyObject, owner: string, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(owner).update(body).digest().subarray(0, TAG_BYTES);

function writeUuid(out: Buffer, uuid: string): void {
  const hex = uuid.replaceAll('-', '');
  if (out.write(hex, HEAD_BYTES, 16, 'hex') !== 16 || hex.length !== 32) {
    throw new RangeError('a click event id is a UUID');
  }
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
