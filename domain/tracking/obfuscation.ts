import { hash } from 'node:crypto';
import { RequestHmac } from './hmac.ts';

/**
 * `_d` of the v2 protocol: JSON under a keystream, in base64url. It is obfuscation, not secrecy:
 * the key is `qa_k` on tracking calls (ASCII) and adRequestKey on the ad request, where no session
 * exists yet. Keystream block i = HMAC-SHA256(key, "d|" + nonce + "|" + i).
 */
export interface Keystream {
  key: string | Buffer;
  /** `_r` of the same request */
  nonce: string;
}

const OBFUSCATED_CHARS_MAX = 2_731;
const BLOCK_BYTES = 32;

export function adRequestKey(zone: string, nonce: string): Buffer {
  return Buffer.from(hash('sha256', `QA2|${zone}|${nonce}`, 'binary'), 'latin1');
}

/** What `_p` of a click says of its page. */
export interface ClickPage {
  url: string;
  title: string;
}

/**
 * `_p` of a click, `<_r>.<obfuscated>`: under the ad request's kind of key, made with the track_id in
 * the zone's place. Null when it is absent or cannot be read, which is no fault (interface 4.14).
 */
export function readClickPage(trackId: string, said: string | null): ClickPage | null {
  const [, nonce = '', text = ''] =
    /^(\d{13}\.[A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]+)$/.exec(said ?? '') ?? [];
  if (nonce === '') return null;
  const data = deobfuscate(text, { key: adRequestKey(trackId, nonce), nonce });
  if (data === null) return null;
  const { u: url, t: title } = data;
  return { url: typeof url === 'string' ? url : '', title: typeof title === 'string' ? title : '' };
}

export function obfuscate(value: unknown, keystream: Keystream): string {
  return applyKeystream(Buffer.from(JSON.stringify(value)), keystream).toString('base64url');
}

/** Null when the text is longer than 2 KB or not a JSON object under this key. */
export function deobfuscate(text: string, keystream: Keystream): Record<string, unknown> | null {
  if (text.length > OBFUSCATED_CHARS_MAX || !/^[A-Za-z0-9_-]+$/.test(text)) return null;
  const json = applyKeystream(Buffer.from(text, 'base64url'), keystream).toString('utf8');
  return parseObject(json);
}

function parseObject(json: string): Record<string, unknown> | null {
  if (!json.startsWith('{')) return null;
  try {
    // What begins with a brace is an object or does not parse.
    return JSON.parse(json) as Record<string, unknown>;
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return null;
    throw error;
  }
}

function applyKeystream(bytes: Buffer, { key, nonce }: Keystream): Buffer {
  const hmac = new RequestHmac(key);
  for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
    const block = hmac.of(`d|${nonce}|${start / BLOCK_BYTES}`, 'binary');
    const end = Math.min(start + BLOCK_BYTES, bytes.length);
    for (let at = start; at < end; at += 1) {
      bytes[at] = (bytes[at] ?? 0) ^ block.charCodeAt(at - start);
    }
  }
  return bytes;
}
