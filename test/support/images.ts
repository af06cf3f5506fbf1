import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

type Format = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

/** A plain picture; `colour` makes two of them differ. */
export async function image(
  format: Format = 'png',
  { width = 60, height = 40, colour = '#c02020' } = {},
): Promise<Buffer> {
  const plain = sharp({ create: { width, height, channels: 3, background: colour } });
  return await plain.toFormat(format).toBuffer();
}

/** A picture with metadata and a script behind its end: valid for a decoder, read by nobody else. */
export async function polyglotJpeg(script: string): Promise<Buffer> {
  const picture = await sharp({
    create: { width: 60, height: 40, channels: 3, background: '#2040c0' },
  })
    .withExif({ IFD0: { Artist: script } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([picture, Buffer.from(script)]);
}

/** A PNG of a few hundred bytes that claims `side` × `side` pixels. */
export function pngBomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1024))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body) >>> 0, 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
