import type { Nanos } from '../money.ts';
import { spokenAt, voicesIn } from './page.ts';
import { indexAt, pageAt, placeOf, type RankedList } from './ranked-list.ts';
import { closeToCapped, type Gate } from './trait-bits.ts';
import type { Candidate } from './types.ts';

/** A walk over several ranked lists as if they were one. */
export interface Scan<C extends Candidate = Candidate> {
  /** Nothing that is still to come has a higher ceiling; undefined at the end. */
  ceilingNanos(): Nanos | undefined;
  next(): C | undefined;
  /** Pages that this advertiser has alone are stepped over from now on. */
  leaveOut(advertiserId: number): void;
  /** Nobody with a frequency cap comes any more, but for who leads each list already. */
  leaveOutCapped(): void;
}

export interface ScanTerms<C extends Candidate> {
  /** 0 <= roll < 1: where the walk enters a block of equals. */
  roll: number;
  /** Whoever its rows do not let pass is stepped over; without one everybody is visited. */
  gate?: Gate | undefined;
  /** eCPM below which nobody of a list can pass the zone's floor. */
  floorOf?: (list: RankedList<C>) => Nanos;
}

export function openScan<C extends Candidate>(
  lists: readonly RankedList<C>[],
  terms: ScanTerms<C>,
): Scan<C> {
  const leftOut = new Set<number>();
  const cursors = lists.map((list) => new Cursor(list, terms, leftOut));
  let lead: Cursor<C> | undefined;
  const choose = (): void => {
    lead = undefined;
    for (const cursor of cursors) {
      if (cursor.ceiling === undefined) continue;
      if (lead?.ceiling === undefined || cursor.ceiling > lead.ceiling) lead = cursor;
    }
  };
  choose();
  return {
    ceilingNanos: () => lead?.ceiling,
    next: () => {
      if (lead === undefined) return undefined;
      const { ceiling } = lead;
      const item = lead.take();
      if (lead.ceiling !== ceiling) choose();
      return item;
    },
    leaveOut: (advertiserId) => void leftOut.add(advertiserId),
    leaveOutCapped: () => {
      if (terms.gate !== undefined) closeToCapped(terms.gate);
    },
  };
}

/** Equals that are walked from `entry` to their end, and then from their beginning to it. */
interface Block {
  readonly start: number;
  readonly entry: number;
  readonly end: number;
  isWrapped: boolean;
}

const NONE = -1;

/** Where a walk stands in one list. */
class Cursor<C extends Candidate> {
  readonly #list: RankedList<C>;
  readonly #terms: ScanTerms<C>;
  readonly #floorNanos: Nanos;
  readonly #leftOut: ReadonlySet<number>;
  /** Nobody before this place is still to come, the present block aside. */
  #rest = 0;
  #at = NONE;
  #block: Block | undefined;
  /** Of the candidate that comes next; undefined at the end. */
  ceiling: Nanos | undefined;

  constructor(list: RankedList<C>, terms: ScanTerms<C>, leftOut: ReadonlySet<number>) {
    this.#list = list;
    this.#terms = terms;
    this.#leftOut = leftOut;
    this.#floorNanos = terms.floorOf?.(list) ?? 0n;
    this.#seek();
  }

  take(): C | undefined {
    const item = this.#item(this.#at);
    if (this.#block === undefined) this.#seek();
    else this.#goRound(this.#block);
    return item;
  }

  #goRound(block: Block): void {
    this.#at = this.#find(this.#at + 1, block.isWrapped ? block.entry : block.end);
    if (this.#at === NONE && !block.isWrapped) {
      block.isWrapped = true;
      this.#at = this.#find(block.start, block.entry);
    }
    if (this.#at !== NONE) return;
    this.#block = undefined;
    this.#rest = block.end;
    this.#seek();
  }

  /** The next candidate in list order; equals are entered where the roll falls. */
  #seek(): void {
    this.ceiling = undefined;
    this.#at = this.#find(this.#rest, placeOf(this.#list.pages.length, 0));
    const ceiling = this.#item(this.#at)?.ceilingEcpmNanos;
    if (ceiling === undefined || ceiling < this.#floorNanos) return;
    this.ceiling = ceiling;
    const { start, end } = this.#equals(this.#at);
    if (end - start <= 1) {
      this.#rest = this.#at + 1;
      return;
    }
    const entry = this.#drawn(start, end);
    this.#block = { start, entry, end, isWrapped: false };
    this.#at = this.#find(entry, end);
    if (this.#at !== NONE) return;
    this.#block.isWrapped = true;
    this.#at = this.#find(start, entry);
  }

  #item(place: number): C | undefined {
    return place === NONE ? undefined : this.#list.pages[pageAt(place)]?.items[indexAt(place)];
  }

  #find(from: number, to: number): number {
    const { pages, bits, owners, ownersEnds } = this.#list;
    const { gate } = this.#terms;
    const leftOut = this.#leftOut.size === 0 ? undefined : this.#leftOut;
    const lastPage = pageAt(to);
    let page = pageAt(from);
    let index = indexAt(from);
    for (let present = pages[page]; present !== undefined; present = pages[page]) {
      const end = page === lastPage ? indexAt(to) : present.items.length;
      const isLeftOut = leftOut?.has(owners[page] ?? 0) === true;
      const found = isLeftOut ? NONE : present.bits.next(gate, index, end);
      if (found !== NONE) return placeOf(page, found);
      // Somebody with half the market alone may have hundreds of pages in a row.
      const after = isLeftOut ? (ownersEnds[page] ?? 0) : page + 1;
      if (after > lastPage) return NONE;
      page = bits.next(gate, after, Math.min(lastPage + 1, pages.length));
      index = 0;
    }
    return NONE;
  }

  #equals(place: number): { start: number; end: number } {
    const { pages, headStarts, tailEnds } = this.#list;
    const page = pageAt(place);
    const index = indexAt(place);
    const present = pages[page];
    const start = present?.runStarts[index] ?? 0;
    const end = present?.runEnds[index] ?? 0;
    return {
      start: start === 0 ? (headStarts[page] ?? 0) : placeOf(page, start),
      end: end === present?.items.length ? (tailEnds[page] ?? 0) : placeOf(page, end),
    };
  }

  /** Whose voice the roll falls into, among equals that can serve. */
  #drawn(start: number, end: number): number {
    const { pages, voices } = this.#list;
    const first = pageAt(start);
    const last = pageAt(end);
    const head = pages[first];
    const tail = pages[last];
    if (head === undefined || tail === undefined) return start;
    const from = indexAt(start);
    const to = indexAt(end);
    if (first === last) {
      const target = this.#terms.roll * voicesIn(head, from, to);
      return placeOf(first, spokenAt(head, { from, to, target }));
    }
    // Equals mostly have whole pages, of which the sums are known.
    const inHead = from === 0 ? voices.of(first) : voicesIn(head, from, head.items.length);
    const inTail = to === tail.items.length ? voices.of(last) : voicesIn(tail, 0, to);
    const passed = voices.before(first + 1);
    const between = voices.before(last) - passed;
    const target = this.#terms.roll * (inHead + between + inTail);
    if (target < inHead) {
      return placeOf(first, spokenAt(head, { from, to: head.items.length, target }));
    }
    const rest = target - inHead;
    const page = rest < between ? Math.min(voices.reaching(passed + rest), last - 1) : last;
    const spoken = pages[page] ?? tail;
    const before = voices.before(page) - passed;
    const within = { from: 0, to: page === last ? to : spoken.items.length, target: rest - before };
    return placeOf(page, spokenAt(spoken, within));
  }
}
