import { displaysOf, isFlexible, isSizeFree, RESPONSIVE } from '../../domain/auction/formats.ts';
import {
  changedList,
  type RankedList,
  rankedList,
  rankOrder,
  refresh,
  refreshPage,
} from '../../domain/auction/ranked-list.ts';
import type { PricingModel, TrackPayload } from '../../domain/tracking/facts.ts';
import { ZONE_TYPES } from '../../domain/zone-settings.ts';
import type { ServableAd, ServableZone } from './servable-ads.ts';

/**
 * Ads by what a request knows for certain: zone type, pricing model and size, then country. Per model
 * that the zone sells, a request looks at two shelves (its size, any size) of at most two lists each
 * (its country, any country), each in falling order of what could be bid. A list of one model ends
 * at the zone's floor. Measured, a scan of all candidates costs a thousand times as much.
 */
export type InventoryIndex = ReadonlyMap<string, Shelf>;

interface Shelf {
  readonly anywhere: RankedList<ServableAd>;
  readonly countries: ReadonlyMap<string, RankedList<ServableAd>>;
}

export const EMPTY_INDEX: InventoryIndex = new Map();

const ANY_SIZE = '*';
/** For ads that only a VAST player can show: a page has no file of theirs. */
const PLAYER_ONLY = 'vast';
const ANYWHERE = '';
const EMPTY_LIST: RankedList<ServableAd> = rankedList([]);
const NOBODY: ReadonlySet<ServableAd> = new Set();

const shelfKey = (type: string, model: string, size: string): string => `${type}|${model}|${size}`;
const sizeKey = (width: number | null, height: number | null): string => `${width}x${height}`;

/** The ranked lists that hold every ad which could be shown here. */
export function listsFor(
  index: InventoryIndex,
  request: { zone: ServableZone; channel: TrackPayload['channel']; country: string | null },
): RankedList<ServableAd>[] {
  const { zone, channel, country } = request;
  const lists: RankedList<ServableAd>[] = [];
  for (const key of shelvesFor(zone, channel === 'vast')) {
    const shelf = index.get(key);
    if (shelf === undefined) continue;
    lists.push(shelf.anywhere);
    const local = country === null ? undefined : shelf.countries.get(country);
    if (local !== undefined) lists.push(local);
  }
  return lists;
}

const keysByZone = new WeakMap<ServableZone, { page: string[]; player: string[] }>();

/** A zone never changes in place, so its keys are made once. */
function shelvesFor(zone: ServableZone, isPlayer: boolean): readonly string[] {
  let keys = keysByZone.get(zone);
  if (keys === undefined) {
    const sizes = isSizeFree(zone.type) ? [ANY_SIZE] : [sizeKey(zone.width, zone.height), ANY_SIZE];
    const keysOf = (of: readonly string[]): string[] =>
      [...zone.pricingModels].flatMap((model) =>
        of.map((size) => shelfKey(zone.type, model, size)),
      );
    keys = { page: keysOf(sizes), player: keysOf([...sizes, PLAYER_ONLY]) };
    keysByZone.set(zone, keys);
  }
  return isPlayer ? keys.player : keys.page;
}

/** Takes an ad out of every walk, or lets it in again, as its `isOut` says. */
export function refreshAd(index: InventoryIndex, ad: ServableAd): void {
  for (const key of shelvesOf(ad)) {
    const shelf = index.get(key);
    if (shelf === undefined) continue;
    if (ad.targeting.countries === null) refresh(shelf.anywhere, ad);
    for (const country of ad.targeting.countries ?? []) {
      const list = shelf.countries.get(country);
      if (list !== undefined) refresh(list, ad);
    }
  }
}

/** The same for all ads, page by page. */
export function* refreshing(index: InventoryIndex): Generator<void> {
  for (const { anywhere, countries } of index.values()) {
    for (const list of [anywhere, ...countries.values()]) {
      for (const [at] of list.pages.entries()) {
        refreshPage(list, at);
        yield;
      }
    }
  }
}

/**
 * A new index with some ads taken out and others put in. What they do not touch is shared with the
 * old one, so a change costs what its own pages cost. Yields often: where the work may be put aside.
 */
export function* changedIndex(
  index: InventoryIndex,
  removed: readonly ServableAd[],
  added: readonly ServableAd[],
): Generator<void, InventoryIndex> {
  const leaving: Places = new Map();
  const coming: Places = new Map();
  for (const ad of removed) {
    place(leaving, ad);
    yield;
  }
  for (const ad of yield* ranked(added)) {
    place(coming, ad);
    yield;
  }
  const result = new Map(index);
  for (const key of new Set([...leaving.keys(), ...coming.keys()])) {
    const shelf = yield* changedShelf(index.get(key), leaving.get(key), coming.get(key));
    if (shelf === undefined) result.delete(key);
    else result.set(key, shelf);
  }
  return result;
}

