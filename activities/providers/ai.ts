import type { CopyVariant, Size, Tone } from '../../domain/creative/generation.ts';

/**
 * The port to whatever makes pictures, videos and texts. A generator raises validation_failed when
 * it will not make this (final, reported to the caller); any other error is trouble and is tried again.
 */
export interface AiProvider {
  image: Generator<ImageOrder, Buffer>;
  video: Generator<VideoOrder, Buffer>;
  copy: Generator<CopyOrder, CopyVariant[]>;
}

export interface Generator<Order, Made> {
  /** Shown in the result: `embedded`, or the model. */
  name: string;
  /** What the caller should know about it; null when there is nothing. */
  notice: string | null;
  /** Bytes of a jpeg, png or webp; of an mp4 or webm; or texts. Whoever calls checks them. */
  make: (order: Order, call: AiCall) => Promise<Made>;
}

export interface ImageOrder extends Size {
  prompt: string;
  tone: Tone | null;
  /** A picture of the advertiser's to begin from. */
  source: Buffer | null;
}

export interface VideoOrder extends ImageOrder {
  durationS: number;
}

export interface CopyOrder {
  prompt: string;
  tone: Tone | null;
  /** BCP 47, such as `de` or `pt-BR`. */
  language: string;
  count: number;
}

export interface AiCall {
  /** The same for every attempt at one part, so that a provider can know a repeated call. */
  key: string;
  signal: AbortSignal;
  /** What an earlier attempt remembered of its progress; undefined at first. */
  remembered: unknown;
  remember: (progress: object) => void;
}
