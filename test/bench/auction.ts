import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import { contendersFor, type Selection } from '../../api/ad/select.ts';
import {
  AD,
  AD_GROUP,
  type AdvertiserInventory,
  CAMPAIGN,
} from '../../db/serving/snapshot-rows.ts';
import { pageWords } from '../../domain/auction/page-targeting.ts';
import { NOTHING_SAID, readPageContext } from '../../domain/page-context.ts';
import { decide } from '../../domain/auction/auction.ts';
import type { AuctionTerms } from '../../domain/auction/types.ts';
import type { Viewer } from '../../domain/viewer.ts';
import { ZONE_ROW } from '../support/inventory-rows.ts';

/**
 * Microseconds per auction over inventories in which every campaign looks eligible, and what a load
 * and a change of one advertiser cost. Bundled first, because tsx names each closure when it is made, which doubles
 * an auction: `npx esbuild test/bench/auction.ts --bundle --platform=node --format=esm --packages=external
 * --outfile=.data/auction.mjs && node --max-semi-space-size=32 .data/auction.mjs`.
 */
const SIZES = [1_000, 10_000, 100_000];
/** BENCH_SHAPES (a pattern) chooses shapes. */
const CHOSEN = new RegExp(process.env['BENCH_SHAPES'] ?? '.');
const ADVERTISERS = 200;
const ROUNDS = 5;
/** Sizes take turns: each has as much of the machine's better and worse moments. */
const AUCTION_ROUNDS = 40;
const AUCTIONS = 5_000;
/** As many come in one stretch (api/ad/stretch.ts) as a busy process answers in it. */
const AUCTIONS_A_STRETCH = 5_000;
const UNIT = 1_000_000_000n;
/** Inventories are marked as of the present moment when they are loaded. */
const NOW = new Date();
NOW.setUTCHours(12);
const TODAY = Math.floor(NOW.getTime() / 86_400_000);

/** Says a few words of itself, as pages do. */
const SAID = readPageContext({
  ...NOTHING_SAID,
  url: 'https://news.example/trail',
  title: 'Trail shoes in winter',
  keywords: 'running, outdoor, winter',
  category: 'sports',
  lang: 'en-GB',
});
const PAGE = SAID === null ? null : pageWords(SAID);

/** Rows in which every column is null. */
const NO_CAMPAIGN = CAMPAIGN.read({});
const NO_AD_GROUP = AD_GROUP.read({});
const NO_AD = AD.read({});

const SHAPES = [
  'usual',
  'equal bids',
  'all below floor',
  'wrong hour',
  'wrong device',
  'nine of ten spent',
  'all spent',
  'no money',
  'one advertiser',
  'paused',
  'capped',
  'other page',
] as const;
type Shape = (typeof SHAPES)[number];

/** What keeps a campaign from serving. */
const shaped = (shape: Shape, id: number) => ({
  ...(shape === 'paused' && id % 10 !== 0 ? { status: 'PAUSED' as const } : {}),
  targetHours: shape === 'wrong hour' ? [3] : null,
  targetKeywords: shape === 'other page' ? [`word ${id}`, 'boats'] : null,
  frequencyCap:
    shape === 'capped' ? { impressions: 3, window_seconds: 3_600, per: 'campaign' as const } : null,
});

