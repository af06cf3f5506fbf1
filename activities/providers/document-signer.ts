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
  /** What was signed and by which key; undefined when no key of the ring has signed these bytes. */
  open(bytes: Buffer): { text: string; keyId: number } | undefined;
}

/** What stands before 32 bytes to make a PKCS #8 key of Ed25519 of them (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The first key signs, all of them verify. */
export function createDocumentSigner(ring: readonly DataKey[]): DocumentSigner {
  const keys = ring.map(({ id, secret }) => {
    const own = createPrivateKey({
      key: Buffer.concat([PKCS8, secret]),
      format: 'der',
      type: 'pkcs8',
    });
    return { id, own, open: createPublicKey(own) };
  });
  const [first] = keys;
  if (first === undefined) throw new Error('no key signs documents');
  return {
    sign(text) {
      const payload = encode(text);
      const header = encode(JSON.stringify({ alg: 'EdDSA', kid: String(first.id) }));
      const signature = sign(null, Buffer.from(`${header}.${payload}`), first.own);
      const signed: SignedText = {
        payload,
        protected: header,
        signature: signature.toString('base64url'),
      };
      return Buffer.from(`${JSON.stringify(signed)}\n`);
    },
    open(bytes) {
      const signed = readSigned(bytes.toString());
      if (signed === undefined) return undefined;
      const kid = keyIdOf(signed.protected);
      const key = keys.find(({ id }) => String(id) === kid);
      if (key === undefined || !isSigned(signed, key.open)) return undefined;
      return { text: Buffer.from(signed.payload, 'base64url').toString(), keyId: key.id };
    },
  };
}

const encode = (text: string): string => Buffer.from(text).toString('base64url');

const isSigned = ({ protected: header, payload, signature }: SignedText, key: KeyObject): boolean =>
  verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'));

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
