import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

/**
 * The v2 protocol as the page speaks it (interface 9). This is obfuscation and tamper-evidence, not
 * secrecy: the key travels to the page. WebCrypto is not used because it is missing on plain-http
 * pages and cannot finish inside `pagehide`.
 */
const encoder = new TextEncoder();

export function nonce(now: number): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `${String(now).padStart(13, '0')}.${base64url(bytes)}`;
}

/** `_d` of an ad request: the key comes from the zone and the nonce, as no session exists yet. */
export function obfuscateForRequest(zone: string, requestNonce: string, value: object): string {
  return obfuscate(value, sha256(encoder.encode(`QA2|${zone}|${requestNonce}`)), requestNonce);
}

function obfuscate(value: object, key: Uint8Array, nonceOf: string): string {
  const plain = encoder.encode(JSON.stringify(value));
  const out = new Uint8Array(plain.length);
  for (let offset = 0, block = 0; offset < plain.length; offset += 32, block += 1) {
    const stream = hmac(sha256, key, encoder.encode(`d|${nonceOf}|${block}`));
    for (let i = 0; i < 32 && offset + i < plain.length; i += 1) {
      out[offset + i] = (plain[offset + i] ?? 0) ^ (stream[i] ?? 0);
    }
  }
  return base64url(out);
}

/**
 * The query of a beacon that bills, with its signature. `event` is a word and all else is base64url,
 * digits and a dot: nothing is encoded, and the parameters stand in the order that is signed.
 */
export function signedQuery(
  path: string,
  { event, key, device, now }: { event: string; key: string; device: object; now: number },
): string {
  const keyBytes = encoder.encode(key);
  const fresh = nonce(now);
  const query = `_d=${obfuscate(device, keyBytes, fresh)}&_r=${fresh}&_v=2&e=${event}&qa_k=${key}`;
  const canonical = encoder.encode(`QA2\nGET\n${path}\n${query}`);
  return `${query}&_s=${base64url(hmac(sha256, keyBytes, canonical))}`;
}

function base64url(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
