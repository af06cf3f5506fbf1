import { contendersFor } from '../../../api/ad/select.ts';
import { createServingInventory, type ServingInventory } from '../../../api/ad/snapshot.ts';
import {
  AD,
  AD_GROUP,
  type AdvertiserInventory,
  CAMPAIGN,
  type CampaignRow,
} from '../../../db/serving/snapshot-rows.ts';
import { LOOKS_MAX } from '../../../domain/auction/auction.ts';
import type { Viewer } from '../../../domain/viewer.ts';
import { units } from '../../support/auction.ts';

/** Ads that cannot serve leave the walk, and come back when what they wait for has come. */
const NOW = new Date();
NOW.setUTCHours(12, 0, 0, 0);
const DAY_MS = 86_400_000;
const TODAY = Math.floor(NOW.getTime() / DAY_MS);
const dayText = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const later = (ms: number): Date => new Date(NOW.getTime() + ms);

const VIEWER: Viewer = {
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

type Given = Partial<CampaignRow> & { available?: bigint };

/** One advertiser with one campaign, ad group and ad per entry; numbers are those of the entries. */
function rows(given: readonly Given[]): AdvertiserInventory {
  const of = <Row>(make: (entry: Given, id: number) => Row): Row[] =>
    given.map((entry, at) => make(entry, at + 1));
  const state = { status: 'ACTIVE', auditStatus: 'APPROVED', rowVersion: '1' } as const;
  return {
    advertisers: of(({ available = units(100) }, id) => ({
      id,
      status: 'ACTIVE',
      availableNanos: available,
    })),
    campaigns: of(({ available: _available, ...entry }, id) => ({
      ...CAMPAIGN.read({}),
      ...state,
      id,
      advertiserId: id,
      bidNanos: units(1),
      adType: 'BANNER',
      pricingModel: 'CPM' as const,
      rotationMode: 'ASAP' as const,
      day: TODAY,
      spentTodayNanos: 0n,
      spentTotalNanos: 0n,
      ...entry,
    })),
    adGroups: of((_entry, id) => ({
      ...AD_GROUP.read({}),
      ...state,
      id,
      advertiserId: id,
      campaignId: id,
      day: TODAY,
      spentTodayNanos: 0n,
    })),
    ads: of((_entry, id) => ({
      ...AD.read({}),
      ...state,
      id,
      advertiserId: id,
      campaignId: id,
      adGroupId: id,
      weight: 50,
      creativeId: id,
      creativeStatus: 'ACTIVE' as const,
      creativeType: 'IMAGE' as const,
      approvedRevision: 1,
      creativeApprovedRevision: 1,
      width: 300,
      height: 250,
      imagePath: 'ab/x.png',
    })),
  };
}

async function load(given: readonly Given[]): Promise<ServingInventory> {
  const serving = createServingInventory({ cdnUrl: 'http://cdn.example' });
  serving.replacePublishers(null, [
    {
      id: 1,
      zoneKey: 'zone_sidelined',
      publisherId: 1,
      siteId: 1,
      type: 'BANNER',
      width: 300,
      height: 250,
      device: 'ALL',
      pricingTypes: 'CPC,CPM',
      floorPriceCpcNanos: 0n,
      floorPriceCpmNanos: 0n,
      refresh: 0,
      settings: {},
      status: 'ACTIVE',
      auditStatus: 'APPROVED',
      siteStatus: 'ACTIVE',
      siteAuditStatus: 'APPROVED',
      publisherStatus: 'ACTIVE',
    },
  ]);
  await serving.replaceAdvertisers(null, rows(given), performance.now());
  return serving;
}

/** Ads that lead at this moment. */
function leaders(serving: ServingInventory, now = NOW): number[] {
  const snapshot = serving.current();
  const zone = snapshot.zonesById.get(1);
  if (zone === undefined) throw new Error('zone is missing');
  const shared = { zone, viewer: VIEWER, now, roll: 0, limit: 10 };
  return contendersFor(
    { ...shared, snapshot, channel: 'page', isRestricted: false },
    { ...shared, firstPrice: false },
  )
    .map(({ candidate }) => candidate.adId)
    .sort((a, b) => a - b);
}

const sidelined = (serving: ServingInventory): number =>
  serving.current().sidelined.stats().sidelined;

test('loaded · spent, without money or out of its days · is out from the start, and the others serve', async () => {
  const serving = await load([
    {},
    { dailyBudgetNanos: units(5), spentTodayNanos: units(5) },
    { available: 0n },
    { startDate: dayText(TODAY + 1) },
  ]);
  expect(sidelined(serving)).toBe(3);
  expect(leaders(serving)).toEqual([1]);
});

test('a budget notice · spends the day · the next auction takes it out, midnight lets it in', async () => {
  const serving = await load([{}, { dailyBudgetNanos: units(5) }]);
  expect(leaders(serving)).toEqual([1, 2]);
  serving.applyBudgets({
    day: dayText(TODAY),
    available: {},
    campaigns: { 2: { today: String(units(5)), total: String(units(5)) } },
    adgroups: {},
  });
  expect(leaders(serving)).toEqual([1]);
  expect(sidelined(serving)).toBe(1);
  expect(leaders(serving, later(DAY_MS))).toEqual([1, 2]);
  expect(sidelined(serving)).toBe(0);
});

test('money · arrives by a notice · lets in whom it is enough for', async () => {
  const serving = await load([{ available: 0n }, { available: 0n }]);
  expect(leaders(serving)).toEqual([]);
  serving.applyBudgets({
    day: dayText(TODAY),
    available: { 1: String(units(1)), 2: '0' },
    campaigns: {},
    adgroups: {},
  });
  expect(leaders(serving)).toEqual([1]);
  expect(sidelined(serving)).toBe(1);
});

test('money · found by a look at everything · lets in as well', async () => {
  const serving = await load([{ available: 0n }]);
  await serving.applyMoney(
    {
      advertisers: [{ id: 1, status: 'ACTIVE', availableNanos: units(1) }],
      day: TODAY,
      campaignsToday: [],
      adGroupsToday: [],
      campaignsInAll: [],
    },
    performance.now(),
  );
  expect(leaders(serving)).toEqual([1]);
});

test('an even budget far ahead of its curve · is out until the curve has caught up', async () => {
  const serving = await load([
    { rotationMode: 'EVEN', dailyBudgetNanos: units(10), spentTodayNanos: units(6) },
  ]);
  expect(leaders(serving)).toEqual([]);
  expect(sidelined(serving)).toBe(1);
  // 60 % are due at 14:24; the head start of 2 % is 29 minutes.
  expect(leaders(serving, later(2 * 3_600_000))).toEqual([1]);
});

test('an edit · of a sidelined ad · serves at once with what it says now', async () => {
  const spent = { dailyBudgetNanos: units(5), spentTodayNanos: units(5) };
  const serving = await load([spent]);
  expect(leaders(serving)).toEqual([]);
  const edited = rows([{ ...spent, dailyBudgetNanos: units(9), rowVersion: '2' }]);
  await serving.replaceAdvertisers([1], edited, performance.now());
  expect(leaders(serving)).toEqual([1]);
  expect(sidelined(serving)).toBe(0);
});

test('a clock that goes back a day · loses nobody', async () => {
  const serving = await load([{ startDate: dayText(TODAY + 1) }]);
  expect(leaders(serving)).toEqual([]);
  expect(leaders(serving, later(DAY_MS))).toEqual([1]);
  expect(leaders(serving)).toEqual([]);
  expect(leaders(serving, later(DAY_MS))).toEqual([1]);
});

test('thousands that spend their day · leave a few at a time, and all are back in the morning', async () => {
  const count = 1_500;
  const serving = await load(Array.from({ length: count }, () => ({ dailyBudgetNanos: units(5) })));
  serving.applyBudgets({
    day: dayText(TODAY),
    available: {},
    campaigns: Object.fromEntries(
      Array.from({ length: count }, (_none, at) => [
        at + 1,
        { today: String(units(5)), total: String(units(5)) },
      ]),
    ),
    adgroups: {},
  });
  expect(leaders(serving)).toEqual([]);
  expect(serving.current().sidelined.stats().auctionsCutShort).toBe(1);
  const auctions = Math.ceil(count / 64);
  for (let at = 1; at < auctions; at += 1) expect(leaders(serving)).toEqual([]);
  expect(sidelined(serving)).toBe(count);
  expect(leaders(serving, later(DAY_MS)).length).toBeGreaterThan(0);
  expect(sidelined(serving)).toBe(0);
});

test('an auction · past more than it may look at · ends, and is counted', async () => {
  const tooMany = Array.from({ length: LOOKS_MAX + 1 }, () => ({ dailyBudgetNanos: units(5) }));
  const serving = await load([...tooMany, { bidNanos: units(0.5) }]);
  for (const id of tooMany.keys()) {
    serving.applyBudgets({
      day: dayText(TODAY),
      available: {},
      campaigns: { [id + 1]: { today: String(units(5)), total: String(units(5)) } },
      adgroups: {},
    });
  }
  expect(leaders(serving)).toEqual([]);
  const last = LOOKS_MAX + 2;
  // What it took out of the way lets the next one come further.
  expect(leaders(serving)).toEqual([last]);
  expect(serving.current().sidelined.stats().auctionsCutShort).toBe(1);
});
