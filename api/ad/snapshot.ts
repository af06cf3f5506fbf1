import { inSlices } from '../../db/in-slices.ts';
import type { AdvertiserInventory } from '../../db/serving/snapshot-rows.ts';
import type { InventorySink } from '../../db/serving/snapshot-store.ts';
import { standingRefusal } from '../../domain/auction/eligibility.ts';
import { reserveOf } from '../../domain/auction/reserve.ts';
import { type Settings, settingsFrom } from '../../domain/settings.ts';
import { assembleAds, type ServableAd } from './servable-ads.ts';
import { BudgetCells } from './live-budgets.ts';
import { changedIndex, EMPTY_INDEX, type InventoryIndex } from './inventory-index.ts';
import { Holds, type Sharing } from './holds.ts';
import { SidelinedAds } from './sidelined-ads.ts';
import { ServableZones } from './zones.ts';

/** What one request reads. Never changed in place, money cells and zones aside; a change makes a new one. */
export interface Snapshot {
  /** False until the first load: nothing can be said about a zone then. */
  readonly isLoaded: boolean;
  readonly settings: Settings;
  readonly index: InventoryIndex;
  readonly zones: Pick<ServableZones, 'ofId' | 'ofKey'>;
  readonly sidelined: SidelinedAds;
  readonly holds: Holds;
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

/** Who has nothing that could be shown. */
const NOTHING_LEFT: Tenant = { versions: 0, ads: [], servable: [] };

const DEFAULTS = settingsFrom([]);
const emptySnapshot = (
  zones: ServableZones,
  moving: Pick<Snapshot, 'sidelined' | 'holds'>,
): Snapshot => ({
  isLoaded: false,
  settings: DEFAULTS,
  index: EMPTY_INDEX,
  zones,
  ...moving,
});

type InventoryOptions = { cdnUrl: string } & Partial<Sharing>;

export function createServingInventory(options: InventoryOptions): ServingInventory {
  const cells = new BudgetCells();
  const sidelined = new SidelinedAds();
  const holds = new Holds({ shards: 1, processes: 1, ...options });
  const tenants = new Map<number, Tenant>();
  const zones = new ServableZones(reserveOf(DEFAULTS));
  let snapshot = emptySnapshot(zones, { sidelined, holds });

  /** Puts assembled tenants in place of what they had; one that has nothing left is forgotten. */
  function* swapTenants(fresh: ReadonlyMap<number, Tenant>): Generator<void> {
    const removed: ServableAd[] = [];
    const added: ServableAd[] = [];
    for (const [id, tenant] of fresh) {
      for (const ad of tenants.get(id)?.servable ?? []) removed.push(ad);
      for (const ad of tenant.servable) added.push(ad);
      yield;
    }
    const now = new Date();
    for (const ad of added) {
      sidelined.admit(ad, now);
      yield;
    }
    const { moves } = sidelined.stats();
    const index = yield* changedIndex(snapshot.index, removed, added);
    // In one step with the index: whoever is known can be served, and who is forgotten is in no list.
    keepTenants(tenants, fresh);
    sidelined.forget(removed);
    sidelined.useIndex(index, { isStale: sidelined.stats().moves !== moves });
    snapshot = { ...snapshot, isLoaded: true, index };
  }

  return {
    current: () => snapshot,
    adOf: (advertiserId, adId) => adIn(tenants.get(advertiserId), adId),
    roster: () => [...tenants.values()].flatMap((tenant) => [...tenant.ads]),
    stats: () => ({
      advertisers: tenants.size,
      ads: sumOf(tenants, (tenant) => tenant.ads.length),
      servable: sumOf(tenants, (tenant) => tenant.servable.length),
      zones: zones.count(),
    }),
    async replaceAdvertisers(ids, parts, loadedAt) {
      const fresh = new Map<number, Tenant>();
      const gone = new Set(ids ?? tenants.keys());
      for await (const part of parts) {
        await inSlices(cells.loading(part, loadedAt));
        const payers = part.advertisers.map(({ id }) => id);
        sidelined.moneyCame(payers, new Date());
        const versions = await inSlices(versionsOf(part));
        for (const id of versions.keys()) gone.delete(id);
        const changed = changedIn(versions, tenants);
        const work = { inventory: part, changed, versions, cells, ...options };
        for (const [id, tenant] of await inSlices(assembleTenants(work))) fresh.set(id, tenant);
      }
      for (const id of gone) fresh.set(id, NOTHING_LEFT);
      await inSlices(swapTenants(fresh));
    },
    async applyMoney(money, loadedAt) {
      await inSlices(cells.refreshing(money, loadedAt));
      sidelined.moneyCame(null, new Date());
      const tenantsAds = [...tenants.values()].map(({ ads }) => ads);
      await inSlices(cells.retaining(money.advertisers, tenantsAds));
    },
    async replacePublishers(ids, rows) {
      await inSlices(zones.replacing(ids, rows));
    },
    applySettings(settings) {
      snapshot = { ...snapshot, settings };
      zones.useReserve(reserveOf(settings));
    },
    applyBudgets(notice) {
      cells.apply(notice);
      holds.settled(notice.settled);
      sidelined.moneyCame(Object.keys(notice.available).map(Number), new Date());
    },
  };
}

/** One that has nothing left is forgotten. */
function keepTenants(tenants: Map<number, Tenant>, fresh: ReadonlyMap<number, Tenant>): void {
  for (const [id, tenant] of fresh) {
    if (tenant.ads.length === 0) tenants.delete(id);
    else tenants.set(id, tenant);
  }
}

function adIn(tenant: Tenant | undefined, adId: number): ServableAd | undefined {
  if (tenant === undefined) return undefined;
  tenant.byId ??= new Map(tenant.ads.map((ad) => [ad.adId, ad]));
  return tenant.byId.get(adId);
}

/**
 * A figure per advertiser that changes with any of its row versions, whatever the order of rows.
 * A changed row that left the figure equal (one in 2^53) would still arrive by its own notice.
 */
function* versionsOf(inventory: AdvertiserInventory): Generator<void, Map<number, number>> {
  const versions = new Map<number, number>();
  const note = (tenant: number, part: string): void => {
    versions.set(tenant, ((versions.get(tenant) ?? 0) + hashOf(part)) % Number.MAX_SAFE_INTEGER);
  };
  const { campaigns, adGroups, ads } = inventory;
  for (const [kind, rows] of Object.entries({ c: campaigns, g: adGroups, a: ads })) {
    for (const row of rows) {
      note(row.advertiserId, `${kind}${row.id}:${row.rowVersion}`);
      yield;
    }
  }
  for (const row of inventory.advertisers) {
    if (versions.has(row.id)) note(row.id, row.status);
  }
  return versions;
}

/** Whose rows are others than those that their ads were made of. */
function changedIn(
  versions: ReadonlyMap<number, number>,
  tenants: ReadonlyMap<number, Tenant>,
): Set<number> {
  const changed = new Set<number>();
  for (const [id, version] of versions) {
    if (tenants.get(id)?.versions !== version) changed.add(id);
  }
  return changed;
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
  const tenants = new Map<
    number,
    { versions: number; ads: ServableAd[]; servable: ServableAd[] }
  >();
  for (const id of changed) {
    tenants.set(id, { versions: versions.get(id) ?? 0, ads: [], servable: [] });
  }
  for (const ad of assembleAds(inventory, { ...work, tenants: changed })) {
    yield;
    if (ad === undefined) continue;
    const tenant = tenants.get(ad.advertiser.id);
    tenant?.ads.push(ad);
    if (standingRefusal(ad) === undefined) tenant?.servable.push(ad);
  }
  return tenants;
}

function sumOf<Value>(map: ReadonlyMap<unknown, Value>, figure: (value: Value) => number): number {
  let sum = 0;
  for (const value of map.values()) sum += figure(value);
  return sum;
}
