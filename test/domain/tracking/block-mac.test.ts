import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { BlockMac } from '../../../domain/tracking/block-mac.ts';

/** NIST SP 800-38B, appendix D.3: AES-256. */
const KEY = Buffer.from('603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4', 'hex');
const MESSAGE = Buffer.from(
  '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51' +
    '30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710',
  'hex',
);
const TAGS: [number, string][] = [
  [0, '028962f61b7bf89efc6b551f4667d983'],
  [16, '28a7023f452e8f82bd4bf28d8c37c35c'],
  [40, 'aaf3d8f1de5640c232f5b169b9c911e6'],
  [64, 'e1992190549f6ed5696a2c056c315410'],
];

test("block mac · the standard's examples, one after another and again · have its tags", () => {
  const mac = new BlockMac(KEY);
  for (const [length, tag] of [...TAGS, ...TAGS.toReversed(), ...TAGS]) {
    expect(mac.tag('', MESSAGE.subarray(0, length)).toString('hex')).toBe(tag);
  }
});

/** By the letter of the standard, with a new cipher for each block. */
function plainCmac(key: Buffer, message: Buffer): string {
  const encrypt = (block: Buffer): Buffer =>
    createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(block);
  const double = (block: Buffer): Buffer => {
    const number = BigInt(`0x${block.toString('hex')}`) << 1n;
    const reduced = number >> 128n === 1n ? number ^ (1n << 128n) ^ 0x87n : number;
    return Buffer.from(reduced.toString(16).padStart(32, '0'), 'hex');
  };
  const whole = double(encrypt(Buffer.alloc(16)));
  const isWhole = message.length > 0 && message.length % 16 === 0;
  const padding = Buffer.alloc(isWhole ? 0 : 16 - (message.length % 16));
  if (!isWhole) padding.writeUInt8(0x80, 0);
  const padded = Buffer.concat([message, padding]);
  let state: Buffer = Buffer.alloc(16);
  for (let at = 0; at < padded.length; at += 16) {
    const isLast = at + 16 === padded.length;
    const added = isLast ? (isWhole ? whole : double(whole)) : Buffer.alloc(16);
    state = encrypt(
      Buffer.from(state.map((byte, i) => byte ^ (padded[at + i] ?? 0) ^ (added[i] ?? 0))),
    );
  }
  return state.toString('hex');
}

test('block mac · any texts and bytes in turn, also longer than its room · is what the standard says', () => {
  const key = randomBytes(32);
  const mac = new BlockMac(key);
  const message = fc.tuple(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.uint8Array({ maxLength: 80 }),
  );
  fc.assert(
    fc.property(message, ([text, bytes]) => {
      const expected = plainCmac(key, Buffer.concat([Buffer.from(text), bytes]));
      expect(mac.tag(text, bytes).toString('hex')).toBe(expected);
    }),
  );
  const long = 'ü'.repeat(5_000);
  expect(mac.tag(long, MESSAGE).toString('hex')).toBe(
    plainCmac(key, Buffer.concat([Buffer.from(long), MESSAGE])),
  );
});
