import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';

const BASE64 = /^[A-Za-z0-9+/=\s]+$/;

/** PEM, or what stands between its lines (PKCS#8, PKCS#1). Raises what node:crypto says of no key. */
export function privateKeyOf(text: string): KeyObject {
  if (!BASE64.test(text)) return createPrivateKey(text.replaceAll('\\n', '\n'));
  const key = Buffer.from(text, 'base64');
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    return createPrivateKey({ key, format: 'der', type: 'pkcs1' });
  }
}

/** PEM, or what stands between its lines (SPKI). */
export function publicKeyOf(text: string): KeyObject {
  if (!BASE64.test(text)) return createPublicKey(text.replaceAll('\\n', '\n'));
  return createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
}

/** RSA with SHA-256, base64: RSA2 of Alipay and SHA256-RSA2048 of WeChat Pay. */
export const signRsa = (text: string, key: KeyObject): string =>
  signBytes('sha256', Buffer.from(text), key).toString('base64');

export const isSignedBy = (content: string | Buffer, signature: string, key: KeyObject): boolean =>
  verifyBytes('sha256', Buffer.from(content), key, Buffer.from(signature, 'base64'));
