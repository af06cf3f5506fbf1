import { setImmediate } from 'node:timers/promises';
import type { AdvertiserInventory, ZoneRow } from '../../db/serving/snapshot-rows.ts';
import type { InventorySink } from '../../db/serving/snapshot-store.ts';
import { standingRefusal } from '../../domain/auction/eligibility.ts';
import { reserveOf, withReserve } from '../../domain/auction/reserve.ts';
import { type Settings, settingsFrom } from '../../domain/settings.ts';
import { assembleAds, assembleZone, type ServableAd, type ServableZone } from './servable-ads.ts';
import { BudgetCells } from './live-budgets.ts';
import { changedIndex, EMPTY_INDEX, type InventoryIndex } from './inventory-index.ts';
import { SidelinedAds } from './sidelined-ads.ts';

/** What one request reads. Never changed in place, money cells aside; a change makes a new one. */
export interface Snapshot {
  /** False until the first load: nothing can be said about a zone then. */
  readonly isLoaded: boolean;
  readonly settings: Settings;
  readonly index: InventoryIndex;
  /** Their floors are the platform's reserve where their own are lower. */
  readonly zonesById: ReadonlyMap<number, ServableZone>;
  readonly zonesByKey: ReadonlyMap<string, ServableZone>;
  readonly sidelined: SidelinedAds;
}

/** The inventory of this process: fed by db/serving/inventory-feed.ts, read by every request. */
export interface ServingInventory extends InventorySink {
  current(): Snapshot;
  /** An ad that is loaded, whether or not it may be served now. */
  adOf(advertiserId: number, adId: number): ServableAd | undefined;
  /** Every ad that is loaded, also those no auction looks at: for explaining. */
  roster(): ServableAd[];
  stats(): { advertisers: number; ads: number; servable: number; zones: number };
}

interface Tenant {
  /** Row versions of all that the tenant has; equal versions need no work. */
  versions: number;
  ads: readonly ServableAd[];
  servable: readonly ServableAd[];
  /** Made when the first of them is asked for. */
  byId?: ReadonlyMap<number, ServableAd>;
}

/** Work between two looks at the event loop. */
const SLICE_MS = 4;

const emptySnapshot = (sidelined: SidelinedAds): Snapshot => ({
  isLoaded: false,
  settings: settingsFrom([]),
  index: EMPTY_INDEX,
  zonesById: new Map(),
  zonesByKey: new Map(),
  sidelined,
});

export function createServingInventory(options: { cdnUrl: string }): ServingInventory {
  const cells = new BudgetCells();
  const sidelined = new SidelinedAds();
  const tenants = new Map<number, Tenant>();
  let zonesByPublisher = new Map<number, ServableZone[]>();
  let snapshot = emptySnapshot(sidelined);

  /** Puts assembled tenants in place of what they had; one that has nothing left is forgotten. */
  const swapTenants = async (fresh: ReadonlyMap<number, Tenant>): Promise<void> => {
    const removed: ServableAd[] = [];
    const added: ServableAd[] = [];
    for (const [id, tenant] of fresh) {
      for (const ad of tenants.get(id)?.servable ?? []) removed.push(ad);
      for (const ad of tenant.servable) added.push(ad);
      if (tenant.ads.length === 0) tenants.delete(id);
      else tenants.set(id, tenant);
    }
    const now = new Date();
    for (const ad of added) sidelined.admit(ad, now);
    const moves = sidelined.stats().moves;
    const index = await inSlices(changedIndex(snapshot.index, removed, added));
    sidelined.forget(removed);
    sidelined.useIndex(index, { isStale: sidelined.stats().moves !== moves });
    snapshot = { ...snapshot, isLoaded: true, index };
  };

  const showZones = (): void => {
    snapshot = { ...snapshot, ...zoneMaps(zonesByPublisher, snapshot.settings) };
  };

  return {
    current: () => snapshot,
    adOf: (advertiserId, adId) => adIn(tenants.get(advertiserId), adId),
    roster: () => [...tenants.values()].flatMap((tenant) => [...tenant.ads]),
    stats: () => ({
      advertisers: tenants.size,
      ads: sumOf(tenants, (tenant) => tenant.ads.length),
      servable: sumOf(tenants, (tenant) => tenant.servable.length),
      zones: snapshot.zonesById.size,
    }),
    async replaceAdvertisers(ids, inventory, loadedAt) {
      cells.load(inventory, loadedAt);
      const versions = versionsOf(inventory);
      const changed = new Set([...versions.keys(), ...(ids ?? tenants.keys())]);
      for (const id of changed) {
        const same = versions.has(id) && tenants.get(id)?.versions === versions.get(id);
        if (same) changed.delete(id);
      }
      sidelined.moneyCame(null, new Date());
      const work = { inventory, changed, versions, cells, ...options };
      await swapTenants(await inSlices(assembleTenants(work)));
    },
    applyMoney(money, loadedAt) {
      cells.refresh(money, loadedAt);
      sidelined.moneyCame(null, new Date());
      const ads = [...tenants.values()].flatMap((tenant) => tenant.ads);
      cells.retain({
        advertisers: money.advertisers.map(({ id }) => id),
        campaigns: ads.map((ad) => ad.campaign.id),
        adGroups: ads.map((ad) => ad.adGroup.id),
      });
    },
    replacePublishers(ids, rows) {
      const next = ids === null ? new Map<number, ServableZone[]>() : new Map(zonesByPublisher);
      for (const id of ids ?? []) next.delete(id);
      for (const [id, zones] of groupZones(rows)) next.set(id, zones);
      zonesByPublisher = next;
      showZones();
    },
    applySettings(settings) {
      snapshot = { ...snapshot, settings };
      showZones();
    },
    applyBudgets(notice) {
      cells.apply(notice);
      sidelined.moneyCame(Object.keys(notice.available).map(Number), new Date());
    },
  };
}

