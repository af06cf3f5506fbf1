import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { addressOfPoint, pointOfChild } from './evm-address.ts';

const PREFIX = 0x41;
const base58 = createBase58check(sha256);

/** `T…` of an account's 20 bytes, which logs carry as Ethereum's do. */
export const tronAddress = (hex: string): string =>
  base58.encode(Uint8Array.of(PREFIX, ...hexToBytes(hex)));

/** The 20 bytes of `T…` as 40 digits in lower case; null where a letter is wrong, as its checksum tells. */
export function hexOfTron(address: string): string | null {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(address)) return null;
  try {
    const bytes = base58.decode(address);
    return bytes.length === 21 && bytes[0] === PREFIX ? bytesToHex(bytes.subarray(1)) : null;
  } catch {
    // The library raises where the checksum is wrong.
    return null;
  }
}

/** The receiving address of an order: child `0/<index>` of the key of `m/44'/195'/<account>'`. */
export const tronAddressOfChild = (xpub: string, index: number): string =>
  tronAddress(addressOfPoint(pointOfChild(xpub, index)).slice(2));
