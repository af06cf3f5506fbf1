import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import type { Frequency } from '../../api/ad/frequency.ts';
import { selectAds, type Selection } from '../../api/ad/select.ts';
import {
  AD,
  AD_GROUP,
  type AdvertiserInventory,
  CAMPAIGN,
} from '../../db/serving/snapshot-rows.ts';
import { pageWords } from '../../domain/auction/page-targeting.ts';
import { NOTHING_SAID, readPageContext } from '../../domain/page-context.ts';
import type { FrequencyCounts } from '../../domain/auction/types.ts';
import type { Viewer } from '../../domain/viewer.ts';
import { ZONE_ROW } from '../support/inventory-rows.ts';
import { type Stop, watchStops } from './stops.ts';

/**
 * Microseconds per auction over inventories in which every campaign looks eligible, in many shapes of not being so,
 * and what a load and a change of one advertiser cost. A program of its own (`auctions.ts` bundles and starts it).
 */
const SIZES = [1_000, 10_000, 100_000];
/** BENCH_SHAPES (a pattern) chooses shapes. */
const CHOSEN = new RegExp(process.env['BENCH_SHAPES'] ?? '.');
const ADVERTISERS = 200;
const ROUNDS = 5;
/** Sizes take turns: each has as much of the machine's better and worse moments. */
const AUCTION_ROUNDS = 40;
const AUCTIONS = 5_000;
/** Of which one takes a hundred times as long. */
const AUCTIONS_OF_TWO_WALKS = 100;
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

/** What Redis would say of a viewer. */
const NONE_SHOWN: FrequencyCounts = new Map();
const ALL_REACHED: FrequencyCounts = new (class extends Map<string, number> {
  override get(): number {
    return Number.MAX_SAFE_INTEGER;
  }
})();

/** Rows in which every column is null. */
const NO_CAMPAIGN = CAMPAIGN.read({});
const NO_AD_GROUP = AD_GROUP.read({});
const NO_AD = AD.read({});

const SHAPES = [
  'usual',
  'equal bids',
  'all below floor',
  'wrong hour',
  'wrong hour, nine of ten',
  'wrong weekday',
  'not begun',
  'wrong device',
  'nine of ten spent',
  'all spent',
  'ahead of an even day',
  'no money',
  'one advertiser',
  'paused',
  'capped',
  'caps reached',
  'other page',
] as const;
type Shape = (typeof SHAPES)[number];

const TOMORROW = new Date((TODAY + 1) * 86_400_000).toISOString().slice(0, 10);
/** Any but today's, 1 to 7. */
const OTHER_WEEKDAY = (NOW.getUTCDay() % 7) + 1;

/** What keeps a campaign from serving. */
function shaped(shape: Shape, id: number) {
  const isOut = id % 10 !== 0;
  const isLate = shape === 'wrong hour' || (shape === 'wrong hour, nine of ten' && isOut);
  return {
    ...(shape === 'paused' && isOut ? { status: 'PAUSED' as const } : {}),
    targetHours: isLate ? [3] : null,
    targetKeywords: shape === 'other page' ? [`word ${id}`, 'boats'] : null,
    frequencyCap:
      shape === 'capped' || shape === 'caps reached'
        ? { impressions: 3, window_seconds: 3_600, per: 'campaign' as const }
        : null,
  };
}

/** Of a campaign alone. */
const ofCampaign = (shape: Shape) => ({
  rotationMode: shape === 'ahead of an even day' ? ('EVEN' as const) : ('ASAP' as const),
  weekdays: shape === 'wrong weekday' ? [OTHER_WEEKDAY] : null,
  startDate: shape === 'not begun' ? TOMORROW : null,
});

/** What is spent today of a thousand. */
function spentToday(shape: Shape, id: number): bigint {
  if (shape === 'ahead of an even day') return 800n * UNIT;
  const isSpent = shape === 'all spent' || (shape === 'nine of ten spent' && id % 10 !== 0);
  return isSpent ? 1_000n * UNIT : 0n;
}

