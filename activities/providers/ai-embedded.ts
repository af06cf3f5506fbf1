import { createHash } from 'node:crypto';
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  WebMOutputFormat,
} from 'mediabunny';
import sharp, { type Sharp } from 'sharp';
import type { AiCall, AiProvider, ImageOrder, VideoOrder } from './ai.ts';
import { embeddedCopy } from './ai-embedded-copy.ts';

const NAME = 'embedded';
const NOTICE =
  'Made by the built-in generator, which draws colours and fills templates and understands little ' +
  'of the prompt. Whoever runs the platform can connect a model.';
const FRAMES_PER_SECOND = 10;

/** Makes real files without a key or a network: the same order under the same key gives the same bytes. */
export function createEmbeddedAi(): AiProvider {
  return {
    image: {
      name: NAME,
      notice: NOTICE,
      make: async (order, { key }) => {
        const picture = await frame(order, { palette: paletteOf(order.prompt, key), phase: 0 });
        return await picture.jpeg({ quality: 88 }).toBuffer();
      },
    },
    video: { name: NAME, notice: NOTICE, make: async (order, call) => await film(order, call) },
    copy: {
      name: NAME,
      notice: NOTICE,
      make: (order, { key }) => Promise.resolve(embeddedCopy(order, seedOf(order.prompt, key))),
    },
  };
}

/** 32 bytes that say how this one differs from the next. */
const seedOf = (prompt: string, key: string): Buffer =>
  createHash('sha256').update(`${prompt}\n${key}`).digest();

interface Colour {
  r: number;
  g: number;
  b: number;
}

interface Palette {
  from: Colour;
  to: Colour;
  light: Colour;
  seed: Buffer;
}

/** Hues of colours that a prompt may name, in degrees. */
const HUES: Readonly<Record<string, number>> = {
  red: 0,
  orange: 28,
  gold: 45,
  yellow: 52,
  green: 130,
  teal: 175,
  blue: 215,
  purple: 275,
  violet: 275,
  pink: 330,
};

function paletteOf(prompt: string, key: string): Palette {
  const seed = seedOf(prompt, key);
  const named = prompt
    .toLowerCase()
    .split(/[^a-z]+/)
    .map((word) => (Object.hasOwn(HUES, word) ? HUES[word] : undefined))
    .find((hue) => hue !== undefined);
  const hue = named ?? seed.readUInt16BE(0) % 360;
  const step = 25 + (seed[2] ?? 0) / 5;
  return {
    from: colourOf(hue, 0.62, 0.34),
    to: colourOf(hue + step, 0.68, 0.56),
    light: colourOf(hue - step / 2, 0.75, 0.82),
    seed,
  };
}

/** HSL to RGB, 0 to 255. */
function colourOf(hue: number, saturation: number, lightness: number): Colour {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const turn = (((offset + hue / 30) % 12) + 12) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return { r: channel(0), g: channel(8), b: channel(4) };
}

interface Scene {
  palette: Palette;
  /** 0 to 1 along a video. */
  phase: number;
}

/** One picture: a gradient with soft discs, or the caller's own picture under a slow zoom. */
async function frame(order: ImageOrder, scene: Scene): Promise<Sharp> {
  const { width, height } = order;
  if (order.source !== null) {
    const zoom = 1 + 0.12 * scene.phase;
    const wide = { width: Math.ceil(width * zoom), height: Math.ceil(height * zoom) };
    // Two passes: sharp would cut before it resizes.
    const { data, info } = await sharp(order.source)
      .flatten({ background: '#ffffff' })
      .toColourspace('srgb')
      .resize({ ...wide, fit: 'cover' })
      .raw()
      .toBuffer({ resolveWithObject: true });
    return sharp(data, {
      raw: { width: wide.width, height: wide.height, channels: info.channels },
    }).extract({
      left: Math.floor((wide.width - width) / 2),
      top: Math.floor((wide.height - height) / 2),
      width,
      height,
    });
  }
  const small = { width: Math.ceil(width / 2), height: Math.ceil(height / 2) };
  const pixels = paint(small.width, small.height, scene);
  return sharp(pixels, { raw: { ...small, channels: 3 } }).resize(width, height, { fit: 'fill' });
}

const DISCS = 3;

/** Raw RGB at half size: everything in it is soft, so enlarging shows nothing. */
function paint(width: number, height: number, { palette, phase }: Scene): Buffer {
  const { from, to, light, seed } = palette;
  const turn = 2 * Math.PI * phase;
  const discs = Array.from({ length: DISCS }, (_, index) => {
    const at = 4 + index * 4;
    const drift = 0.08 * Math.sin(turn + index * 2);
    return {
      x: ((seed[at] ?? 0) / 255 + drift) * width,
      y: ((seed[at + 1] ?? 0) / 255 + drift) * height,
      radius: (0.18 + (seed[at + 2] ?? 0) / 900) * Math.max(width, height),
    };
  });
  const pixels = Buffer.allocUnsafe(width * height * 3);
  let offset = 0;
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const slope = (x / width + y / height) / 2;
      let glow = 0;
      for (const disc of discs) {
        const distance = Math.hypot(x - disc.x, y - disc.y) / disc.radius;
        if (distance < 1) glow += (1 - distance) * 0.45;
      }
      const part = Math.min(glow, 0.8);
      for (const channel of ['r', 'g', 'b'] as const) {
        const base = from[channel] + (to[channel] - from[channel]) * slope;
        pixels[offset] = base + (light[channel] - base) * part;
        offset += 1;
      }
    }
  }
  return pixels;
}

/**
 * A lossy WebP holds exactly one VP8 key frame, so a row of them in a WebM is a video that every
 * browser plays, without any video encoder here.
 */
async function film(order: VideoOrder, { key, signal }: AiCall): Promise<Buffer> {
  const palette = paletteOf(order.prompt, key);
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const track = new EncodedVideoPacketSource('vp8');
  output.addVideoTrack(track, { frameRate: FRAMES_PER_SECOND });
  await output.start();
  const frames = Math.round(order.durationS * FRAMES_PER_SECOND);
  const decoderConfig = { codec: 'vp8', codedWidth: order.width, codedHeight: order.height };
  for (let index = 0; index < frames; index += 1) {
    signal.throwIfAborted();
    const picture = await frame(order, { palette, phase: index / frames });
    const webp = await picture.webp({ quality: 60, effort: 2 }).toBuffer();
    const seconds = 1 / FRAMES_PER_SECOND;
    const packet = new EncodedPacket(keyFrameOf(webp), 'key', index * seconds, seconds);
    await track.add(packet, { decoderConfig });
  }
  await output.finalize();
  if (target.buffer === null) throw new Error('the video was not written');
  return Buffer.from(target.buffer);
}

/** RFC 9649: `RIFF` size `WEBP`, then chunks of a name, a length and their bytes. */
function keyFrameOf(webp: Buffer): Buffer {
  for (let at = 12; at + 8 <= webp.length;) {
    const length = webp.readUInt32LE(at + 4);
    if (webp.toString('latin1', at, at + 4) === 'VP8 ')
      return webp.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  throw new Error('a picture without a VP8 frame');
}
