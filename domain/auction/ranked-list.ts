import type { Nanos } from '../money.ts';
import { type Page, PAGE_MAX, pageOf, sumVoices, type Voiced } from './page.ts';
import { PrefixSums } from './prefix-sums.ts';
import { TraitBits } from './trait-bits.ts';
import type { Candidate } from './types.ts';

/**
 * Candidates in falling order of the most they could bid, so that an auction stops as soon as
 * nobody further down can matter. Cut into pages, so that a change of a few costs their pages; above
 * the pages, what each has for whom, so that a walk steps over those that have nothing.
 */
export interface RankedList<C extends Candidate = Candidate> {
  readonly pages: readonly Page<C>[];
  /** One place per page. */
  readonly bits: TraitBits;
  /** Voices of each page's able candidates. */
  readonly voices: PrefixSums;
  /** Place where the equals end that a page ends with, and where those begin that it begins with. */
  readonly tailEnds: Uint32Array;
  readonly headStarts: Uint32Array;
  /** Of each page, who has all of it, and the first page after it that is not all theirs. */
  readonly owners: Float64Array;
  readonly ownersEnds: Uint32Array;
  /** No candidate here yields less: what a floor in the bid's own unit means as eCPM. */
  readonly lowestYieldPpm: Nanos;
}

type Several<C> = ReadonlySet<C> | readonly C[];

const EMPTY = pageOf<Candidate>([]);

/** A place in a list, as one number in list order: page and index in it. */
export const placeOf = (page: number, index: number): number => (page << 10) | index;
export const pageAt = (place: number): number => place >>> 10;
export const indexAt = (place: number): number => place & 1_023;

/** Orders by ceiling; equals by a scattered but fixed order, so that siblings are not neighbours. */
export function rankOrder(left: Candidate, right: Candidate): number {
  if (left.ceilingEcpmNanos !== right.ceilingEcpmNanos) {
    return left.ceilingEcpmNanos > right.ceilingEcpmNanos ? -1 : 1;
  }
  const scatter = scattered(left.adId) - scattered(right.adId);
  return scatter === 0 ? left.adId - right.adId : scatter;
}

const scattered = (id: number): number => Math.imul(id, 0x9e37_79b1) >>> 0;

/** In any order. An ad group's ads come together or not at all: they share one voice. */
export const rankedList = <C extends Candidate>(items: Iterable<C>): RankedList<C> =>
  whole(listing(whole(paging(whole(voicing([...items].sort(rankOrder)))))));

/** All at once. */
function whole<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}

/**
 * The list without some and with others, who come in rank order; pages that nobody leaves or enters
 * are shared with the old one. As for `rankedList`, the ads of one group come together. Yields
 * often: where the work may be put aside for a while.
 */
export function* changedList<C extends Candidate>(
  list: RankedList<C>,
  leaving: ReadonlySet<C>,
  coming: Several<C>,
): Generator<void, RankedList<C>> {
  const touched = new Map<number, Voiced<C>[]>();
  for (const item of leaving) {
    touched.set(pageFor(list, item), []);
    yield;
  }
  for (const entry of yield* voicing(coming)) {
    const at = pageFor(list, entry.item);
    const entering = touched.get(at);
    if (entering === undefined) touched.set(at, [entry]);
    else entering.push(entry);
    yield;
  }
  const pages: Page<C>[] = [];
  for (const [at, page] of (list.pages.length === 0 ? [EMPTY] : list.pages).entries()) {
    const entering = touched.get(at);
    if (entering === undefined) {
      pages.push(page as Page<C>);
      continue;
    }
    const merged = yield* merging(entriesOf(page as Page<C>, leaving), entering);
    for (const part of parts(merged)) {
      pages.push(pageOf(part));
      yield;
    }
  }
  const size = pages.reduce((sum, { items }) => sum + items.length, 0);
  const isFrayed = pages.length > 4 * Math.ceil(size / PAGE_MAX) + 1;
  return yield* listing(isFrayed ? yield* paging(yield* entriesOfAll(pages)) : pages);
}

/** Takes a candidate out of every walk, or lets it in again, as its `isOut` says. */
export function refresh<C extends Candidate>(list: RankedList<C>, item: C): void {
  if (list.pages.length === 0) return;
  const at = pageFor(list, item);
  const page = list.pages[at];
  const index = page === undefined ? -1 : indexIn(page, item);
  if (page === undefined || page.items[index] !== item) return;
  page.bits.setAble(index, !item.isOut);
  summarize(list, at, page);
}

/** The same for all of a page at once. */
export function refreshPage(list: RankedList, at: number): void {
  const page = list.pages[at];
  if (page === undefined) return;
  for (const [index, { isOut }] of page.items.entries()) page.bits.setAble(index, !isOut);
  summarize(list, at, page);
}

function summarize(list: RankedList, at: number, page: Page): void {
  list.bits.summarize(at, page.bits);
  sumVoices(page);
  list.voices.set(at, voicesOf(page));
}

const voicesOf = ({ sums }: Page): number => sums.at(-1) ?? 0;

