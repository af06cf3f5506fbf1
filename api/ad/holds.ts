import type { SettledUntil } from '../../db/serving/snapshot-store.ts';
import type { Nanos } from '../../domain/money.ts';
import { shardOf } from '../../domain/tracking/facts.ts';
import type { AdvertiserCell, SpendCell } from './live-budgets.ts';

const SLOT_MS = 250;
/** From an answer to the report of what it shows: what comes later is shown past a cap, and not billed. */
const REPORT_MS = 3_000;
/** Without word of settlement; who asks for ads and shows none of them keeps money from others so long. */
const HELD_MS = 15_000;

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

/** What was shown in one moment, by ad group. */
interface Slot {
  readonly at: number;
  readonly held: Map<SpendCell, { readonly of: Payers; nanos: Nanos }>;
}

/**
 * What was shown and settlement has not told of yet. It knows of an impression seconds after it was shown,
 * and serving of what settlement knows: without holding it back, a budget is shown again and again
 * meanwhile. Holding too much costs a moment, as what was not reported is free again; billing asks
 * nothing of it.
 */
export class Holds {
  readonly #shards: number;
  readonly #processes: Nanos;
  /** By shard of settlement; oldest first. */
  readonly #slots: Slot[][];
  #expiredAt = -Infinity;

  constructor({ shards, processes }: Sharing) {
    this.#shards = shards;
    this.#processes = BigInt(processes);
    this.#slots = Array.from({ length: shards }, () => []);
  }

  add(of: Payers, nanos: Nanos, now: Date): void {
    if (nanos <= 0n) return;
    const slots = this.#slots[shardOf(of.advertiser.id, this.#shards)];
    if (slots === undefined) return;
    const at = Math.floor(now.getTime() / SLOT_MS) * SLOT_MS;
    let slot = slots.at(-1);
    if (slot === undefined || slot.at < at) slots.push((slot = { at, held: new Map() }));
    const inAll = nanos * this.#processes;
    grow(of, inAll);
    const held = slot.held.get(of.adGroup.spend);
    if (held === undefined) slot.held.set(of.adGroup.spend, { of, nanos: inAll });
    else held.nanos += inAll;
  }

  /** What is known to be spent, or not to be, is held no longer; a notice of another build says nothing of it. */
  settled(until: SettledUntil | undefined): void {
    if (until !== undefined) {
      this.#release(this.#slots[until.shard] ?? [], until.untilMs - REPORT_MS);
    }
  }

  /** Called by every auction. */
  expire(now: Date): void {
    const at = now.getTime();
    if (Math.abs(at - this.#expiredAt) < SLOT_MS) return;
    // What a clock that went back has held would be held until it is there again.
    const untilMs = at < this.#expiredAt ? Infinity : at - HELD_MS;
    this.#expiredAt = at;
    for (const slots of this.#slots) this.#release(slots, untilMs);
  }

  #release(slots: Slot[], untilMs: number): void {
    for (let [slot] = slots; slot !== undefined && slot.at + SLOT_MS <= untilMs; [slot] = slots) {
      for (const { of, nanos } of slot.held.values()) grow(of, -nanos);
      slots.shift();
    }
  }
}

function grow({ advertiser, campaign, adGroup }: Payers, nanos: Nanos): void {
  advertiser.heldNanos += nanos;
  campaign.spend.heldNanos += nanos;
  adGroup.spend.heldNanos += nanos;
}
