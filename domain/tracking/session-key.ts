import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
} from 'node:crypto';
import type { Viewer } from '../viewer.ts';
import { freshBytes } from './fresh-bytes.ts';

/**
 * The two kinds of `qa_k`. Both are stateless and say only when they end:
 *
 *     session key (ad answer)    0x21 | ends (4) | random (22) | tag (16)         = 58 characters
 *     click key (interstitial)   0x22 | ends (4) | click event (16) | tag (16)    = 50 characters
 *
 * What a key belongs to (its request or track_id, and the browser family) is under the tag and not
 * in the key, so a key of one request, one click or one browser family is refused for another, and
 * minting costs one HMAC. The address is not bound: a phone changes networks, and the two hosts may
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

const SESSION_TYPE = 0x21;
const CLICK_TYPE = 0x22;
const TAG_BYTES = 16;
const HEAD_BYTES = 5;
const SESSION_BYTES = 43;
const CLICK_BYTES = 37;

export function createSessionKeys(key: Buffer): SessionKeys {
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'session-key', 32)));
  return {
    mintSession: ({ requestId, viewer, now }) => {
      const body = Buffer.concat([
        head(SESSION_TYPE, now, SESSION_TTL_SECONDS),
        freshBytes(SESSION_BYTES - TAG_BYTES - HEAD_BYTES),
      ]);
      return seal(secret, body, [requestId, viewer.uaHash]);
    },
    checkSession: (text, { requestId, viewer, now }) => {
      const body = unseal(secret, { text, type: SESSION_TYPE, owner: [requestId, viewer.uaHash] });
      if (body === null) return 'bad';
      return hasEnded(body, now) ? 'expired' : 'ok';
    },
    randOf: (sessionKey) =>
      createHmac('sha256', secret).update(`rand\0${sessionKey}`).digest('base64url').slice(0, 12),
    mintClick: ({ trackId, clickEventId, viewer, now }) => {
      const body = Buffer.concat([
        head(CLICK_TYPE, now, CLICK_TTL_SECONDS),
        uuidBytes(clickEventId),
      ]);
      return seal(secret, body, [trackId, viewer.uaHash]);
    },
    openClick: (text, { trackId, viewer, now }) => {
      const body = unseal(secret, { text, type: CLICK_TYPE, owner: [trackId, viewer.uaHash] });
      if (body === null) return 'bad';
      if (hasEnded(body, now)) return 'expired';
      return { clickEventId: uuidText(body.subarray(HEAD_BYTES)) };
    },
  };
}

function head(type: number, now: Date, ttlSeconds: number): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(Math.floor(now.getTime() / 1000) + ttlSeconds, 1);
  return bytes;
}

const hasEnded = (body: Buffer, now: Date): boolean => body.readUInt32BE(1) * 1000 < now.getTime();

/** Whom a key belongs to: request or track_id, and browser family. Neither holds a NUL. */
type Owner = readonly [subject: string, uaHash: string];

const seal = (secret: KeyObject, body: Buffer, owner: Owner): string =>
  Buffer.concat([body, tagOf(secret, body, owner)]).toString('base64url');

/** The body whose tag holds; canonical spelling only, so that one key has one text. */
function unseal(
  secret: KeyObject,
  { text, type, owner }: { text: string; type: number; owner: Owner },
): Buffer | null {
  const length = type === SESSION_TYPE ? SESSION_BYTES : CLICK_BYTES;
  if (text.length !== Math.ceil((length * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== text) return null;
  const body = bytes.subarray(0, length - TAG_BYTES);
  if (!timingSafeEqual(tagOf(secret, body, owner), bytes.subarray(length - TAG_BYTES))) return null;
  return body.readUInt8(0) === type ? body : null;
}

const tagOf = (secret: KeyObject, body: Buffer, [subject, uaHash]: Owner): Buffer =>
  createHmac('sha256', secret)
    .update(`tag\0${subject}\0${uaHash}\0`)
    .update(body)
    .digest()
    .subarray(0, TAG_BYTES);

function uuidBytes(uuid: string): Buffer {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new RangeError('a click event id is a UUID');
  return bytes;
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
