import type { SettledUntil } from '../../db/serving/snapshot-store.ts';
import type { Nanos } from '../../domain/money.ts';
import { shardOf } from '../../domain/tracking/facts.ts';
import type { AdvertiserCell, SpendCell } from './live-budgets.ts';

const SLOT_MS = 250;
/** From an answer to the report of what it shows: what comes later is shown past a cap, and not billed. */
const REPORT_MS = 3_000;
/** Without word of settlement; who asks for ads and shows none of them keeps money from others so long. */
const HELD_MS = 15_000;
/** While it gives word: what it is behind it will come to, and until then it would be shown past every cap. */
const HELD_BEHIND_MS = 60_000;
/** Places; a power of two. */
const FIRST_SIZE = 1_024;
/** Some three milliseconds of one auction. */
const RELEASED_AT_ONCE = 10_000;

/** Who else shows the same ads. */
export interface Sharing {
  /** Of settlement: each tells of its own advertisers. */
  shards: number;
  /** That answer requests: each sees its share of what is shown, and holds for all. */
  processes: number;
}

/** Whose money showing an ad spends. */
interface Payers {
  readonly advertiser: AdvertiserCell;
  readonly campaign: { readonly spend: SpendCell };
  readonly adGroup: { readonly spend: SpendCell };
}

/**
 * What was shown and settlement has not told of yet. It knows of an impression seconds after it was shown,
 * and serving of what settlement knows: without holding it back, a budget is shown again and again
 * meanwhile. Holding too much costs a moment, as what was not reported is free again; billing asks
 * nothing of it.
 */
export class Holds {
  readonly #processes: Nanos;
  /** By shard of settlement. */
  readonly #lines: HeldLine[];
  #expiredAt = -Infinity;

  constructor({ shards, processes }: Sharing) {
    this.#processes = BigInt(processes);
    this.#lines = Array.from({ length: shards }, () => new HeldLine());
  }

  add(of: Payers, nanos: Nanos, now: Date): void {
    if (nanos <= 0n) return;
    const line = this.#lines[shardOf(of.advertiser.id, this.#lines.length)];
    if (line === undefined) return;
    const inAll = this.#processes === 1n ? nanos : nanos * this.#processes;
    grow(of, inAll);
    line.push(of, inAll, now.getTime());
  }

  /** What is held back now, for the metrics: counted when they are asked for, not with each ad. */
  heldNanos(): Nanos {
    return this.#lines.reduce((sum, line) => sum + line.sum(), 0n);
  }

  /** What is known to be spent, or not to be, is held no longer; a notice of another build says nothing of it. */
  settled(until: SettledUntil | undefined): void {
    if (until === undefined) return;
    const line = this.#lines[until.shard];
    if (line === undefined) return;
    // As of the auction before it: when nobody asks for ads, nothing has to be held.
    line.wordAt = this.#expiredAt;
    line.release(until.untilMs - REPORT_MS);
  }

  /** Called by every auction. */
  expire(now: Date): void {
    const at = now.getTime();
    if (Math.abs(at - this.#expiredAt) < SLOT_MS) return;
    // What a clock that went back has held would be held until it is there again.
    const isBack = at < this.#expiredAt;
    this.#expiredAt = at;
    for (const line of this.#lines) line.release(isBack ? Infinity : at - line.heldMs(at));
  }
}

/** What was added in one moment, and in those before it: all up to this position. */
interface Slot {
  readonly at: number;
  end: number;
}

/**
 * One after another, in a ring that grows: an entry is two places of it and no object, as thousands
 * live for seconds and each would be carried through the heap.
 */
class HeldLine {
  #of: (Payers | undefined)[] = Array.from({ length: FIRST_SIZE });
  #nanos = new BigInt64Array(FIRST_SIZE);
  /** Positions only grow; a place is what is left of one by the ring's size. */
  #first = 0;
  #end = 0;
  #freeUntil = 0;
  /** Oldest first. */
  readonly #slots: Slot[] = [];
  /** When settlement told something last. */
  wordAt = -Infinity;

  /** For how long what nobody told of is held. */
  heldMs(now: number): number {
    return Math.abs(now - this.wordAt) < HELD_MS ? HELD_BEHIND_MS : HELD_MS;
  }

  push(of: Payers, nanos: Nanos, now: number): void {
    if (this.#end - this.#first === this.#of.length) this.#double();
    const place = this.#end & (this.#of.length - 1);
    this.#of[place] = of;
    this.#nanos[place] = nanos;
    this.#end += 1;
    const slot = this.#slots.at(-1);
    if (slot === undefined || slot.at + SLOT_MS <= now) {
      this.#slots.push({ at: now - (now % SLOT_MS), end: this.#end });
    } else slot.end = this.#end;
  }

  /** What was added before then; of very much the oldest now, and the rest with the next calls. */
  release(untilMs: number): void {
    const slots = this.#slots;
    for (let [slot] = slots; slot !== undefined && slot.at + SLOT_MS <= untilMs; [slot] = slots) {
      this.#freeUntil = slot.end;
      slots.shift();
    }
    const until = Math.min(this.#freeUntil, this.#first + RELEASED_AT_ONCE);
    for (; this.#first < until; this.#first += 1) {
      const place = this.#first & (this.#of.length - 1);
      const of = this.#of[place];
      if (of !== undefined) grow(of, -(this.#nanos[place] ?? 0n));
      this.#of[place] = undefined;
    }
  }

  sum(): Nanos {
    let sum = 0n;
    for (let at = this.#first; at < this.#end; at += 1) {
      sum += this.#nanos[at & (this.#of.length - 1)] ?? 0n;
    }
    return sum;
  }

  #double(): void {
    const size = this.#of.length;
    const of: (Payers | undefined)[] = Array.from({ length: size * 2 });
    const nanos = new BigInt64Array(size * 2);
    for (let at = this.#first; at < this.#end; at += 1) {
      of[at & (size * 2 - 1)] = this.#of[at & (size - 1)];
      nanos[at & (size * 2 - 1)] = this.#nanos[at & (size - 1)] ?? 0n;
    }
    this.#of = of;
    this.#nanos = nanos;
  }
}

function grow({ advertiser, campaign, adGroup }: Payers, nanos: Nanos): void {
  advertiser.heldNanos += nanos;
  campaign.spend.heldNanos += nanos;
  adGroup.spend.heldNanos += nanos;
}
