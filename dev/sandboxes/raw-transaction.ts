import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';

/** A signed call of a token, as a node reads it from its bytes. */
export interface RawTransfer {
  hash: string;
  /** Recovered from the signature. */
  from: string;
  chainId: number;
  nonce: number;
  tipWei: bigint;
  feeWeiMax: bigint;
  contract: string;
  to: string;
  value: bigint;
}

/** Raises for bytes that no node takes, or that are no movement of a token. */
export function readTransfer(text: string): RawTransfer {
  const bytes = hexToBytes(text.slice(2));
  if (bytes[0] !== 2) throw new Error('transaction type not supported');
  const { items, end } = listAt(bytes, 1);
  if (items.length !== 12 || end !== bytes.length) throw new Error('rlp: wrong number of fields');
  const [chainId, nonce, tipWei, feeWeiMax, , contract, , data, , parity, r, s] = items.map(
    (item) => item.body,
  );
  const call = bytesToHex(data ?? new Uint8Array());
  if (!/^a9059cbb[0-9a-f]{128}$/.test(call)) throw new Error('no call of transfer');
  // What was signed is the list without the last three, behind a head of its own.
  const first = items[0]?.at ?? 0;
  const last = items[9]?.at ?? 0;
  const unsigned = bytes.subarray(first, last);
  const asked = Uint8Array.from([2, ...headOf(unsigned.length), ...unsigned]);
  const half = (part: Uint8Array | undefined) =>
    bytesToHex(part ?? new Uint8Array()).padStart(64, '0');
  const signature = hexToBytes(`0${numberIn(parity)}${half(r)}${half(s)}`);
  const point = secp256k1.recoverPublicKey(signature, keccak_256(asked), { prehash: false });
  const long = secp256k1.Point.fromBytes(point).toBytes(false);
  return {
    hash: `0x${bytesToHex(keccak_256(bytes))}`,
    from: `0x${bytesToHex(keccak_256(long.subarray(1))).slice(-40)}`,
    chainId: Number(numberIn(chainId)),
    nonce: Number(numberIn(nonce)),
    tipWei: numberIn(tipWei),
    feeWeiMax: numberIn(feeWeiMax),
    contract: `0x${bytesToHex(contract ?? new Uint8Array())}`,
    to: `0x${call.slice(32, 72)}`,
    value: BigInt(`0x${call.slice(72)}`),
  };
}

interface Piece {
  at: number;
  end: number;
  body: Uint8Array;
}

const numberIn = (body: Uint8Array | undefined): bigint =>
  body === undefined || body.length === 0 ? 0n : BigInt(`0x${bytesToHex(body)}`);

const headOf = (length: number): number[] =>
  length < 56
    ? [0xc0 + length]
    : length < 256
      ? [0xf8, length]
      : [0xf9, length >> 8, length & 0xff];

function listAt(bytes: Uint8Array, at: number): { items: Piece[]; end: number } {
  const list = pieceAt(bytes, at, 0xc0);
  const items: Piece[] = [];
  for (
    let next = list.end - list.body.length;
    next < list.end;
    next = items.at(-1)?.end ?? list.end
  ) {
    items.push(pieceAt(bytes, next, (bytes[next] ?? 0) >= 0xc0 ? 0xc0 : 0x80));
  }
  return { items, end: list.end };
}

function pieceAt(bytes: Uint8Array, at: number, kind: number): Piece {
  const head = bytes[at] ?? 0;
  if (head < kind && kind === 0x80) return { at, end: at + 1, body: bytes.subarray(at, at + 1) };
  const short = head - kind;
  if (short < 0) throw new Error('rlp: no list');
  const lengthBytes = short < 56 ? 0 : short - 55;
  const begin = at + 1 + lengthBytes;
  const length = lengthBytes === 0 ? short : Number(numberIn(bytes.subarray(at + 1, begin)));
  if (begin + length > bytes.length) throw new Error('rlp: too short');
  return { at, end: begin + length, body: bytes.subarray(begin, begin + length) };
}
