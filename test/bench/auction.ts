import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import { listsFor } from '../../api/ad/inventory-index.ts';
import type { AdvertiserInventory } from '../../db/serving/snapshot-rows.ts';
import { floorEcpmOf, runAuction } from '../../domain/auction/auction.ts';
import { openScan } from '../../domain/auction/ranked-list.ts';
import type { AuctionTerms } from '../../domain/auction/types.ts';

/**
 * Microseconds per auction over inventories in which every campaign looks eligible, and what a load
 * and a change of one advertiser cost. Run: `node --import tsx test/bench/auction.ts`.
 */
const SIZES = [1_000, 10_000, 100_000];
const ADVERTISERS = 200;
const ROUNDS = 5;
const AUCTIONS = 20_000;
const SLOW_AUCTIONS = 200;
const UNIT = 1_000_000_000n;

type Shape = 'usual' | 'equal bids' | 'all below floor' | 'wrong hour';

function rows(campaigns: number, shape: Shape): AdvertiserInventory {
  const inventory: AdvertiserInventory = { advertisers: [], campaigns: [], adGroups: [], ads: [] };
  for (let id = 1; id <= ADVERTISERS; id += 1) {
    inventory.advertisers.push({ id, status: 'ACTIVE', availableNanos: 1_000_000n * UNIT });
  }
  for (let id = 1; id <= campaigns; id += 1) {
    const advertiserId = (id % ADVERTISERS) + 1;
    const isCpc = id % 2 === 0 && shape === 'usual';
    const spread = shape === 'equal bids' ? 0n : BigInt((id * 7_919) % 997) * 1_000_000n;
    const shared = {
      id,
      advertiserId,
      status: 'ACTIVE',
      audit: 'APPROVED',
      dailyBudgetNanos: 1_000n * UNIT,
      startDay: null,
      endDay: null,
      targetCountries: id % 3 === 0 ? ['US', 'DE', 'FR'] : null,
      targetDevices: id % 5 === 0 ? ['DESKTOP', 'MOBILE'] : null,
      targetOs: null,
      targetBrowsers: null,
      targetHours: shape === 'wrong hour' ? [3] : null,
      weekdays: null,
      bidAdjustments: id % 7 === 0 ? { device: { DESKTOP: 10 } } : null,
      frequencyCap: null,
      day: 0,
      spentTodayNanos: 0n,
      version: '1',
    };
    inventory.campaigns.push({
      ...shared,
      bidNanos: isCpc ? UNIT + spread : 2n * UNIT + spread,
      adType: 'BANNER',
      pricingModel: isCpc ? 'CPC' : 'CPM',
      rotation: 'ASAP',
      totalBudgetNanos: null,
      spentTotalNanos: 0n,
    });
    inventory.adGroups.push({
      ...shared,
      bidNanos: null,
      bidAdjustments: null,
      dailyBudgetNanos: null,
      targetCountries: null,
      targetDevices: null,
      targetHours: null,
      campaignId: id,
    });
    inventory.ads.push(adRow(id, advertiserId));
  }
  return inventory;
}

const adRow = (id: number, advertiserId: number): AdvertiserInventory['ads'][number] => ({
  id,
  advertiserId,
  campaignId: id,
  adGroupId: id,
  weight: 50,
  status: 'ACTIVE',
  audit: 'APPROVED',
  title: 'Title',
  description: null,
  buttonText: null,
  brandName: null,
  displayUrl: null,
  creativeId: id,
  creativeStatus: 'ACTIVE',
  display: 'IMAGE',
  revision: 1,
  width: 300,
  height: 250,
  html: null,
  imagePath: 'ab/x.png',
  imagePath2: null,
  videoPath: null,
  iconPath: null,
  html5Path: null,
  image: null,
  video: null,
  vastXml: null,
  vastUrl: null,
  version: '1',
});

async function build(
  inventory: AdvertiserInventory,
): Promise<{ serving: ServingInventory; ms: number; pauseMs: number }> {
  const serving = createServingInventory({ cdnUrl: 'http://cdn.example' });
  serving.replacePublishers(null, [
    {
      id: 1,
      zoneKey: 'zone_bench001',
      publisherId: 1,
      siteId: 1,
      type: 'BANNER',
      width: 300,
      height: 250,
      device: 'ALL',
      pricingTypes: 'CPC,CPM',
      floorCpcNanos: 0n,
      floorCpmNanos: 0n,
      refresh: 0,
      settings: {},
      status: 'ACTIVE',
      audit: 'APPROVED',
      siteStatus: 'ACTIVE',
      siteAudit: 'APPROVED',
      publisherStatus: 'ACTIVE',
    },
  ]);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await serving.replaceAdvertisers(null, inventory, startedAt);
  const ms = performance.now() - startedAt;
  await sleep(5);
  delay.disable();
  return { serving, ms, pauseMs: delay.max / 1e6 };
}

function microsPerAuction(serving: ServingInventory, shape: Shape): number {
  const zone = serving.current().zonesById.get(1);
  if (zone === undefined) throw new Error('zone is missing');
  const floorCpmNanos = shape === 'all below floor' ? 1_000n * UNIT : 0n;
  const terms: AuctionTerms = {
    zone: { ...zone, floorCpmNanos, floorCpcNanos: floorCpmNanos },
    viewer: { country: 'US', device: 'DESKTOP', os: 'WINDOWS', browser: 'CHROME' },
    now: new Date('2026-01-05T12:00:00Z'),
    roll: 0,
    limit: 1,
    firstPrice: false,
  };
  const count = shape === 'usual' || shape === 'equal bids' ? AUCTIONS : SLOW_AUCTIONS;
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    for (let at = 0; at < count; at += 1) {
      terms.roll = at / count;
      const lists = listsFor(serving.current().index, { zone, channel: 'page', country: 'US' });
      const scan = openScan(lists, terms.roll, (list) => floorEcpmOf(terms.zone, list));
      runAuction(scan, terms);
    }
    times.push(((performance.now() - startedAt) * 1_000) / count);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

async function msPerChange(
  serving: ServingInventory,
  inventory: AdvertiserInventory,
): Promise<number> {
  const mine = <Row extends { advertiserId: number }>(list: Row[]): Row[] =>
    list.filter((row) => row.advertiserId === 1);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const part: AdvertiserInventory = {
      advertisers: inventory.advertisers.filter((row) => row.id === 1),
      campaigns: mine(inventory.campaigns).map((row) => ({ ...row, version: `r${round}` })),
      adGroups: mine(inventory.adGroups),
      ads: mine(inventory.ads),
    };
    const startedAt = performance.now();
    await serving.replaceAdvertisers([1], part, startedAt);
    times.push(performance.now() - startedAt);
  }
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
}

const table: Record<string, string | number>[] = [];
for (const shape of ['usual', 'equal bids', 'all below floor', 'wrong hour'] as const) {
  for (const campaigns of SIZES) {
    const inventory = rows(campaigns, shape);
    const { serving, ms, pauseMs } = await build(inventory);
    const again = performance.now();
    await serving.replaceAdvertisers(null, inventory, again);
    const reloadMs = performance.now() - again;
    table.push({
      shape,
      campaigns,
      'us per auction': microsPerAuction(serving, shape).toFixed(2),
      'build ms': ms.toFixed(0),
      'longest pause ms': pauseMs.toFixed(0),
      'unchanged reload ms': reloadMs.toFixed(0),
      'one advertiser ms': (await msPerChange(serving, inventory)).toFixed(1),
    });
  }
}
console.table(table);
