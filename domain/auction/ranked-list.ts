import type { Nanos } from '../money.ts';
import type { Candidate } from './types.ts';

/**
 * Candidates in falling order of the most they could bid, so that an auction stops as soon as
 * nobody further down can matter. Equal ceilings form a block; a scan enters a block at a place
 * drawn by weight and goes round, so equals take turns without looking at all of them.
 */
export interface RankedList<C extends Candidate = Candidate> {
  readonly items: readonly C[];
  /** For every index: where its block ends. */
  readonly blockEnds: Uint32Array;
  /** Running sum of the candidates' shares; `[i]` is the sum before index i. */
  readonly shares: Float64Array;
}

/** Orders by ceiling; equals by a scattered but fixed order, so that siblings are not neighbours. */
export function rankOrder(left: Candidate, right: Candidate): number {
  if (left.ceilingEcpmNanos !== right.ceilingEcpmNanos) {
    return left.ceilingEcpmNanos > right.ceilingEcpmNanos ? -1 : 1;
  }
  const scatter = scattered(left.adId) - scattered(right.adId);
  return scatter === 0 ? left.adId - right.adId : scatter;
}

const scattered = (id: number): number => Math.imul(id, 0x9e37_79b1) >>> 0;

/** `items` must already be in rankOrder. */
export function rankedList<C extends Candidate>(items: readonly C[]): RankedList<C> {
  const blockEnds = new Uint32Array(items.length);
  const shares = new Float64Array(items.length + 1);
  const weights = groupWeights(items);
  let blockStart = 0;
  items.forEach((item, index) => {
    // An ad group's ads share one voice in a draw among equals, split by their weights.
    const group = weights.get(item.adGroup.id) ?? item.weight;
    shares[index + 1] = (shares[index] ?? 0) + item.weight / group;
    const next = items[index + 1];
    if (next === undefined || next.ceilingEcpmNanos !== item.ceilingEcpmNanos) {
      blockEnds.fill(index + 1, blockStart, index + 1);
      blockStart = index + 1;
    }
  });
  return { items, blockEnds, shares };
}

function groupWeights(items: readonly Candidate[]): Map<number, number> {
  const weights = new Map<number, number>();
  for (const item of items) {
    weights.set(item.adGroup.id, (weights.get(item.adGroup.id) ?? 0) + item.weight);
  }
  return weights;
}

/** A walk over several ranked lists as if they were one. */
export interface Scan<C extends Candidate = Candidate> {
  /** Nothing that is still to come has a higher ceiling; undefined at the end. */
  ceilingNanos(): Nanos | undefined;
  next(): C | undefined;
}

interface Cursor<C extends Candidate> {
  list: RankedList<C>;
  /** Absolute position in the walk: block start + steps taken in it. */
  blockStart: number;
  blockEnd: number;
  /** First index visited in the block. */
  entry: number;
  taken: number;
}

export function openScan<C extends Candidate>(
  lists: readonly RankedList<C>[],
  roll: number,
): Scan<C> {
  const cursors = lists.filter((list) => list.items.length > 0).map((list) => enter(list, 0, roll));
  const lead = (): Cursor<C> | undefined => {
    let best: Cursor<C> | undefined;
    for (const cursor of cursors) {
      if (cursor.blockStart >= cursor.list.items.length) continue;
      if (best === undefined || ceilingOf(cursor) > ceilingOf(best)) best = cursor;
    }
    return best;
  };
  return {
    ceilingNanos: () => {
      const cursor = lead();
      return cursor === undefined ? undefined : ceilingOf(cursor);
    },
    next: () => {
      const cursor = lead();
      return cursor === undefined ? undefined : take(cursor, roll);
    },
  };
}

const ceilingOf = <C extends Candidate>(cursor: Cursor<C>): Nanos =>
  cursor.list.items[cursor.blockStart]?.ceilingEcpmNanos ?? 0n;

function take<C extends Candidate>(cursor: Cursor<C>, roll: number): C | undefined {
  const size = cursor.blockEnd - cursor.blockStart;
  const offset = (cursor.entry - cursor.blockStart + cursor.taken) % size;
  const item = cursor.list.items[cursor.blockStart + offset];
  cursor.taken += 1;
  if (cursor.taken === size) Object.assign(cursor, enter(cursor.list, cursor.blockEnd, roll));
  return item;
}

function enter<C extends Candidate>(
  list: RankedList<C>,
  blockStart: number,
  roll: number,
): Cursor<C> {
  const blockEnd = list.blockEnds[blockStart] ?? blockStart;
  return {
    list,
    blockStart,
    blockEnd,
    entry: draw(list, { blockStart, blockEnd, roll }),
    taken: 0,
  };
}

/** The index whose share of the block the roll falls into. */
function draw(
  { shares }: RankedList,
  at: { blockStart: number; blockEnd: number; roll: number },
): number {
  const { blockStart, blockEnd, roll } = at;
  if (blockEnd - blockStart <= 1) return blockStart;
  const from = shares[blockStart] ?? 0;
  const target = from + roll * ((shares[blockEnd] ?? 0) - from);
  let low = blockStart;
  let high = blockEnd - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((shares[middle + 1] ?? 0) > target) high = middle;
    else low = middle + 1;
  }
  return low;
}
