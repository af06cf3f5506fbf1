import { createCipheriv } from 'node:crypto';

const BLOCK_BYTES = 16;
/** Longer messages get a buffer of their own. */
const SCRATCH_BYTES = 4_096;

/**
 * AES-256-CMAC (NIST SP 800-38B): tags of 128 bits. One cipher serves all messages of a key, because
 * making a crypto object costs more than all blocks of a message (measured in a busy server: 15 us for
 * an HMAC object, 2 us for one update of a cipher that is there).
 *
 * A CBC cipher that goes on from message to message begins each with the last block of the one before
 * instead of zeros. That block is known, so adding it to the first block of a message takes it out
 * again, and what comes out last is the CMAC.
 */
export class BlockMac {
  readonly #cipher;
  /** What the cipher is going to add to the next block. */
  #last: Buffer = Buffer.alloc(BLOCK_BYTES);
  /** Added to the last block: of a message of whole blocks, and of any other. */
  readonly #whole: Buffer;
  readonly #padded: Buffer;
  readonly #scratch = Buffer.alloc(SCRATCH_BYTES);
  /** The beginnings of it that were used, by their length in blocks. */
  readonly #beginnings: Buffer[] = [];

  /** `key`: 32 bytes. */
  constructor(key: Buffer) {
    const zeros = Buffer.alloc(BLOCK_BYTES);
    this.#cipher = createCipheriv('aes-256-cbc', key, zeros).setAutoPadding(false);
    const ofZeros = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(zeros);
    this.#whole = doubled(ofZeros);
    this.#padded = doubled(this.#whole);
  }

  /** Of a text in UTF-8 with bytes behind it. What is answered is not to be changed. */
  tag(text: string, bytes: Uint8Array): Buffer {
    const atMost = text.length * 3 + bytes.length + BLOCK_BYTES;
    const message = atMost > SCRATCH_BYTES ? Buffer.alloc(atMost) : this.#scratch;
    const textBytes = text === '' ? 0 : message.write(text);
    message.set(bytes, textBytes);
    const length = textBytes + bytes.length;
    const end = Math.max(BLOCK_BYTES, Math.ceil(length / BLOCK_BYTES) * BLOCK_BYTES);
    if (length < end) {
      message[length] = 0x80;
      for (let index = length + 1; index < end; index += 1) message[index] = 0;
    }
    add(message, 0, this.#last);
    add(message, end - BLOCK_BYTES, length === end ? this.#whole : this.#padded);
    const out = this.#cipher.update(
      message === this.#scratch ? this.#beginning(end) : message.subarray(0, end),
    );
    this.#last = end === BLOCK_BYTES ? out : out.subarray(end - BLOCK_BYTES);
    return this.#last;
  }

  #beginning(bytes: number): Buffer {
    const blocks = bytes / BLOCK_BYTES;
    return (this.#beginnings[blocks] ??= this.#scratch.subarray(0, bytes));
  }
}

function add(message: Buffer, at: number, block: Buffer): void {
  for (let index = 0; index < BLOCK_BYTES; index += 1) {
    message[at + index] = (message[at + index] ?? 0) ^ (block[index] ?? 0);
  }
}

/** Times x in GF(2^128), as SP 800-38B derives the two blocks. */
function doubled(block: Buffer): Buffer {
  const out = Buffer.alloc(BLOCK_BYTES);
  let carry = 0;
  for (let index = BLOCK_BYTES - 1; index >= 0; index -= 1) {
    const byte = block[index] ?? 0;
    out[index] = ((byte << 1) & 0xff) | carry;
    carry = byte >>> 7;
  }
  if (carry === 1) out[BLOCK_BYTES - 1] = (out[BLOCK_BYTES - 1] ?? 0) ^ 0x87;
  return out;
}