function rows(campaigns: number, shape: Shape): AdvertiserInventory {
  const inventory: AdvertiserInventory = { advertisers: [], campaigns: [], adGroups: [], ads: [] };
  for (let id = 1; id <= ADVERTISERS; id += 1) {
    const availableNanos = shape === 'no money' ? 0n : 1_000_000n * UNIT;
    inventory.advertisers.push({ id, status: 'ACTIVE', availableNanos });
  }
  for (let id = 1; id <= campaigns; id += 1) {
    const advertiserId = shape === 'one advertiser' ? 1 : (id % ADVERTISERS) + 1;
    const isSpent = shape === 'all spent' || (shape === 'nine of ten spent' && id % 10 !== 0);
    const isCpc = id % 2 === 0 && shape === 'usual';
    // As many bids as campaigns, whatever the size: what ties cost is asked of 'equal bids'.
    const spread = shape === 'equal bids' ? 0n : BigInt((id * 7_919) % 100_003) * 10_000n;
    const shared = {
      id,
      advertiserId,
      status: 'ACTIVE' as const,
      auditStatus: 'APPROVED' as const,
      dailyBudgetNanos: 1_000n * UNIT,
      targetCountries: id % 3 === 0 ? ['US', 'DE', 'FR'] : null,
      targetDevices:
        shape === 'wrong device' ? ['TV'] : id % 5 === 0 ? ['DESKTOP', 'MOBILE'] : null,
      ...shaped(shape, id),
      bidAdjustments: id % 7 === 0 ? { device: { DESKTOP: 10 } } : null,
      day: TODAY,
      spentTodayNanos: isSpent ? 1_000n * UNIT : 0n,
      rowVersion: '1',
    };
    inventory.campaigns.push({
      ...NO_CAMPAIGN,
      ...shared,
      bidNanos: isCpc ? UNIT + spread : 2n * UNIT + spread,
      adType: 'BANNER',
      pricingModel: isCpc ? 'CPC' : 'CPM',
      rotationMode: 'ASAP',
      spentTotalNanos: 0n,
    });
    inventory.adGroups.push({
      ...NO_AD_GROUP,
      ...shared,
      bidNanos: null,
      bidAdjustments: null,
      frequencyCap: null,
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
  ...NO_AD,
  id,
  advertiserId,
  campaignId: id,
  adGroupId: id,
  weight: 50,
  status: 'ACTIVE',
  approvedRevision: 1,
  title: 'Title',
  creativeId: id,
  creativeStatus: 'ACTIVE',
  creativeType: 'IMAGE',
  creativeApprovedRevision: 1,
  width: 300,
  height: 250,
  imagePath: 'ab/x.png',
  rowVersion: '1',
});

async function build(
  inventory: AdvertiserInventory,
): Promise<{ serving: ServingInventory; ms: number; pauseMs: number }> {
  const serving = createServingInventory({ cdnUrl: 'http://cdn.example' });
  await serving.replacePublishers(null, [ZONE_ROW]);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const startedAt = performance.now();
  await serving.replaceAdvertisers(null, [inventory], startedAt);
  const ms = performance.now() - startedAt;
  await sleep(5);
  delay.disable();
  return { serving, ms, pauseMs: delay.max / 1e6 };
}

/** What times one round of auctions, in microseconds for each. */
function auctionsOver(serving: ServingInventory, shape: Shape): () => number {
  const zone = serving.current().zonesById.get(1);
  if (zone === undefined) throw new Error('zone is missing');
  const floorCpmNanos = shape === 'all below floor' ? 1_000n * UNIT : 0n;
  const viewer: Viewer = {
    country: 'US',
    device: 'DESKTOP',
    os: 'WINDOWS',
    browser: 'CHROME',
    userAgent: 'ok',
    uaHash: '',
    ipHash: '',
    viewerKey: '',
    ipPrefix: '',
    prefetch: false,
    datacenter: false,
  };
  const selection: Selection = {
    snapshot: serving.current(),
    zone: { ...zone, floorCpmNanos, floorCpcNanos: floorCpmNanos },
    channel: 'page',
    viewer,
    page: PAGE,
    limit: 1,
    isRestricted: false,
    now: NOW,
    roll: 0,
  };
  const terms: AuctionTerms = { ...selection, viewer, page: PAGE, firstPrice: false };
  let drawn = 0;
  const auction = (): void => {
    if ((drawn += 1) % AUCTIONS_A_STRETCH === 1) terms.stretch = Math.random();
    terms.roll = Math.random();
    decide(contendersFor(selection, terms), terms, { counts: undefined });
  };
  const round = (): number => {
    const startedAt = performance.now();
    for (let at = 0; at < AUCTIONS; at += 1) auction();
    return ((performance.now() - startedAt) * 1_000) / AUCTIONS;
  };
  // What the first auctions take out of the way is out of the way.
  round();
  return round;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

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
      campaigns: mine(inventory.campaigns).map((row) => ({ ...row, rowVersion: `r${round}` })),
      adGroups: mine(inventory.adGroups),
      ads: mine(inventory.ads),
    };
    const startedAt = performance.now();
    await serving.replaceAdvertisers([1], [part], startedAt);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}

for (const shape of SHAPES.filter((each) => CHOSEN.test(each))) {
  const measured: { campaigns: number; round: () => number; times: number[] }[] = [];
  for (const campaigns of SIZES) {
    const inventory = rows(campaigns, shape);
    const { serving, ms, pauseMs } = await build(inventory);
    const again = performance.now();
    await serving.replaceAdvertisers(null, [inventory], again);
    const reloadMs = performance.now() - again;
    // Each as it is known: a hundred thousand take their time.
    console.log({
      shape,
      campaigns,
      'build ms': ms.toFixed(0),
      'longest pause ms': pauseMs.toFixed(0),
      'unchanged reload ms': reloadMs.toFixed(0),
      'one advertiser ms': (await msPerChange(serving, inventory)).toFixed(1),
    });
    measured.push({ campaigns, round: auctionsOver(serving, shape), times: [] });
  }
  for (let at = 0; at < AUCTION_ROUNDS; at += 1) {
    for (const { round, times } of measured) times.push(round());
  }
  const [smallest] = measured;
  const ofSmallest = median(smallest?.times ?? []);
  for (const { campaigns, times } of measured) {
    const each = median(times);
    const ofLeast = Math.min(...times) / Math.min(...(smallest?.times ?? []));
    console.log(
      `${shape}, ${campaigns} campaigns: ${each.toFixed(2)} us an auction, ` +
        `${(each / ofSmallest).toFixed(2)} of ${smallest?.campaigns} (of the least ${ofLeast.toFixed(2)})`,
    );
  }
}
