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
 * The two kinds of `qa_k`. Both are stateless and say only when they end and what they belong to:
 *
 *     session key (ad answer)    0x21 | ends (4) | request (8) | agent (4) | random (10) | tag (16)  = 58 characters
 *     click key (interstitial)   0x22 | ends (4) | track id (8) | click event (16) | agent (4) | tag (16) = 66 characters
 *
 * `request`, `track id` and `agent` are keyed hashes, so a key of one request, one click or one
 * browser family is refused for another. The address is not bound: a phone changes networks, and
 * the two hosts may be reached over different IP versions. Its prefix is sealed in the track_id and
 * stored with every event, where settlement compares them. A click key is single use, which the
 * conditional UPDATE of its clicks row enforces.
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
const SESSION_BYTES = 43;
const CLICK_BYTES = 49;

export function createSessionKeys(key: Buffer): SessionKeys {
  const secret = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', 'session-key', 32)));
  const hash = (label: string, value: string, bytes: number): Buffer =>
    createHmac('sha256', secret).update(`${label}\0${value}`).digest().subarray(0, bytes);
  return {
    mintSession: ({ requestId, viewer, now }) =>
      sign(secret, [
        head(SESSION_TYPE, now, SESSION_TTL_SECONDS),
        hash('request', requestId, 8),
        hash('agent', viewer.uaHash, 4),
        freshBytes(10),
      ]),
    checkSession: (text, { requestId, viewer, now }) => {
      const body = verified(secret, text, SESSION_TYPE);
      if (body === null) return 'bad';
      const bound = Buffer.concat([hash('request', requestId, 8), hash('agent', viewer.uaHash, 4)]);
      if (!bound.equals(body.subarray(5, 17))) return 'bad';
      return hasEnded(body, now) ? 'expired' : 'ok';
    },
    randOf: (sessionKey) => hash('rand', sessionKey, 9).toString('base64url'),
    mintClick: ({ trackId, clickEventId, viewer, now }) =>
      sign(secret, [
        head(CLICK_TYPE, now, CLICK_TTL_SECONDS),
        hash('track', trackId, 8),
        uuidBytes(clickEventId),
        hash('agent', viewer.uaHash, 4),
      ]),
    openClick: (text, { trackId, viewer, now }) => {
      const body = verified(secret, text, CLICK_TYPE);
      if (body === null) return 'bad';
      if (!hash('track', trackId, 8).equals(body.subarray(5, 13))) return 'bad';
      if (!hash('agent', viewer.uaHash, 4).equals(body.subarray(29, 33))) return 'bad';
      return hasEnded(body, now) ? 'expired' : { clickEventId: uuidText(body.subarray(13, 29)) };
    },
  };
}

function head(type: number, now: Date, ttlSeconds: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(Math.floor(now.getTime() / 1000) + ttlSeconds, 1);
  return bytes;
}

const hasEnded = (body: Buffer, now: Date): boolean => body.readUInt32BE(1) * 1000 < now.getTime();

function sign(secret: KeyObject, parts: Buffer[]): string {
  const body = Buffer.concat(parts);
  return Buffer.concat([body, tagOf(secret, body)]).toString('base64url');
}

/** The body whose tag holds; canonical spelling only, so that one key has one text. */
function verified(secret: KeyObject, text: string, type: number): Buffer | null {
  const length = type === SESSION_TYPE ? SESSION_BYTES : CLICK_BYTES;
  if (text.length !== Math.ceil((length * 4) / 3)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== length || bytes.toString('base64url') !== text) return null;
  const body = bytes.subarray(0, length - TAG_BYTES);
  if (!timingSafeEqual(tagOf(secret, body), bytes.subarray(length - TAG_BYTES))) return null;
  return body.readUInt8(0) === type ? body : null;
}

const tagOf = (secret: KeyObject, body: Buffer): Buffer =>
  createHmac('sha256', secret).update('tag\0').update(body).digest().subarray(0, TAG_BYTES);

function uuidBytes(uuid: string): Buffer {
  const bytes = Buffer.from(uuid.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16) throw new RangeError('a click event id is a UUID');
  return bytes;
}

const uuidText = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
