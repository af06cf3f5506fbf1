import { open } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { DomainError } from '../../domain/errors.ts';
import { VIDEO_PROBE_PROGRAM } from './video-probe-program.ts';

/** interface 2.5. */
export const VIDEO_BYTES_MAX = 50 * 1024 * 1024;
const VIDEO_SECONDS_MAX = 120;
const SIDE_MAX = 4_096;
const PACKETS_MAX = 60_000;
/** A file of five kilobytes can name four billion samples: a thread of its own runs out, we do not. */
const PROBE_MS_MAX = 5_000;
const PROBE_MEMORY_MB = 128;
/** Tracks end a little apart, and headers round. */
const END_TOLERANCE_S = 0.5;

/** What every browser of today plays. */
const VIDEO_CODECS = new Set(['avc', 'vp8', 'vp9', 'av1']);
const AUDIO_CODECS = new Set(['aac', 'mp3', 'opus', 'vorbis']);

export type VideoFormat = 'mp4' | 'webm';

export interface VideoFacts {
  extension: VideoFormat;
  mime: string;
  width: number;
  height: number;
  durationS: number;
  bytes: number;
}

interface Track {
  type: string;
  codec: string | null;
  width: number | null;
  height: number | null;
  packets: number;
  bytes: number;
  endS: number;
  keyFrames: number;
}

interface VideoProbe {
  declaredS: number | null;
  tracks: Track[];
}

const MP4_BRANDS = /^(isom|iso[2-9a-d]|mp4[12]|avc1|M4V |M4VH|M4VP|dash|cmfc|av01|MSNV|f4v )$/;

/** What the first bytes say; undefined is none of ours. */
export function sniffVideo(head: Buffer): VideoFormat | undefined {
  if (head.length < 12) return undefined;
  const ascii = (from: number, to: number): string => head.toString('latin1', from, to);
  if (ascii(4, 8) === 'ftyp' && MP4_BRANDS.test(ascii(8, 12))) return 'mp4';
  const isEbml = head.readUInt32BE(0) === 0x1a45dfa3;
  return isEbml && ascii(0, 64).includes('webm') ? 'webm' : undefined;
}

/**
 * Reads every packet of a stored video: whole, playable, and inside the limits of interface 2.5.
 * Raises too_large and unsupported_media, each with its reason.
 */
export async function probeVideo(file: string, extension: VideoFormat): Promise<VideoFacts> {
  const bytes = await wholeSize(file, extension);
  const probe = await runProbe(file);
  const video = probe.tracks.find((track) => track.type === 'video');
  if (video === undefined) throw unsupported('it has no picture');
  const fault = trackFault(probe.tracks);
  if (fault !== null) throw unsupported(fault);
  const { width, height } = video;
  if (width === null || height === null || width < 1 || height < 1) {
    throw unsupported('it has no size');
  }
  if (width > SIDE_MAX || height > SIDE_MAX) {
    throw tooLarge(`a side is longer than ${SIDE_MAX} pixels`);
  }
  const durationS = Math.max(...probe.tracks.map((track) => track.endS));
  if (durationS > VIDEO_SECONDS_MAX) throw tooLarge(`longer than ${VIDEO_SECONDS_MAX} s`);
  if (probe.declaredS !== null && durationS < probe.declaredS - END_TOLERANCE_S) {
    throw unsupported('it ends before its own length');
  }
  return {
    extension,
    mime: `video/${extension}`,
    width: Math.round(width),
    height: Math.round(height),
    durationS: Math.round(durationS * 1_000) / 1_000,
    bytes,
  };
}

function trackFault(tracks: readonly Track[]): string | null {
  if (tracks.filter((track) => track.type === 'video').length > 1) return 'it has several pictures';
  for (const { type, codec, packets, bytes, keyFrames } of tracks) {
    const known = type === 'video' ? VIDEO_CODECS : AUDIO_CODECS;
    if (codec === null || !known.has(codec)) return `its ${type} is of a codec that is not played`;
    if (packets === 0 || bytes === 0 || keyFrames === 0) return `its ${type} is empty or cut off`;
  }
  return null;
}

