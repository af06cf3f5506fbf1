import { timingSafeEqual } from 'node:crypto';
import { hmacOnce } from './hmac.ts';

/**
 * `_s` of the v2 protocol: HMAC-SHA256 over the request, keyed by the ASCII of its `qa_k`. The key
 * travels to the page, so this is tamper evidence and binding, not proof of a person.
 */
export interface SignedRequest {
  method: string;
  path: string;
  /** Decoded parameters; `_s` among them is left out. */
  params: Iterable<readonly [string, string]>;
}

/** `QA2`, method, path and the parameters sorted by the bytes of their names, a line each. */
export function canonicalOf(request: SignedRequest): string {
  const params = [...request.params].filter(([name]) => name !== '_s');
  params.sort(byName);
  const joined = params.map(([name, value]) => `${name}=${value}`).join('&');
  return `QA2\n${request.method}\n${request.path}\n${joined}`;
}

/** By the bytes of UTF-8; names that are ASCII need no bytes to be made for that. */
function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  if (ASCII.test(a) && ASCII.test(b)) return a < b ? -1 : Number(a > b);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

const ASCII = /^[\x20-\x7e]*$/;

export const signRequest = (sessionKey: string, request: SignedRequest): string =>
  hmacOnce(sessionKey, canonicalOf(request));

export function isSignedBy(sessionKey: string, request: SignedRequest, signature: string): boolean {
  const expected = Buffer.from(signRequest(sessionKey, request));
  const given = Buffer.from(signature);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** The fields of a JSON body as parameters: texts as they are, the rest as minified JSON with sorted keys. */
export function bodyParams(body: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(sortKeys(value)),
  ]);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)]),
  );
}

/** How far a reporter's clock may be away. */
export const CLOCK_SKEW_MAX_MS = 300_000;

/** `_r`: `<13-digit Unix ms>.<16 characters>`. Null when it is not of that form. */
export function nonceTime(nonce: string): number | null {
  const match = /^(\d{13})\.[A-Za-z0-9_-]{16}$/.exec(nonce);
  return match === null ? null : Number(match[1]);
}
