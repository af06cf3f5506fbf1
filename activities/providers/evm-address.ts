import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { HDKey } from '@scure/bip32';

/** EIP-55: the letters' case is a checksum. Ethereum's Keccak is older than SHA-3, whose padding differs. */
export function checksummed(address: string): string {
  const hex = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(utf8ToBytes(hex)));
  const cased = Array.from(hex).map((char, at) =>
    Number.parseInt(hash[at] ?? '0', 16) >= 8 ? char.toUpperCase() : char,
  );
  return `0x${cased.join('')}`;
}

/** The receiving address of an order. */
export const addressOfChild = (xpub: string, index: number): string =>
  addressOfPoint(pointOfChild(xpub, index));

/** Child `0/<index>` of an account's extended public key (BIP-32, BIP-44), in its long form. */
export function pointOfChild(xpub: string, index: number): Uint8Array {
  const { publicKey } = HDKey.fromExtendedKey(xpub).deriveChild(0).deriveChild(index);
  if (publicKey === null) throw new Error('an extended public key has no such child');
  return secp256k1.Point.fromBytes(publicKey).toBytes(false);
}

/** Of a public key in its long form. */
export const addressOfPoint = (point: Uint8Array): string =>
  checksummed(`0x${bytesToHex(keccak_256(point.subarray(1))).slice(-40)}`);