/** In a thread with a time and a memory of its own, so that a hostile file can only end itself. */
async function runProbe(file: string): Promise<VideoProbe> {
  const library = createRequire(import.meta.url).resolve('mediabunny');
  const thread = new Worker(VIDEO_PROBE_PROGRAM, {
    eval: true,
    workerData: { file, library, packetsMax: PACKETS_MAX },
    resourceLimits: { maxOldGenerationSizeMb: PROBE_MEMORY_MB },
    // What the parser says of a file goes nowhere: it is the sender's text.
    stdout: true,
    stderr: true,
  });
  const timer = setTimeout(() => void thread.terminate(), PROBE_MS_MAX);
  try {
    return await new Promise<VideoProbe>((resolve, reject) => {
      thread.once('message', (message: { found?: VideoProbe; fault?: string }) => {
        if (message.found !== undefined) resolve(message.found);
        else reject(unsupported('it cannot be read', message.fault));
      });
      thread.once('error', (error) => reject(unsupported('it cannot be read', error)));
      thread.once('exit', () => reject(unsupported('it takes too long to read')));
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

/** A container says how long its parts are; the file must hold them all. Answers its bytes. */
async function wholeSize(file: string, extension: VideoFormat): Promise<number> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const at = async (position: number, length: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const whole = extension === 'mp4' ? await mp4Fits(at, size) : await webmFits(at, size);
    if (!whole) throw unsupported('it is cut off');
    return size;
  } finally {
    await handle.close();
  }
}

type ReadAt = (position: number, length: number) => Promise<Buffer>;

const BOXES_MAX = 10_000;

/** ISO 14496-12, 4.2: boxes follow each other; size 1 means 64 bits, 0 means to the end. */
async function mp4Fits(at: ReadAt, size: number): Promise<boolean> {
  let position = 0;
  for (let count = 0; position < size && count < BOXES_MAX; count += 1) {
    const header = await at(position, 16);
    if (header.length < 8) return false;
    const short = header.readUInt32BE(0);
    if (short === 0) return true;
    if (short === 1 && header.length < 16) return false;
    const length = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    if (length < 8) return false;
    position += length;
  }
  return position === size;
}

/** RFC 8794: the EBML header, then the Segment, whose length may be unknown (all ones). */
async function webmFits(at: ReadAt, size: number): Promise<boolean> {
  const head = await at(0, 4_096);
  const headerLength = vint(head, 4);
  if (headerLength === undefined || headerLength.value === null) return false;
  const segment = 4 + headerLength.width + headerLength.value;
  if (segment + 12 > head.length || head.readUInt32BE(segment) !== 0x18538067) return false;
  const length = vint(head, segment + 4);
  if (length === undefined) return false;
  return length.value === null || segment + 4 + length.width + length.value <= size;
}

/** A variable-length number of EBML; null stands for "unknown". */
function vint(bytes: Buffer, at: number): { width: number; value: number | null } | undefined {
  const first = bytes[at] ?? 0;
  const width = Math.clz32(first) - 23;
  if (first === 0 || at + width > bytes.length) return undefined;
  let value = BigInt(first & (0xff >> width));
  for (let index = 1; index < width; index += 1) {
    value = (value << 8n) | BigInt(bytes[at + index] ?? 0);
  }
  const unknown = (1n << BigInt(7 * width)) - 1n;
  return { width, value: value === unknown ? null : Number(value) };
}

const unsupported = (reason: string, cause?: unknown): DomainError =>
  new DomainError('unsupported_media', {
    message: `The file is not a video that can be shown (mp4 or webm): ${reason}.`,
    cause,
  });

const tooLarge = (reason: string): DomainError =>
  new DomainError('too_large', { message: `The video is too large: ${reason}.` });
