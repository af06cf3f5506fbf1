import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import { addressOfPoint } from './evm-address.ts';

/** A movement of tokens from one wallet, as its chain takes it. Fees in wei for a unit of gas. */
export interface TokenPayment {
  chainId: number;
  nonce: number;
  tipWei: bigint;
  feeWeiMax: bigint;
  gas: bigint;
  contract: string;
  to: string;
  /** Millionths of the token. */
  units: bigint;
}

/** Both as `0x…`; the same payment is the same bytes, as signatures are made by RFC 6979. */
export interface SignedBytes {
  bytes: string;
  hash: string;
}

const TRANSFER = 'a9059cbb';
/** Transactions of EIP-1559. */
const KIND = Uint8Array.of(2);
const NO_VALUE = 0n;

/** What `transfer(address,uint256)` is called with. */
export const transferCall = ({ to, units }: Pick<TokenPayment, 'to' | 'units'>): string =>
  `0x${TRANSFER}${to.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`;

/** EIP-1559 and EIP-2: low s, the parity in front of the two halves. `key` is 32 bytes in hex. */
export function signTransfer(payment: TokenPayment, key: string): SignedBytes {
  const { chainId, nonce, tipWei, feeWeiMax, gas, contract } = payment;
  const numbers = [BigInt(chainId), BigInt(nonce), tipWei, feeWeiMax, gas];
  const fields: Item[] = [
    ...numbers.map(minimal),
    hexToBytes(contract.slice(2)),
    minimal(NO_VALUE),
    hexToBytes(transferCall(payment).slice(2)),
    [],
  ];
  const asked = keccak_256(concatBytes(KIND, encode(fields)));
  const signature = secp256k1.sign(asked, secretOf(key), { prehash: false, format: 'recovered' });
  const parts = [signature.subarray(0, 1), signature.subarray(1, 33), signature.subarray(33)];
  const halves = parts.map((part) => minimal(BigInt(`0x${bytesToHex(part)}`)));
  const bytes = concatBytes(KIND, encode([...fields, ...halves]));
  return { bytes: `0x${bytesToHex(bytes)}`, hash: `0x${bytesToHex(keccak_256(bytes))}` };
}

/** The account that a private key signs for, in the form that carries its checksum. */
export const addressOfKey = (key: string): string =>
  addressOfPoint(secp256k1.getPublicKey(secretOf(key), false));

const secretOf = (key: string): Uint8Array => hexToBytes(key.replace(/^0x/, ''));

/** Recursive length prefix, the chain's own packing: bytes, or a list of such. */
type Item = Uint8Array | readonly Item[];

function encode(item: Item): Uint8Array {
  if (!(item instanceof Uint8Array)) return prefixed(0xc0, concatBytes(...item.map(encode)));
  const [first = 0] = item;
  return item.length === 1 && first < 0x80 ? item : prefixed(0x80, item);
}

function prefixed(kind: number, body: Uint8Array): Uint8Array {
  if (body.length < 56) return concatBytes(Uint8Array.of(kind + body.length), body);
  const length = minimal(BigInt(body.length));
  return concatBytes(Uint8Array.of(kind + 55 + length.length), length, body);
}

/** Without zeros in front; zero itself is nothing. */
function minimal(number: bigint): Uint8Array {
  if (number === 0n) return new Uint8Array();
  const hex = number.toString(16);
  return hexToBytes(hex.padStart(hex.length + (hex.length % 2), '0'));
}
