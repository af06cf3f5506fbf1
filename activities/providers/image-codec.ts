import sharp, { type Sharp } from 'sharp';
import { DomainError, fileTooLarge } from '../../domain/errors.ts';

export const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
/** Over all frames; a bomb of a hundred kilobytes can claim a thousand times as much. */
const IMAGE_PIXELS_MAX = 25_000_000;
const ENCODE_SECONDS_MAX = 20;
const FRAMES_MAX = 200;

export type ImageFormat = 'jpeg' | 'png' | 'gif' | 'webp' | 'avif';

export interface EncodedImage {
  bytes: Buffer;
  extension: 'jpg' | 'png' | 'gif' | 'webp' | 'avif';
  mime: string;
  width: number;
  height: number;
}

// Only the decoders we take: a file that pretends to be another format meets no other parser.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadNsgifBuffer',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifBuffer',
  ],
});

/** What the first bytes say, whatever the name or the declared type; undefined is none of ours. */
export function sniffImage(bytes: Buffer): ImageFormat | undefined {
  const ascii = (from: number, to: number): string => bytes.toString('latin1', from, to);
  if (bytes.length < 12) return undefined;
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg';
  if (ascii(0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(4, 8) === 'ftyp' && ['avif', 'avis'].includes(ascii(8, 12))) return 'avif';
  return undefined;
}

/**
 * Decodes and encodes anew, so that what is served is only what the pixels say: metadata, trailing
 * scripts and malformed chunks do not survive. Raises too_large and unsupported_media.
 */
export async function reencodeImage(source: Buffer): Promise<EncodedImage> {
  if (source.length > IMAGE_BYTES_MAX) throw fileTooLarge(IMAGE_BYTES_MAX);
  const format = sniffImage(source);
  if (format === undefined) throw unsupported();
  const animated = format === 'gif' || format === 'webp';
  try {
    const decoder = sharp(source, {
      limitInputPixels: IMAGE_PIXELS_MAX,
      failOn: 'error',
      animated,
    });
    const facts = await decoder.metadata();
    if ((facts.pages ?? 1) > FRAMES_MAX) throw tooManyFrames();
    const isStill = (facts.pages ?? 1) === 1;
    // The orientation lives in metadata that is dropped, so it is applied to the pixels first.
    const upright = isStill ? decoder.autoOrient() : decoder;
    const { data, info } = await encode(upright, format)
      .timeout({ seconds: ENCODE_SECONDS_MAX })
      .toBuffer({ resolveWithObject: true });
    return {
      bytes: data,
      extension: format === 'jpeg' ? 'jpg' : format,
      mime: `image/${format}`,
      width: info.width,
      height: info.pageHeight ?? info.height,
    };
  } catch (error) {
    if (error instanceof DomainError) throw error;
    if (error instanceof Error && /pixel limit/i.test(error.message)) throw tooManyPixels(error);
    throw unsupported(error);
  }
}

function encode(image: Sharp, format: ImageFormat): Sharp {
  switch (format) {
    case 'jpeg':
      return image.jpeg({ quality: 85 });
    case 'png':
      return image.png({ compressionLevel: 9 });
    case 'gif':
      return image.gif();
    case 'webp':
      return image.webp({ quality: 85 });
    case 'avif':
      return image.avif({ quality: 60, effort: 2 });
  }
}

const tooManyPixels = (cause: unknown): DomainError =>
  new DomainError('too_large', {
    message: `The image has more than ${IMAGE_PIXELS_MAX / 1_000_000} million pixels, of all its frames together.`,
    cause,
  });

const tooManyFrames = (): DomainError =>
  new DomainError('too_large', { message: `The image has more than ${FRAMES_MAX} frames.` });

const unsupported = (cause?: unknown): DomainError =>
  new DomainError('unsupported_media', {
    message: 'The file is not an image that can be read (jpeg, png, gif, webp or avif).',
    cause,
  });

/** Cut to exactly this size around its middle; a picture of that size is answered as it is. */
export async function fitImage(
  source: Buffer,
  { width, height }: { width: number; height: number },
): Promise<Buffer> {
  if (sniffImage(source) === undefined) throw unsupported();
  try {
    const picture = sharp(source, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: 'error' });
    const facts = await picture.metadata();
    if (facts.width === width && facts.height === height) return source;
    return await picture
      .resize({ width, height, fit: 'cover' })
      .timeout({ seconds: ENCODE_SECONDS_MAX })
      .toBuffer();
  } catch (error) {
    throw unsupported(error);
  }
}
