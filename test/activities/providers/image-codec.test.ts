import sharp from 'sharp';
import {
  IMAGE_BYTES_MAX,
  reencodeImage,
  sniffImage,
} from '../../../activities/providers/image-codec.ts';
import { DomainError } from '../../../domain/errors.ts';
import { image, pngBomb, polyglotJpeg } from '../../support/images.ts';

async function refusalOf(bytes: Buffer): Promise<string> {
  try {
    await reencodeImage(bytes);
    return 'none';
  } catch (error) {
    if (error instanceof DomainError) return error.token;
    throw error;
  }
}

describe('image codec · accepted formats', () => {
  test.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['gif', 'image/gif', 'gif'],
    ['webp', 'image/webp', 'webp'],
    ['avif', 'image/avif', 'avif'],
  ] as const)('%s · is encoded anew in its own format', async (format, mime, extension) => {
    const encoded = await reencodeImage(await image(format));
    expect(encoded).toMatchObject({ mime, extension, width: 60, height: 40 });
    expect(sniffImage(encoded.bytes)).toBe(format);
  });

  test('an animated gif · keeps its frames and reports the size of one', async () => {
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((colour) => image('png', { colour })),
    );
    const raw = await Promise.all(frames.map((frame) => sharp(frame).raw().toBuffer()));
    const animated = await sharp(Buffer.concat(raw), {
      raw: { width: 60, height: 120, channels: 3, pageHeight: 40 },
    })
      .gif({ delay: [100, 100, 100] })
      .toBuffer();
    const encoded = await reencodeImage(animated);
    expect(encoded).toMatchObject({ width: 60, height: 40 });
    expect((await sharp(encoded.bytes, { animated: true }).metadata()).pages).toBe(3);
  });

  test('a rotated photo · is turned upright before its metadata goes', async () => {
    const sideways = await sharp(await image('jpeg'))
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect(await reencodeImage(sideways)).toMatchObject({ width: 40, height: 60 });
  });
});

describe('image codec · hostile files', () => {
  test('a jpeg with a script in its metadata and behind its end · loses both', async () => {
    const script = '<script>alert(document.domain)</script>';
    const hostile = await polyglotJpeg(script);
    expect(hostile.includes(script)).toBe(true);
    const { bytes } = await reencodeImage(hostile);
    expect(bytes.includes('script')).toBe(false);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  test.each([
    ['svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    [
      'svg behind an xml header',
      Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
    ],
    ['text', Buffer.from('just a note, named picture.png')],
    ['nothing', Buffer.alloc(0)],
    ['pdf', Buffer.from('%PDF-1.7 something that libvips could read')],
    ['tiff', Buffer.from('II*\u0000\u0008\u0000\u0000\u0000 and more')],
    ['heic', Buffer.from('\u0000\u0000\u0000\u0018ftypheic\u0000\u0000\u0000\u0000')],
    ['a png header and nothing else', Buffer.from('\x89PNG\r\n\x1a\n0000000000', 'latin1')],
  ])('%s · is unsupported_media', async (_name, bytes) => {
    expect(await refusalOf(bytes)).toBe('unsupported_media');
  });

  test('a truncated jpeg · is unsupported_media', async () => {
    const whole = await image('jpeg', { width: 400, height: 400 });
    expect(await refusalOf(whole.subarray(0, whole.length / 2))).toBe('unsupported_media');
  });

  test('a pixel bomb of 30 000 × 30 000 · is too_large', async () => {
    const bomb = pngBomb(30_000);
    expect(bomb.length).toBeLessThan(2_000);
    expect(await refusalOf(bomb)).toBe('too_large');
    await expect(reencodeImage(bomb)).rejects.toThrow('more than 25 million pixels');
  });

  test('more bytes than allowed · is too_large before anything is decoded', async () => {
    expect(await refusalOf(Buffer.alloc(IMAGE_BYTES_MAX + 1))).toBe('too_large');
  });
});
