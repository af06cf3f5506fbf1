import { askedTerms, PAGE_DIMENSIONS } from './page-targeting.ts';
import type { PageTargeting, PageWords } from './types.ts';

type Rows = Map<string, Uint32Array>;

/**
 * Who of a list may ask for what a page says, as bits over its places: a row per term that somebody
 * asks for, and in each dimension one of those who ask nothing. So an auction steps over thousands of
 * ads of other pages as it does over those of other devices. A title is met by the first word of a
 * keyword here; whether all of it stands there is asked of whoever is met (page-targeting.ts).
 */
export class PageBits {
  readonly #places: number;
  readonly #words: number;
  readonly #open: readonly Uint32Array[];
  readonly #rows: readonly Rows[] = PAGE_DIMENSIONS.map(() => new Map());
  /** Of the page that was asked about last: pages ask again and again. */
  readonly #mask: Uint32Array;
  #maskOf: PageWords | null | undefined;

  /** Nobody asks for anything yet. */
  constructor(places: number) {
    this.#places = places;
    this.#words = (places + 31) >>> 5;
    this.#open = PAGE_DIMENSIONS.map(() => new Uint32Array(this.#words).fill(-1 >>> 0));
    this.#mask = new Uint32Array(this.#words);
  }

  admit(place: number, targeting: PageTargeting): void {
    for (const [at, dimension] of PAGE_DIMENSIONS.entries()) {
      const asked = askedTerms(targeting, dimension);
      if (asked === null) continue;
      this.#bar(at, place);
      for (const term of asked) this.#write(at, term, place);
    }
  }

  /** Writes one place for a whole part: what any place of it asks for. */
  summarize(place: number, part: PageBits): void {
    for (let at = 0; at < PAGE_DIMENSIONS.length; at += 1) {
      if (!part.#hasOpen(at)) this.#bar(at, place);
      for (const term of part.#rows[at]?.keys() ?? []) this.#write(at, term, place);
    }
  }

  /** A word of 32 places for each; not to be kept, as the next page is written over it. */
  mask(page: PageWords | null): Uint32Array {
    const mask = this.#mask;
    if (this.#maskOf === page) return mask;
    this.#maskOf = page;
    mask.fill(-1 >>> 0);
    for (const [at, dimension] of PAGE_DIMENSIONS.entries()) {
      const rows = this.#rows[at];
      const open = this.#open[at];
      if (rows === undefined || open === undefined) continue;
      const met = rowsFor(rows, page?.terms[dimension]);
      for (let word = 0; word < this.#words; word += 1) {
        let allowed = open[word] ?? 0;
        for (const row of met) allowed |= row[word] ?? 0;
        mask[word] = (mask[word] ?? 0) & allowed;
      }
    }
    return mask;
  }

  #bar(dimension: number, place: number): void {
    const open = this.#open[dimension];
    if (open !== undefined) open[place >>> 5] = (open[place >>> 5] ?? 0) & ~(1 << (place & 31));
    this.#maskOf = undefined;
  }

  #write(dimension: number, term: string, place: number): void {
    const rows = this.#rows[dimension];
    const row = rows?.get(term) ?? new Uint32Array(this.#words);
    rows?.set(term, row);
    row[place >>> 5] = (row[place >>> 5] ?? 0) | (1 << (place & 31));
    this.#maskOf = undefined;
  }

  #hasOpen(dimension: number): boolean {
    const open = this.#open[dimension];
    for (let place = 0; place < this.#places; place += 1) {
      if (((open?.[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0) return true;
    }
    return false;
  }
}

/** Looks up the fewer in the more: pages say dozens of words, and a list may be asked for thousands. */
function rowsFor(rows: Rows, said: ReadonlySet<string> | undefined): Uint32Array[] {
  const met: Uint32Array[] = [];
  if (said === undefined || rows.size === 0) return met;
  if (rows.size <= said.size) {
    for (const [term, row] of rows) if (said.has(term)) met.push(row);
    return met;
  }
  for (const term of said) {
    const row = rows.get(term);
    if (row !== undefined) met.push(row);
  }
  return met;
}
