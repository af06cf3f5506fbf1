import type { FieldError } from '../errors.ts';

/** What may be asked of a generator (interface 2.5), the same for every provider behind the port. */
export const AI_KINDS = ['IMAGE', 'VIDEO', 'COPY'] as const;
export type AiKind = (typeof AI_KINDS)[number];

export const ASPECT_RATIOS = ['1:1', '16:9', '9:16', '4:3', '3:4', '1.91:1'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

export const TONES = ['neutral', 'friendly', 'formal', 'urgent', 'playful'] as const;
export type Tone = (typeof TONES)[number];

/** What was asked for, as `ai_jobs.request` keeps it. */
export interface AiRequest {
  prompt: string;
  count: number;
  tone: Tone | null;
  /** Pictures and videos. */
  width: number | null;
  height: number | null;
  durationS: number | null;
  sourceMediaId: number | null;
  /** Texts. */
  language: string | null;
}

export const AI_COUNT_MAX = 4;
export const AI_PROMPT_LENGTH_MAX = 1_000;
export const AI_VIDEO_SECONDS_MAX = 15;
export const AI_VIDEO_SECONDS_DEFAULT = 5;
/** Sides in pixels; a video takes fewer, as its frames are many. */
export const AI_SIDE_MIN = 64;
export const AI_SIDE_MAX = 2_048;
const VIDEO_SIDE_MAX = 1_280;

export interface Size {
  width: number;
  height: number;
}

export interface WantedSize {
  width?: number | undefined;
  height?: number | undefined;
  aspectRatio?: AspectRatio | undefined;
}

const IMAGE_SIZES: Readonly<Record<AspectRatio, Size>> = {
  '1:1': { width: 1_024, height: 1_024 },
  '16:9': { width: 1_280, height: 720 },
  '9:16': { width: 720, height: 1_280 },
  '4:3': { width: 1_024, height: 768 },
  '3:4': { width: 768, height: 1_024 },
  '1.91:1': { width: 1_200, height: 628 },
};

/** A size is two sides or a ratio, not both and not half of one. */
export function sizeFaults(kind: AiKind, wanted: WantedSize): FieldError[] {
  const { width, height, aspectRatio } = wanted;
  const faults: FieldError[] = [];
  if ((width === undefined) !== (height === undefined)) {
    const field = width === undefined ? 'width' : 'height';
    faults.push({ field, code: 'required', message: 'Give both sides, or a ratio.' });
  }
  if (aspectRatio !== undefined && (width !== undefined || height !== undefined)) {
    const message = 'Give both sides, or a ratio, not all.';
    faults.push({ field: 'aspect_ratio', code: 'not_with_size', message });
  }
  if (kind !== 'VIDEO') return faults;
  for (const [field, side] of [
    ['width', width],
    ['height', height],
  ] as const) {
    if (side === undefined || side <= VIDEO_SIDE_MAX) continue;
    faults.push({ field, code: 'max', message: `At most ${VIDEO_SIDE_MAX} for a video.` });
  }
  return faults;
}

/** The size that is made: as asked, in even pixels for a video, as its codecs store colour by twos. */
export function sizeOf(kind: AiKind, wanted: WantedSize): Size {
  const { width, height, aspectRatio } = wanted;
  const asked =
    width !== undefined && height !== undefined
      ? { width, height }
      : IMAGE_SIZES[aspectRatio ?? (kind === 'VIDEO' ? '16:9' : '1:1')];
  if (kind !== 'VIDEO') return asked;
  const even = (side: number): number => side - (side % 2);
  return { width: even(asked.width), height: even(asked.height) };
}

/** Copy for one ad; the limits are those of the ad's own fields (interface 2.5). */
export interface CopyVariant {
  title: string;
  description: string;
  button_text: string;
}

export const COPY_LENGTH_MAX: Readonly<Record<keyof CopyVariant, number>> = {
  title: 60,
  description: 150,
  button_text: 25,
};

/** One line without control characters, cut at a word when it is too long. */
export function tidyCopy(variant: CopyVariant): CopyVariant {
  return {
    title: oneLine(variant.title, COPY_LENGTH_MAX.title),
    description: oneLine(variant.description, COPY_LENGTH_MAX.description),
    button_text: oneLine(variant.button_text, COPY_LENGTH_MAX.button_text),
  };
}

export function oneLine(text: string, lengthMax: number): string {
  const line = text
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  const letters = Array.from(line);
  if (letters.length <= lengthMax) return line;
  const cut = letters.slice(0, lengthMax - 1).join('');
  const atWord = cut.replace(/\s+\S*$/u, '');
  return `${atWord === '' ? cut : atWord}…`;
}
