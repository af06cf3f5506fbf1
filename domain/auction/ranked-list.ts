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
  /** No candidate here yields less: what a floor in the bid's own unit means as eCPM. */
  readonly lowestYieldPpm: Nanos;
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
  let lowestYieldPpm = items[0]?.yieldPpm ?? 0n;
  let start = 0;
  while (start < items.length) {
    const ceiling = items[start]?.ceilingEcpmNanos;
    let end = start + 1;
    while (end < items.length && items[end]?.ceilingEcpmNanos === ceiling) end += 1;
    blockEnds.fill(end, start, end);
    const weights = end - start > 1 ? groupWeights(items, start, end) : undefined;
    for (let index = start; index < end; index += 1) {
      const item = items[index];
      if (item === undefined) break;
      // An ad group's ads share one voice in a draw among equals, split by their weights.
      const group = weights?.get(item.adGroup.id) ?? item.weight;
      shares[index + 1] = (shares[index] ?? 0) + item.weight / group;
      if (item.yieldPpm < lowestYieldPpm) lowestYieldPpm = item.yieldPpm;
    }
    start = end;
  }
  return { items, blockEnds, shares, lowestYieldPpm };
}

function groupWeights(
  items: readonly Candidate[],
  start: number,
  end: number,
): Map<number, number> {
  const weights = new Map<number, number>();
  for (let index = start; index < end; index += 1) {
    const item = items[index];
    if (item === undefined) break;
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
  readonly list: RankedList<C>;
  /** Nobody with a lower ceiling is visited. */
  readonly floorEcpmNanos: Nanos;
  blockStart: number;
  blockEnd: number;
  /** Steps from the block's start to where the walk entered it. */
  entry: number;
  taken: number;
  /** Ceiling of the present block; undefined at the end. */
  ceiling: Nanos | undefined;
}

/** `floorOf`: eCPM below which nobody of a list can pass the zone's floor. */
export function openScan<C extends Candidate>(
  lists: readonly RankedList<C>[],
  roll: number,
  floorOf: (list: RankedList<C>) => Nanos = () => 0n,
): Scan<C> {
  const cursors: Cursor<C>[] = [];
  for (const list of lists) {
    if (list.items.length === 0) continue;
    const floorEcpmNanos = floorOf(list);
    const cursor = {
      list,
      floorEcpmNanos,
      blockStart: 0,
      blockEnd: 0,
      entry: 0,
      taken: 0,
      ceiling: undefined,
    };
    enter(cursor, 0, roll);
    cursors.push(cursor);
  }
  let lead: Cursor<C> | undefined;
  let isStale = true;
  const leader = (): Cursor<C> | undefined => {
    if (!isStale) return lead;
    isStale = false;
    lead = undefined;
    for (const cursor of cursors) {
      if (cursor.ceiling === undefined) continue;
      if (lead?.ceiling === undefined || cursor.ceiling > lead.ceiling) lead = cursor;
    }
    return lead;
  };
  return {
    ceilingNanos: () => leader()?.ceiling,
    next: () => {
      const cursor = leader();
      if (cursor === undefined) return undefined;
      const { list, blockStart, blockEnd } = cursor;
      const size = blockEnd - blockStart;
      const item = list.items[blockStart + ((cursor.entry + cursor.taken) % size)];
      cursor.taken += 1;
      if (cursor.taken === size) {
        enter(cursor, blockEnd, roll);
        isStale = true;
      }
      return item;
    },
  };
}

function enter<C extends Candidate>(cursor: Cursor<C>, blockStart: number, roll: number): void {
  const { list } = cursor;
  const ceiling = list.items[blockStart]?.ceilingEcpmNanos;
  if (ceiling === undefined || ceiling < cursor.floorEcpmNanos) {
    cursor.ceiling = undefined;
    return;
  }
  cursor.blockStart = blockStart;
  cursor.blockEnd = list.blockEnds[blockStart] ?? blockStart + 1;
  cursor.entry = draw(list, { blockStart, blockEnd: cursor.blockEnd, roll }) - blockStart;
  cursor.taken = 0;
  cursor.ceiling = ceiling;
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