/** Zones with the platform's reserve under their own floors. */
function zoneMaps(
  byPublisher: ReadonlyMap<number, ServableZone[]>,
  settings: Snapshot['settings'],
): Pick<Snapshot, 'zonesById' | 'zonesByKey'> {
  const reserve = reserveOf(settings);
  const all = [...byPublisher.values()].flat().map((zone) => withReserve(zone, reserve));
  return {
    zonesById: new Map(all.map((zone) => [zone.id, zone])),
    zonesByKey: new Map(all.map((zone) => [zone.zoneKey, zone])),
  };
}

function adIn(tenant: Tenant | undefined, adId: number): ServableAd | undefined {
  if (tenant === undefined) return undefined;
  tenant.byId ??= new Map(tenant.ads.map((ad) => [ad.adId, ad]));
  return tenant.byId.get(adId);
}

/** Long work between the answers to requests. */
async function inSlices<Result>(work: Generator<void, Result>): Promise<Result> {
  let until = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await setImmediate();
    until = performance.now() + SLICE_MS;
  }
}

/**
 * A figure per advertiser that changes with any of its row versions, whatever the order of rows.
 * A changed row that left the figure equal (one in 2^53) would still arrive by its own notice.
 */
function versionsOf(inventory: AdvertiserInventory): Map<number, number> {
  const versions = new Map<number, number>();
  const note = (tenant: number, part: string): void => {
    versions.set(tenant, ((versions.get(tenant) ?? 0) + hashOf(part)) % Number.MAX_SAFE_INTEGER);
  };
  for (const row of inventory.campaigns) note(row.advertiserId, `c${row.id}:${row.rowVersion}`);
  for (const row of inventory.adGroups) note(row.advertiserId, `g${row.id}:${row.rowVersion}`);
  for (const row of inventory.ads) note(row.advertiserId, `a${row.id}:${row.rowVersion}`);
  for (const row of inventory.advertisers) {
    if (versions.has(row.id)) note(row.id, row.status);
  }
  return versions;
}

/** FNV-1a twice with different seeds, as one integer below 2^52. */
function hashOf(text: string): number {
  let low = 0x811c_9dc5;
  let high = 0x01b8_73a1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    low = Math.imul(low ^ code, 0x0100_0193);
    high = Math.imul(high ^ code, 0x85eb_ca6b);
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0);
}

interface AssembleTenants {
  inventory: AdvertiserInventory;
  changed: ReadonlySet<number>;
  versions: ReadonlyMap<number, number>;
  cells: BudgetCells;
  cdnUrl: string;
}

/** Only the changed ones. */
function* assembleTenants(work: AssembleTenants): Generator<void, Map<number, Tenant>> {
  const { inventory, changed, versions } = work;
  if (changed.size === 0) return new Map();
  const isChanged = (row: { advertiserId: number }): boolean => changed.has(row.advertiserId);
  const part = {
    advertisers: [],
    campaigns: inventory.campaigns.filter(isChanged),
    adGroups: inventory.adGroups.filter(isChanged),
    ads: inventory.ads.filter(isChanged),
  };
  const byTenant = new Map<number, ServableAd[]>([...changed].map((id) => [id, []]));
  for (const ad of assembleAds(part, work)) {
    byTenant.get(ad.advertiser.id)?.push(ad);
    yield;
  }
  return new Map(
    [...byTenant].map(([id, list]) => {
      const servable = list.filter((ad) => standingRefusal(ad) === undefined);
      return [id, { versions: versions.get(id) ?? 0, ads: list, servable }];
    }),
  );
}

function groupZones(rows: readonly ZoneRow[]): Map<number, ServableZone[]> {
  const groups = new Map<number, ServableZone[]>();
  for (const row of rows) {
    const group = groups.get(row.publisherId);
    if (group === undefined) groups.set(row.publisherId, [assembleZone(row)]);
    else group.push(assembleZone(row));
  }
  return groups;
}

function sumOf<Value>(map: ReadonlyMap<unknown, Value>, figure: (value: Value) => number): number {
  let sum = 0;
  for (const value of map.values()) sum += figure(value);
  return sum;
}
