import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { DataKey } from '../../db/sealed-columns.ts';

/** A flattened JWS (RFC 7515) with EdDSA (RFC 8037): any tool that knows JOSE can verify it. */
interface SignedText {
  payload: string;
  protected: string;
  signature: string;
}

export interface DocumentSigner {
  /** The same text gives the same bytes: Ed25519 takes no chance. */
  sign(text: string): Buffer;
}

/** A JWK Set (RFC 7517) of the public halves; a key's `kid` is its id in DOCUMENT_KEYS. */
export interface DocumentKeys {
  keys: { kty: 'OKP'; crv: 'Ed25519'; use: 'sig'; alg: 'EdDSA'; kid: string; x: string }[];
}

/** What stands before 32 bytes to make a PKCS #8 key of Ed25519 of them (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

const ownKey = ({ secret }: DataKey): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });

/** The first key signs. */
export function createDocumentSigner(ring: readonly DataKey[]): DocumentSigner {
  const [first] = ring;
  if (first === undefined) throw new Error('no key signs documents');
  const key = ownKey(first);
  return {
    sign(text) {
      const payload = encode(text);
      const header = encode(JSON.stringify({ alg: 'EdDSA', kid: String(first.id) }));
      const signature = sign(null, Buffer.from(`${header}.${payload}`), key).toString('base64url');
      const signed: SignedText = { payload, protected: header, signature };
      return Buffer.from(`${JSON.stringify(signed)}\n`);
    },
  };
}

/** All of the ring verify: what an old key has signed stays good. */
export const documentKeysOf = (ring: readonly DataKey[]): DocumentKeys => ({
  keys: ring.map((entry) => {
    const { x = '' } = createPublicKey(ownKey(entry)).export({ format: 'jwk' });
    return { kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA', kid: String(entry.id), x };
  }),
});

/** What was signed and by which key; undefined when none of the keys has signed exactly these bytes. */
export function openSigned(
  bytes: Buffer,
  { keys }: DocumentKeys,
): { text: string; keyId: string } | undefined {
  const signed = readSigned(bytes.toString());
  if (signed === undefined) return undefined;
  const kid = keyIdOf(signed.protected);
  const found = keys.find((key) => key.kid === kid);
  if (found === undefined) return undefined;
  const { kty, crv, x } = found;
  const key = createPublicKey({ key: { kty, crv, x }, format: 'jwk' });
  const { protected: header, payload, signature } = signed;
  const content = Buffer.from(`${header}.${payload}`);
  if (!verify(null, content, key, Buffer.from(signature, 'base64url'))) return undefined;
  return { text: Buffer.from(payload, 'base64url').toString(), keyId: found.kid };
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

function readSigned(text: string): SignedText | undefined {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const signed = value as Partial<Record<keyof SignedText, unknown>>;
  const { payload, signature, protected: header } = signed;
  if (typeof payload !== 'string' || typeof signature !== 'string' || typeof header !== 'string') {
    return undefined;
  }
  // To the letter what was written: base64url has bits that decoders skip.
  const again = { payload, protected: header, signature };
  const isPlain = Object.values(again).every(
    (part) => Buffer.from(part, 'base64url').toString('base64url') === part,
  );
  return isPlain && `${JSON.stringify(again)}\n` === text ? again : undefined;
}

function keyIdOf(header: string): string | undefined {
  const value = parsed(Buffer.from(header, 'base64url').toString());
  if (typeof value !== 'object' || value === null) return undefined;
  const { alg, kid } = value as { alg?: unknown; kid?: unknown };
  return alg === 'EdDSA' && typeof kid === 'string' ? kid : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