function* listing<C extends Candidate>(pages: readonly Page<C>[]): Generator<void, RankedList<C>> {
  const bits = new TraitBits(pages.length);
  const sums: number[] = [];
  for (const [at, page] of pages.entries()) {
    bits.summarize(at, page.bits);
    bits.summarizePages(at, page.bits);
    sums.push(voicesOf(page));
    yield;
  }
  const voices = new PrefixSums(sums);
  let lowestYieldPpm = pages[0]?.lowestYieldPpm ?? 0n;
  for (const page of pages) {
    if (page.lowestYieldPpm < lowestYieldPpm) lowestYieldPpm = page.lowestYieldPpm;
  }
  const owners = Float64Array.from(pages, ({ owner }) => owner);
  const ownersEnds = endsOfRuns(owners);
  return { pages, bits, voices, ...equalsAcross(pages), owners, ownersEnds, lowestYieldPpm };
}

/** Of each value, the first place after it where another one stands. */
function endsOfRuns(values: Float64Array): Uint32Array {
  const ends = new Uint32Array(values.length);
  for (let at = values.length - 1; at >= 0; at -= 1) {
    ends[at] = values[at] === values[at + 1] ? (ends[at + 1] ?? 0) : at + 1;
  }
  return ends;
}

/** Equals may lie in many pages: worked out once, so that no auction walks them. */
function equalsAcross(pages: readonly Page[]): Pick<RankedList, 'tailEnds' | 'headStarts'> {
  const headStarts = new Uint32Array(pages.length);
  const tailEnds = new Uint32Array(pages.length);
  for (const [at, page] of pages.entries()) {
    headStarts[at] = placeOf(at, 0);
    const before = pages[at - 1];
    if (before === undefined || !areEqual(before.items.at(-1), page.items[0])) continue;
    const begins = before.runStarts.at(-1) ?? 0;
    headStarts[at] = begins === 0 ? (headStarts[at - 1] ?? 0) : placeOf(at - 1, begins);
  }
  for (let at = pages.length - 1; at >= 0; at -= 1) {
    const { items } = pages[at] as Page;
    tailEnds[at] = placeOf(at, items.length);
    const after = pages[at + 1];
    if (after === undefined || !areEqual(items.at(-1), after.items[0])) continue;
    const ends = after.runEnds[0] ?? 0;
    tailEnds[at] = ends === after.items.length ? (tailEnds[at + 1] ?? 0) : placeOf(at + 1, ends);
  }
  return { headStarts, tailEnds };
}

const areEqual = (left: Candidate | undefined, right: Candidate | undefined): boolean =>
  left?.ceilingEcpmNanos === right?.ceilingEcpmNanos;

/** An ad group's ads share one voice in a draw among equals, split by their weights. */
function* voicing<C extends Candidate>(items: Several<C>): Generator<void, Voiced<C>[]> {
  const weights = new Map<number, number>();
  for (const { adGroup, weight } of items) {
    weights.set(adGroup.id, (weights.get(adGroup.id) ?? 0) + weight);
    yield;
  }
  const voiced: Voiced<C>[] = [];
  for (const item of items) {
    voiced.push({ item, voice: item.weight / (weights.get(item.adGroup.id) ?? item.weight) });
    yield;
  }
  return voiced;
}

function* paging<C extends Candidate>(entries: readonly Voiced<C>[]): Generator<void, Page<C>[]> {
  const pages: Page<C>[] = [];
  for (const part of parts(entries)) {
    pages.push(pageOf(part));
    yield;
  }
  return pages;
}

function* entriesOfAll<C extends Candidate>(
  pages: readonly Page<C>[],
): Generator<void, Voiced<C>[]> {
  const all: Voiced<C>[] = [];
  for (const page of pages) {
    for (const entry of entriesOf(page)) all.push(entry);
    yield;
  }
  return all;
}

/** As few as hold them in pages, evenly filled. */
function parts<C extends Candidate>(entries: readonly Voiced<C>[]): Voiced<C>[][] {
  const count = Math.ceil(entries.length / PAGE_MAX);
  const from = (at: number): number => Math.floor((at * entries.length) / count);
  return Array.from({ length: count }, (_none, at) => entries.slice(from(at), from(at + 1)));
}

const entriesOf = <C extends Candidate>(
  { items, voices }: Page<C>,
  without?: ReadonlySet<C>,
): Voiced<C>[] =>
  items
    .map((item, at) => ({ item, voice: voices[at] ?? 0 }))
    .filter(({ item }) => without?.has(item) !== true);

function* merging<C extends Candidate>(
  left: readonly Voiced<C>[],
  right: readonly Voiced<C>[],
): Generator<void, Voiced<C>[]> {
  const result: Voiced<C>[] = [];
  let at = 0;
  for (const entry of right) {
    for (
      let next = left[at];
      next !== undefined && rankOrder(next.item, entry.item) <= 0;
      next = left[at]
    ) {
      result.push(next);
      at += 1;
    }
    result.push(entry);
    yield;
  }
  return [...result, ...left.slice(at)];
}

/** The page where it stands or would stand: the first one of a list that has none. */
function pageFor(list: RankedList, item: Candidate): number {
  let low = 0;
  let high = Math.max(0, list.pages.length - 1);
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    const first = list.pages[middle]?.items[0];
    if (first !== undefined && rankOrder(first, item) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function indexIn({ items }: Page, item: Candidate): number {
  let low = 0;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = items[middle];
    if (other !== undefined && rankOrder(other, item) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
