import { dayOf } from '../../domain/auction/eligibility.ts';
import { type Awaits, awaits } from '../../domain/auction/sideline.ts';
import type { LimitReason } from '../../domain/auction/types.ts';
import { EMPTY_INDEX, type InventoryIndex, refreshAd, refreshing } from './inventory-index.ts';
import type { ServableAd } from './servable-ads.ts';

const PACE_EVERY_MS = 1_000;
const PACED_AT_ONCE = 500;
/** More than these are let in page by page. */
const SINGLY_MAX = 64;
const PAGES_AT_ONCE = 16;
/** Of many who may come back at once, as at midnight. */
const LET_IN_AT_ONCE = 1_000;

/**
 * Ads that time or money keeps from serving, whoever asks. They stay in the ranked lists, and walks
 * step over them, until what they wait for has come: an auction in the evening of a good day costs
 * what it costs in the morning. Every auction still judges whom it meets, so being in by mistake
 * costs a look, and being out by mistake lasts until the next day at the most.
 */
export class SidelinedAds {
  readonly #waiting: Readonly<Record<Awaits, Set<ServableAd>>> = {
    day: new Set(),
    money: new Set(),
    pace: new Set(),
  };
  /** Those who wait for money, by whose. */
  readonly #unpaid = new Map<number, Set<ServableAd>>();
  #index = EMPTY_INDEX;
  #refreshes: Generator<void> | undefined;
  /** Whose time has come, and whose turn is still to come. */
  #coming: ServableAd[] = [];
  #day: number | undefined;
  #pacedAt = 0;
  readonly #cutShort: Record<LimitReason, number> = { LOOKS_LIMIT: 0, CAPPED_LIMIT: 0 };
  #moves = 0;

  /** What refreshes are done to from now on; a stale one was made while ads went out or in. */
  useIndex(index: InventoryIndex, { isStale }: { isStale: boolean }): void {
    this.#index = index;
    // Pages that are still to be refreshed may lie in other lists now.
    if (isStale || this.#refreshes !== undefined) this.#refreshes = refreshing(index);
  }

  /** Takes an ad out that waits for something, one that no list holds yet. */
  admit(ad: ServableAd, now: Date): boolean {
    const what = awaits(ad, now);
    if (what === undefined || ad.isOut) return false;
    this.#day ??= dayOf(now);
    ad.isOut = true;
    this.#moves += 1;
    this.#waiting[what].add(ad);
    if (what !== 'money') return true;
    const { id } = ad.advertiser;
    const unpaid = this.#unpaid.get(id);
    if (unpaid === undefined) this.#unpaid.set(id, new Set([ad]));
    else unpaid.add(ad);
    return true;
  }

  /** The same with one of the lists. */
  put(ad: ServableAd, now: Date): void {
    if (this.admit(ad, now)) refreshAd(this.#index, ad);
  }

  forget(ads: Iterable<ServableAd>): void {
    for (const ad of ads) if (ad.isOut) this.#leave(ad);
  }

  /** Lets in who has money again; null: whoever it may be. */
  moneyCame(advertisers: Iterable<number> | null, now: Date): void {
    const open: ServableAd[] = [];
    for (const id of advertisers ?? this.#unpaid.keys()) {
      for (const ad of this.#unpaid.get(id) ?? []) {
        // Nothing costs less than a nano: one look answers for all of theirs.
        if (ad.advertiser.availableNanos <= 0n) break;
        if (awaits(ad, now) !== 'money') open.push(ad);
      }
    }
    this.#letIn(open);
  }

  /** Called by every auction: lets in whose time has come, a little at a time. */
  advance(now: Date): void {
    this.#turnDay(now);
    this.#lookAtPace(now);
    if (this.#coming.length > 0) this.#letIn([]);
    for (let pages = 0; this.#refreshes !== undefined && pages < PAGES_AT_ONCE; pages += 1) {
      if (this.#refreshes.next().done === true) this.#refreshes = undefined;
    }
  }

  /** An auction ended at one of its bounds, before it had asked everybody who might have won. */
  countCut(reason: LimitReason): void {
    this.#cutShort[reason] += 1;
  }

  /** `moves`: how often an ad went out or in so far. */
  stats(): { sidelined: number; cutShort: Readonly<Record<LimitReason, number>>; moves: number } {
    const { day, money, pace } = this.#waiting;
    return {
      sidelined: day.size + money.size + pace.size,
      cutShort: this.#cutShort,
      moves: this.#moves,
    };
  }

  /** Whichever day it is now: a clock that went back asks everybody anew as well. */
  #turnDay(now: Date): void {
    if (this.#day === dayOf(now)) return;
    this.#day = dayOf(now);
    this.#letIn([...this.#waiting.day, ...this.#waiting.pace]);
  }

  #lookAtPace(now: Date): void {
    if (Math.abs(now.getTime() - this.#pacedAt) < PACE_EVERY_MS) return;
    this.#pacedAt = now.getTime();
    const { pace } = this.#waiting;
    const next: ServableAd[] = [];
    for (const ad of pace) {
      if (next.length === PACED_AT_ONCE) break;
      next.push(ad);
    }
    for (const ad of next) {
      // To the end of the line, so that each has its turn.
      pace.delete(ad);
      pace.add(ad);
    }
    this.#letIn(next.filter((ad) => awaits(ad, now) !== 'pace'));
  }

  #letIn(ads: readonly ServableAd[]): void {
    if (ads.length <= SINGLY_MAX && this.#coming.length === 0) {
      for (const ad of ads) {
        this.#leave(ad);
        refreshAd(this.#index, ad);
      }
      return;
    }
    for (const ad of ads) this.#coming.push(ad);
    for (const ad of this.#coming.splice(-LET_IN_AT_ONCE)) if (ad.isOut) this.#leave(ad);
    if (this.#coming.length === 0) this.#refreshes = refreshing(this.#index);
  }

  #leave(ad: ServableAd): void {
    ad.isOut = false;
    this.#moves += 1;
    for (const ads of Object.values(this.#waiting)) ads.delete(ad);
    const { id } = ad.advertiser;
    const unpaid = this.#unpaid.get(id);
    unpaid?.delete(ad);
    if (unpaid?.size === 0) this.#unpaid.delete(id);
  }
}