/** Ads by shelf and country. */
type Places = Map<string, Map<string, Set<ServableAd>>>;

function* changedShelf(
  shelf: Shelf | undefined,
  leaving: ReadonlyMap<string, ReadonlySet<ServableAd>> = new Map(),
  coming: ReadonlyMap<string, ReadonlySet<ServableAd>> = new Map(),
): Generator<void, Shelf | undefined> {
  const countries = new Map(shelf?.countries ?? []);
  let anywhere = shelf?.anywhere ?? EMPTY_LIST;
  for (const country of new Set([...leaving.keys(), ...coming.keys()])) {
    const old = country === ANYWHERE ? anywhere : (countries.get(country) ?? EMPTY_LIST);
    const [out, into] = [leaving.get(country) ?? NOBODY, coming.get(country) ?? NOBODY];
    const list = yield* changedList(old, out, into);
    if (country === ANYWHERE) anywhere = list;
    else if (list.pages.length === 0) countries.delete(country);
    else countries.set(country, list);
  }
  return anywhere.pages.length === 0 && countries.size === 0 ? undefined : { anywhere, countries };
}

/** Sorted at once in small parts only, and then merged: a hundred thousand hold nobody up. */
const SORTED_AT_ONCE = 512;

function* ranked(ads: readonly ServableAd[]): Generator<void, readonly ServableAd[]> {
  let sorted: ServableAd[][] = [];
  for (let from = 0; from < ads.length; from += SORTED_AT_ONCE) {
    sorted.push(ads.slice(from, from + SORTED_AT_ONCE).sort(rankOrder));
    yield;
  }
  while (sorted.length > 1) {
    const merged: ServableAd[][] = [];
    for (let at = 0; at < sorted.length; at += 2) {
      merged.push(yield* inOrder(sorted[at] ?? [], sorted[at + 1] ?? []));
    }
    sorted = merged;
  }
  return sorted[0] ?? [];
}

function* inOrder(
  left: readonly ServableAd[],
  right: readonly ServableAd[],
): Generator<void, ServableAd[]> {
  const all: ServableAd[] = [];
  let at = 0;
  for (const ad of right) {
    for (let next = left[at]; next !== undefined && rankOrder(next, ad) <= 0; next = left[at]) {
      all.push(next);
      at += 1;
    }
    all.push(ad);
    if (all.length % SORTED_AT_ONCE === 0) yield;
  }
  for (const ad of left.slice(at)) all.push(ad);
  return all;
}

function place(shelves: Places, ad: ServableAd): void {
  for (const key of shelvesOf(ad)) {
    let shelf = shelves.get(key);
    if (shelf === undefined) shelves.set(key, (shelf = new Map()));
    for (const country of ad.targeting.countries ?? [ANYWHERE]) {
      const ads = shelf.get(country);
      if (ads === undefined) shelf.set(country, new Set([ad]));
      else ads.add(ad);
    }
  }
}

/**
 * Another server's document is measured by that server: its clicks are never verified and its length
 * is not known, so neither can be sold.
 */
const UNSOLD_IN_WRAPPERS: ReadonlySet<PricingModel> = new Set(['CPC', 'CPV']);

function isShowable({ creative, content, campaign }: ServableAd): boolean {
  if (creative.display !== 'VIDEO') return true;
  const { video } = content;
  if (video === null) return false;
  return video.kind === 'inline' || !UNSOLD_IN_WRAPPERS.has(campaign.pricingModel);
}

const needsPlayer = ({ creative, content }: ServableAd): boolean =>
  creative.display === 'VIDEO' && content.videoUrl === null;

function shelvesOf(ad: ServableAd): string[] {
  if (!isShowable(ad)) return [];
  const { adType, pricingModel } = ad.campaign;
  const types = adType === RESPONSIVE ? ZONE_TYPES : [adType];
  return types
    .filter((type) => displaysOf(type).includes(ad.creative.display))
    .map((type) => {
      const anySize = isSizeFree(type) || isFlexible(ad);
      const fitting = anySize ? ANY_SIZE : sizeKey(ad.creative.width, ad.creative.height);
      const size = needsPlayer(ad) ? PLAYER_ONLY : fitting;
      return shelfKey(type, pricingModel, size);
    });
}
