import { dayOf } from '../../domain/auction/eligibility.ts';
import { type Awaits, awaits } from '../../domain/auction/sideline.ts';
import { EMPTY_INDEX, type InventoryIndex, refreshAd, refreshing } from './inventory-index.ts';
import type { ServableAd } from './servable-ads.ts';

/**
 * Ads that time or money keeps from serving, whoever asks. They stay in the ranked lists, and walks
 * step over them, until what they wait for has come: an auction in the evening of a good day costs
 * what it costs in the morning. Every auction still judges whom it meets, so being in by mistake
 * costs a look, and being out by mistake lasts until the next day at the most.
 */
export interface SidelinedAds {
  /** What refreshes are done to from now on; a stale one was made while ads went out or in. */
  useIndex(index: InventoryIndex, options: { isStale: boolean }): void;
  /** Marks an ad that no list holds yet. */
  admit(ad: ServableAd, now: Date): void;
  /** Takes a listed ad out when it waits for something. */
  put(ad: ServableAd, now: Date): void;
  forget(ads: Iterable<ServableAd>): void;
  /** Lets in who has money again; null: whoever it may be. */
  moneyCame(advertisers: Iterable<number> | null, now: Date): void;
  /** Called by every auction: lets in whose time has come, a little at a time. */
  advance(now: Date): void;
  /** An auction had looked at as many as it may (LOOKS_MAX). */
  countCut(): void;
  /** `moves`: how often an ad went out or in so far. */
  stats(): { sidelined: number; auctionsCutShort: number; moves: number };
}

const PACE_EVERY_MS = 1_000;
const PACED_AT_ONCE = 500;
/** More than these are let in page by page. */
const SINGLY_MAX = 64;
const PAGES_AT_ONCE = 16;

export function createSidelinedAds(): SidelinedAds {
  const waiting: Record<Awaits, Set<ServableAd>> = {
    day: new Set(),
    money: new Set(),
    pace: new Set(),
  };
  const byAdvertiser = new Map<number, Set<ServableAd>>();
  let index = EMPTY_INDEX;
  let refreshes: Generator<void> | undefined;
  let day = Number.NaN;
  let pacedAt = 0;
  let auctionsCutShort = 0;
  let moves = 0;

  const enter = (ad: ServableAd, now: Date): boolean => {
    const what = awaits(ad, now);
    if (what === undefined || ad.isOut) return false;
    if (Number.isNaN(day)) day = dayOf(now);
    ad.isOut = true;
    moves += 1;
    waiting[what].add(ad);
    if (what === 'money') mine(ad.advertiser.id).add(ad);
    return true;
  };
  const mine = (advertiser: number): Set<ServableAd> => {
    let ads = byAdvertiser.get(advertiser);
    if (ads === undefined) byAdvertiser.set(advertiser, (ads = new Set()));
    return ads;
  };
  const leave = (ad: ServableAd): void => {
    ad.isOut = false;
    moves += 1;
    for (const ads of Object.values(waiting)) ads.delete(ad);
    const ads = byAdvertiser.get(ad.advertiser.id);
    ads?.delete(ad);
    if (ads?.size === 0) byAdvertiser.delete(ad.advertiser.id);
  };
  const letIn = (ads: readonly ServableAd[]): void => {
    for (const ad of ads) leave(ad);
    if (ads.length > SINGLY_MAX) refreshes = refreshing(index);
    else for (const ad of ads) refreshAd(index, ad);
  };
  const turnDay = (now: Date): void => {
    if (day === dayOf(now)) return;
    day = dayOf(now);
    letIn([...waiting.day, ...waiting.pace]);
  };
  const lookAtPace = (now: Date): void => {
    if (Math.abs(now.getTime() - pacedAt) < PACE_EVERY_MS) return;
    pacedAt = now.getTime();
    const next: ServableAd[] = [];
    for (const ad of waiting.pace) {
      if (next.length === PACED_AT_ONCE) break;
      next.push(ad);
    }
    for (const ad of next) {
      // To the end of the line, so that each has its turn.
      waiting.pace.delete(ad);
      waiting.pace.add(ad);
    }
    letIn(next.filter((ad) => awaits(ad, now) !== 'pace'));
  };

  return {
    useIndex(next, { isStale }) {
      index = next;
      // Pages that are still to be refreshed may lie in other lists now.
      if (isStale || refreshes !== undefined) refreshes = refreshing(index);
    },
    admit: (ad, now) => void enter(ad, now),
    put(ad, now) {
      if (enter(ad, now)) refreshAd(index, ad);
    },
    forget(ads) {
      for (const ad of ads) if (ad.isOut) leave(ad);
    },
    moneyCame(advertisers, now) {
      const owners = advertisers ?? [...byAdvertiser.keys()];
      const open: ServableAd[] = [];
      for (const id of owners) {
        for (const ad of byAdvertiser.get(id) ?? []) if (awaits(ad, now) !== 'money') open.push(ad);
      }
      letIn(open);
    },
    advance(now) {
      turnDay(now);
      lookAtPace(now);
      for (let pages = 0; refreshes !== undefined && pages < PAGES_AT_ONCE; pages += 1) {
        if (refreshes.next().done === true) refreshes = undefined;
      }
    },
    countCut: () => {
      auctionsCutShort += 1;
    },
    stats: () => ({
      sidelined: waiting.day.size + waiting.money.size + waiting.pace.size,
      auctionsCutShort,
      moves,
    }),
  };
}
