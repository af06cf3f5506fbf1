import type { Nanos } from '../money.ts';
import { TraitBits } from './trait-bits.ts';
import type { Candidate } from './types.ts';

/** A change costs what its pages cost, a walk over a page a few words. */
export const PAGE_MAX = 256;

/** A candidate with its share in a draw among equals. */
export interface Voiced<C extends Candidate> {
  readonly item: C;
  readonly voice: number;
}

/** A stretch of a ranked list. All but who is able stays as it was made. */
export interface Page<C extends Candidate = Candidate> {
  readonly items: readonly C[];
  readonly voices: Float64Array;
  /** Voices of those before each index who can serve; one more than there are items. */
  readonly sums: Float64Array;
  /** Where the equals of an index begin and end, as far as they lie in this page. */
  readonly runStarts: Uint16Array;
  readonly runEnds: Uint16Array;
  readonly bits: TraitBits;
  readonly lowestYieldPpm: Nanos;
  /** The advertiser who has all of it; MANY when there are more. */
  readonly owner: number;
}

/** No advertiser's id. */
const MANY = 0;

/** `entries` in rank order, at most PAGE_MAX and at least one. */
export function pageOf<C extends Candidate>(entries: readonly Voiced<C>[]): Page<C> {
  const items = entries.map(({ item }) => item);
  const bits = new TraitBits(items.length);
  const runStarts = new Uint16Array(items.length);
  const runEnds = new Uint16Array(items.length);
  let lowestYieldPpm = items[0]?.yieldPpm ?? 0n;
  let start = 0;
  for (const [index, item] of items.entries()) {
    bits.admit(index, item);
    if (item.yieldPpm < lowestYieldPpm) lowestYieldPpm = item.yieldPpm;
    if (item.ceilingEcpmNanos !== items[start]?.ceilingEcpmNanos) start = index;
    runStarts[index] = start;
    if (items[index + 1]?.ceilingEcpmNanos !== item.ceilingEcpmNanos) {
      runEnds.fill(index + 1, start, index + 1);
    }
  }
  const voices = Float64Array.from(entries, ({ voice }) => voice);
  const first = items[0]?.advertiser.id ?? MANY;
  const owner = items.every(({ advertiser }) => advertiser.id === first) ? first : MANY;
  const sums = new Float64Array(items.length + 1);
  const page = { items, voices, sums, runStarts, runEnds, bits, lowestYieldPpm, owner };
  sumVoices(page);
  return page;
}

/** To be called when who can serve has changed. */
export function sumVoices({ bits, voices, sums }: Page): void {
  let sum = 0;
  for (const [at, voice] of voices.entries()) {
    if (bits.isAble(at)) sum += voice;
    sums[at + 1] = sum;
  }
}

/** The index in [from, to) whose voice the target falls into; the last who can serve when sums drifted. */
export function spokenAt(
  { sums }: Page,
  { from, to, target }: { from: number; to: number; target: number },
): number {
  const most = sums[to] ?? 0;
  let low = from;
  let high = to - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const sum = sums[middle + 1] ?? 0;
    if (sum > target || sum >= most) high = middle;
    else low = middle + 1;
  }
  return low;
}
