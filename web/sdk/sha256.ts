/**
 * SHA-256 and its HMAC (FIPS 180-4, RFC 2104), synchronous and small: a library's was two thirds of
 * the whole SDK. Held against Node's own in a test. For the v2 protocol's obfuscation and tamper
 * evidence only (protocol.ts says why); nothing secret passes through here.
 */
const BLOCK_BYTES = 64;
const ROUNDS = 64;

/** The first 32 bits of the fractions of square (the first eight) and cube roots of primes. */
const START: number[] = [];
const CONSTANTS: number[] = [];
for (let candidate = 2; CONSTANTS.length < ROUNDS; candidate += 1) {
  let divisor = 2;
  while (candidate % divisor !== 0) divisor += 1;
  if (divisor < candidate) continue;
  if (START.length < 8) START.push(fractionOf(Math.sqrt(candidate)));
  CONSTANTS.push(fractionOf(Math.cbrt(candidate)));
}

function fractionOf(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

export function sha256(message: Uint8Array): Uint8Array {
  const padded = new DataView(
    new ArrayBuffer(Math.ceil((message.length + 9) / BLOCK_BYTES) * BLOCK_BYTES),
  );
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  // Messages are short: the upper half of the 64-bit length stays 0.
  padded.setUint32(padded.byteLength - 4, message.length * 8);
  const state = Int32Array.from(START);
  for (let offset = 0; offset < padded.byteLength; offset += BLOCK_BYTES) {
    compress(state, padded, offset);
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setInt32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

function compress(state: Int32Array, block: DataView, offset: number): void {
  const schedule = new Int32Array(ROUNDS);
  const word = (index: number): number => schedule[index] ?? 0;
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round < 16) {
      schedule[round] = block.getInt32(offset + round * 4);
    } else {
      const near = word(round - 2);
      const far = word(round - 15);
      schedule[round] =
        word(round - 16) +
        word(round - 7) +
        (rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)) +
        (rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10));
    }
    const first =
      h +
      (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) +
      ((e & f) ^ (~e & g)) +
      (CONSTANTS[round] ?? 0) +
      word(round);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    // oxlint-disable-next-line no-param-reassign -- the state is what this function works on
    state[index] = (state[index] ?? 0) + value;
  });
}

export function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key);
  const keyed = (pad: number, rest: Uint8Array): Uint8Array =>
    sha256(Uint8Array.of(...block.map((byte) => byte ^ pad), ...rest));
  return keyed(0x5c, keyed(0x36, message));
}
