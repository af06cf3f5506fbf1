import { createHmac } from 'node:crypto';

/**
 * Finds the same secret text again without keeping it: a keyed hash, so that a reader of the table
 * cannot try candidates. `place` keeps columns apart.
 */
export type BlindIndex = (text: string, place: string) => string;

export function createBlindIndex(key: Buffer): BlindIndex {
  return (text, place) =>
    createHmac('sha256', key)
      .update(JSON.stringify([place, text]))
      .digest('hex');
}
