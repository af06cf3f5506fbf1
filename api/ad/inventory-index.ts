import { displaysOf, isFlexible, isSizeFree, RESPONSIVE } from '../../domain/auction/formats.ts';
import {
  changedList,
  type RankedList,
  rankedList,
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
  const sizes = isSizeFree(zone.type) ? [ANY_SIZE] : [sizeKey(zone.width, zone.height), ANY_SIZE];
  if (channel === 'vast') sizes.push(PLAYER_ONLY);
  const lists: RankedList<ServableAd>[] = [];
  for (const model of zone.pricingModels) {
    for (const size of sizes) {
      const shelf = index.get(shelfKey(zone.type, model, size));
      if (shelf === undefined) continue;
      lists.push(shelf.anywhere);
      const local = country === null ? undefined : shelf.countries.get(country);
      if (local !== undefined) lists.push(local);
    }
  }
  return lists;
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
 * A new index with some advertisers' ads taken out and others put in. Untouched lists are shared
 * with the old one, so a change costs what its own lists cost.
 */
export function changedIndex(
  index: InventoryIndex,
  removed: Iterable<ServableAd>,
  added: Iterable<ServableAd>,
): InventoryIndex {
  const leaving = new Map<string, Map<string, Set<ServableAd>>>();
  const coming = new Map<string, Map<string, Set<ServableAd>>>();
  for (const ad of removed) place(leaving, ad);
  for (const ad of added) place(coming, ad);
  const result = new Map(index);
  for (const key of new Set([...leaving.keys(), ...coming.keys()])) {
    const shelf = changedShelf(index.get(key), leaving.get(key), coming.get(key));
    if (shelf === undefined) result.delete(key);
    else result.set(key, shelf);
  }
  return result;
}

function changedShelf(
  shelf: Shelf | undefined,
  leaving: ReadonlyMap<string, Set<ServableAd>> = new Map(),
  coming: ReadonlyMap<string, Set<ServableAd>> = new Map(),
): Shelf | undefined {
  const countries = new Map(shelf?.countries ?? []);
  let anywhere = shelf?.anywhere ?? EMPTY_LIST;
  for (const country of new Set([...leaving.keys(), ...coming.keys()])) {
    const old = country === ANYWHERE ? anywhere : (countries.get(country) ?? EMPTY_LIST);
    const list = changedList(old, leaving.get(country) ?? NOBODY, coming.get(country) ?? NOBODY);
    if (country === ANYWHERE) anywhere = list;
    else if (list.pages.length === 0) countries.delete(country);
    else countries.set(country, list);
  }
  return anywhere.pages.length === 0 && countries.size === 0 ? undefined : { anywhere, countries };
}

function place(shelves: Map<string, Map<string, Set<ServableAd>>>, ad: ServableAd): void {
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