function rows(campaigns: number, shape: Shape): AdvertiserInventory {
  const inventory: AdvertiserInventory = { advertisers: [], campaigns: [], adGroups: [], ads: [] };
  for (let id = 1; id <= ADVERTISERS; id += 1) {
    const availableNanos = shape === 'no money' ? 0n : 1_000_000n * UNIT;
    inventory.advertisers.push({ id, status: 'ACTIVE', availableNanos });
  }
  for (let id = 1; id <= campaigns; id += 1) {
    const advertiserId = shape === 'one advertiser' ? 1 : (id % ADVERTISERS) + 1;
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
      spentTodayNanos: spentToday(shape, id),
      rowVersion: '1',
    };
    inventory.campaigns.push({
      ...NO_CAMPAIGN,
      ...shared,
      bidNanos: isCpc ? UNIT + spread : 2n * UNIT + spread,
      adType: 'BANNER',
      pricingModel: isCpc ? 'CPC' : 'CPM',
      ...ofCampaign(shape),
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
): Promise<{ serving: ServingInventory; load: Timed }> {
  const serving = createServingInventory({ cdnUrl: 'http://cdn.example' });
  await serving.replacePublishers(null, [ZONE_ROW]);
  return { serving, load: await timed(serving, null, inventory) };
}

interface Timed {
  ms: number;
  longest: Stop;
  costliest: Stop;
}

/** What this program made itself is collected before. */
async function timed(
  serving: ServingInventory,
  ids: readonly number[] | null,
  inventory: AdvertiserInventory,
): Promise<Timed> {
  globalThis.gc?.();
  const stops = watchStops();
  const startedAt = performance.now();
  await serving.replaceAdvertisers(ids, [inventory], startedAt);
  const ms = performance.now() - startedAt;
  return { ms, ...(await stops()) };
}

/** What times one round of auctions, in microseconds for each. */
function auctionsOver(serving: ServingInventory, shape: Shape): () => number {
  const zone = serving.current().zones.ofId(1);
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
  const selection: { -readonly [Key in keyof Selection]: Selection[Key] } = {
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
  const frequency: Frequency = {
    read: () => (shape === 'caps reached' ? ALL_REACHED : NONE_SHOWN),
    count: () => undefined,
  };
  let drawn = 0;
  const auction = (): void => {
    if ((drawn += 1) % AUCTIONS_A_STRETCH === 1) selection.stretch = Math.random();
    selection.roll = Math.random();
    // Nothing is asked of Redis: an auction that waited would be measured by its clock.
    if (selectAds(selection, frequency) instanceof Promise) throw new Error('an auction waits');
  };
  const count = shape === 'caps reached' ? AUCTIONS_OF_TWO_WALKS : AUCTIONS;
  const round = (): number => {
    const startedAt = performance.now();
    for (let at = 0; at < count; at += 1) auction();
    return ((performance.now() - startedAt) * 1_000) / count;
  };
  // What the first auctions take out of the way is out of the way.
  round();
  return round;
}

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;

async function timedChanges(
  serving: ServingInventory,
  inventory: AdvertiserInventory,
): Promise<Timed> {
  const mine = <Row extends { advertiserId: number }>(list: Row[]): Row[] =>
    list.filter((row) => row.advertiserId === 1);
  const changes: Timed[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const part: AdvertiserInventory = {
      advertisers: inventory.advertisers.filter((row) => row.id === 1),
      campaigns: mine(inventory.campaigns).map((row) => ({ ...row, rowVersion: `r${round}` })),
      adGroups: mine(inventory.adGroups),
      ads: mine(inventory.ads),
    };
    changes.push(await timed(serving, [1], part));
  }
  const most = (stop: 'longest' | 'costliest', by: keyof Stop): Stop =>
    changes.map((each) => each[stop]).reduce((top, each) => (each[by] > top[by] ? each : top));
  return {
    ms: median(changes.map(({ ms }) => ms)),
    longest: most('longest', 'ms'),
    costliest: most('costliest', 'cpuMs'),
  };
}

/** In all; the longest stop, of it the collector's; the most processor time of a stop. */
const toldOf = ({ ms, longest, costliest }: Timed): string[] => [
  ms.toFixed(ms < 10 ? 1 : 0),
  `${longest.ms.toFixed(0)} (${longest.collectorMs.toFixed(0)})`,
  costliest.cpuMs.toFixed(0),
];

console.log(
  '| shape | campaigns | us | x the smallest | x of the least ' +
    '| load ms | its longest stop ms (the collector’s) | its costliest stop, CPU ms ' +
    '| change of one advertiser ms | its longest stop ms (the collector’s) | its costliest stop, CPU ms |\n' +
    '|---|---|---|---|---|---|---|---|---|---|---|',
);
for (const shape of SHAPES.filter((each) => CHOSEN.test(each))) {
  const measured: { row: string[]; round: () => number; times: number[] }[] = [];
  for (const campaigns of SIZES) {
    const inventory = rows(campaigns, shape);
    const { serving, load } = await build(inventory);
    const row = [...toldOf(load), ...toldOf(await timedChanges(serving, inventory))];
    measured.push({ row, round: auctionsOver(serving, shape), times: [] });
  }
  for (let at = 0; at < AUCTION_ROUNDS; at += 1) {
    for (const { round, times } of measured) times.push(round());
  }
  const [smallest] = measured;
  for (const [at, { row, times }] of measured.entries()) {
    const each = median(times);
    const ofSmallest = each / median(smallest?.times ?? []);
    const ofLeast = Math.min(...times) / Math.min(...(smallest?.times ?? []));
    const figures = [each, ofSmallest, ofLeast].map((figure) => figure.toFixed(2));
    console.log(`| ${[shape, SIZES[at], ...figures, ...row].join(' | ')} |`);
  }
}
