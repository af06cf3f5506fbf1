import type { Nanos } from '../money.ts';
import { spokenAt } from './page.ts';
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
  /** 0 <= stretch < 1: rolls among equals of many pages fall within a part of a page's worth from there on. */
  stretch?: number | undefined;
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
/** Equals on so few pages stay warm in memory, all of them. */
const CLOSE_PAGES = 2;
/** A stretch is as long as one of them: some 64 ads, whose objects fit beside all else in a core's cache. */
const PARTS_OF_A_PAGE = 4;

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

  /** The roll, or the part of a stretch that it falls into: of one that is drawn itself, as even. */
  #within(pages: number): number {
    const { roll, stretch } = this.#terms;
    if (stretch === undefined || pages <= CLOSE_PAGES) return roll;
    const at = stretch + roll / (pages * PARTS_OF_A_PAGE);
    return at < 1 ? at : at - 1;
  }

  /** Whose voice the roll falls into, among equals that can serve. */
  #drawn(start: number, end: number): number {
    const { pages, voices } = this.#list;
    const first = pageAt(start);
    const last = pageAt(end);
    const before = this.#voicesBefore(start);
    const target = before + this.#within(last - first + 1) * (this.#voicesBefore(end) - before);
    const page = Math.max(first, Math.min(voices.reaching(target), last));
    const spoken = pages[page];
    if (spoken === undefined) return start;
    const from = page === first ? indexAt(start) : 0;
    const to = page === last ? indexAt(end) : spoken.items.length;
    return placeOf(page, spokenAt(spoken, { from, to, target: target - voices.before(page) }));
  }

  #voicesBefore(place: number): number {
    const page = pageAt(place);
    const inPage = this.#list.pages[page]?.sums[indexAt(place)] ?? 0;
    return this.#list.voices.before(page) + inPage;
  }
}
