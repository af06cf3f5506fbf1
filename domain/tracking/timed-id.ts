import { freshText } from './fresh-bytes.ts';

/**
 * 32 hex digits, of which the first 12 are the moment (Unix ms) and the others random: they come in the order of
 * their making, so that an index of them grows at its end instead of everywhere.
 */
export function timedHex(now: Date): string {
  const atMs = now.getTime();
  if (atMs !== last.atMs) last = { atMs, text: atMs.toString(16).padStart(TIME_CHARS, '0') };
  return last.text + freshText(RANDOM_BYTES, 'hex');
}

/** The moment that timedHex was told, Unix ms. */
export const timeOfHex = (id: string): number => Number.parseInt(id.slice(0, TIME_CHARS), 16);

const TIME_CHARS = 12;
const RANDOM_BYTES = 10;
/** Many are made in one millisecond. */
let last = { atMs: Number.NaN, text: '' };
