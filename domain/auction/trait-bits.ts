import { BROWSERS, DEVICES, OSES } from '../viewer.ts';
import { PageBits } from './page-bits.ts';
import { ALL } from './targeting.ts';
import type { AuctionViewer, Candidate, PageWords } from './types.ts';

/**
 * Who may serve at all and whom the masks of targeting let pass, as rows of bits over the places of a
 * list: one request is six rows and the first, and 32 places are judged by one AND.
 */
const ABLE = 0;
const DEVICE = 1;
const OS = DEVICE + DEVICES.length;
const BROWSER = OS + OSES.length;
const HOUR = BROWSER + BROWSERS.length;
const WEEKDAY = HOUR + 24;
const UNCAPPED = WEEKDAY + 7;
const ROWS = UNCAPPED + 1;

/** The rows that one request asks for besides the first. */
export interface Gate {
  readonly device: number;
  readonly os: number;
  readonly browser: number;
  readonly hour: number;
  readonly weekday: number;
  /** Who has no frequency cap, or whoever may serve. */
  caps: number;
  readonly page: PageWords | null;
}

/** Hours and weekdays are of the platform's time zone, UTC (interface 2.3). */
export const gateOf = (viewer: AuctionViewer, now: Date, page: PageWords | null = null): Gate => ({
  device: DEVICE + DEVICES.indexOf(viewer.device),
  os: OS + OSES.indexOf(viewer.os),
  browser: BROWSER + BROWSERS.indexOf(viewer.browser),
  hour: HOUR + now.getUTCHours(),
  weekday: WEEKDAY + now.getUTCDay(),
  caps: ABLE,
  page,
});

/** From now on, for walks that have met as many capped ones as they may. */
export function closeToCapped(gate: Gate): void {
  gate.caps = UNCAPPED;
}

type Admitted = Pick<Candidate, 'targeting' | 'isOut' | 'caps'>;

export class TraitBits {
  readonly #places: number;
  readonly #words: number;
  readonly #bits: Uint32Array;
  /** Where somebody asks something of the page. */
  #page: PageBits | undefined;

  constructor(places: number) {
    this.#places = places;
    this.#words = (places + 31) >>> 5;
    // Most masks let everybody pass: only those that do not are written.
    this.#bits = new Uint32Array(ROWS * this.#words).fill(-1 >>> 0, this.#words);
  }

  /** Writes a place that nothing was written to. */
  admit(place: number, { targeting, isOut, caps }: Admitted): void {
    if (!isOut) this.setAble(place, true);
    if (caps.length > 0) this.#bar(UNCAPPED, 1, place, 0);
    if (targeting.page !== null) this.#pageBits().admit(place, targeting.page);
    this.#bar(DEVICE, DEVICES.length, place, targeting.devices);
    this.#bar(OS, OSES.length, place, targeting.os);
    this.#bar(BROWSER, BROWSERS.length, place, targeting.browsers);
    this.#bar(HOUR, 24, place, targeting.hours);
    this.#bar(WEEKDAY, 7, place, targeting.weekdays);
  }

  isAble(place: number): boolean {
    return ((this.#bits[place >>> 5] ?? 0) & (1 << (place & 31))) !== 0;
  }

  setAble(place: number, isAble: boolean): void {
    const word = place >>> 5;
    const bit = 1 << (place & 31);
    this.#bits[word] = isAble ? (this.#bits[word] ?? 0) | bit : (this.#bits[word] ?? 0) & ~bit;
  }

  /** The first place in [from, to) that the gate lets pass; without a gate, any. -1: none. */
  next(gate: Gate | undefined, from: number, to: number): number {
    if (from >= to) return -1;
    if (gate === undefined) return from;
    const words = this.#words;
    const bits = this.#bits;
    const last = (to - 1) >>> 5;
    const mask = this.#page?.mask(gate.page);
    let only = -1 << (from & 31);
    for (let word = from >>> 5; word <= last; word += 1) {
      // Most words of an evening, or of a night's hour, end here: two looks instead of seven.
      const present =
        (bits[word] ?? 0) &
        (bits[gate.hour * words + word] ?? 0) &
        (bits[gate.device * words + word] ?? 0) &
        (mask === undefined ? -1 : (mask[word] ?? 0)) &
        only;
      only = -1;
      if (present === 0) continue;
      const found =
        present &
        (bits[gate.os * words + word] ?? 0) &
        (bits[gate.browser * words + word] ?? 0) &
        (bits[gate.weekday * words + word] ?? 0) &
        (bits[gate.caps * words + word] ?? 0);
      if (found !== 0) {
        const place = (word << 5) + 31 - Math.clz32(found & -found);
        return place < to ? place : -1;
      }
    }
    return -1;
  }

  /** Writes one place for a whole part: whether any able place of it has the row. */
  summarize(place: number, part: TraitBits): void {
    const bit = 1 << (place & 31);
    let at = place >>> 5;
    for (let row = 0; row < ROWS; row += 1) {
      const was = this.#bits[at] ?? 0;
      this.#bits[at] = part.#hasAble(row) ? was | bit : was & ~bit;
      at += this.#words;
    }
  }

  /** The same of what is asked of the page, which never changes: once, when a list is made. */
  summarizePages(place: number, part: TraitBits): void {
    if (part.#page !== undefined) this.#pageBits().summarize(place, part.#page);
  }

  #pageBits(): PageBits {
    return (this.#page ??= new PageBits(this.#places));
  }

  #hasAble(row: number): boolean {
    for (let word = 0; word < this.#words; word += 1) {
      if (((this.#bits[word] ?? 0) & (this.#bits[row * this.#words + word] ?? 0)) !== 0)
        return true;
    }
    return false;
  }

  #bar(first: number, count: number, place: number, mask: number): void {
    if (mask === ALL) return;
    for (let row = 0; row < count; row += 1) {
      if (((mask >>> row) & 1) === 1) continue;
      const at = (first + row) * this.#words + (place >>> 5);
      this.#bits[at] = (this.#bits[at] ?? 0) & ~(1 << (place & 31));
    }
  }
}
