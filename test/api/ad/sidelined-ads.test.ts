import { contendersFor } from '../../../api/ad/select.ts';
import type { ServingInventory } from '../../../api/ad/snapshot.ts';
import { LOOKS_MAX } from '../../../domain/auction/auction.ts';
import type { Viewer } from '../../../domain/viewer.ts';
import { units } from '../../support/auction.ts';
import { campaignRows, loadedInventory, NOON, TODAY } from '../../support/inventory-rows.ts';

/** Ads that cannot serve leave the walk, and come back when what they wait for has come. */
const NOW = NOON;
const DAY_MS = 86_400_000;
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

/** Ads that lead at this moment. */
function leaders(serving: ServingInventory, now = NOW): number[] {
  const snapshot = serving.current();
  const zone = snapshot.zones.ofId(1);
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
  const serving = await loadedInventory([
    {},
    { dailyBudgetNanos: units(5), spentTodayNanos: units(5) },
    { available: 0n },
    { startDate: dayText(TODAY + 1) },
  ]);
  expect(sidelined(serving)).toBe(3);
  expect(leaders(serving)).toEqual([1]);
});

test('a budget notice · spends the day · the next auction takes it out, midnight lets it in', async () => {
  const serving = await loadedInventory([{}, { dailyBudgetNanos: units(5) }]);
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
  const serving = await loadedInventory([{ available: 0n }, { available: 0n }]);
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
  const serving = await loadedInventory([{ available: 0n }]);
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
  const serving = await loadedInventory([
    { rotationMode: 'EVEN', dailyBudgetNanos: units(10), spentTodayNanos: units(6) },
  ]);
  expect(leaders(serving)).toEqual([]);
  expect(sidelined(serving)).toBe(1);
  // 60 % are due at 14:24; the head start of 2 % is 29 minutes.
  expect(leaders(serving, later(2 * 3_600_000))).toEqual([1]);
});

test('an edit · of a sidelined ad · serves at once with what it says now', async () => {
  const spent = { dailyBudgetNanos: units(5), spentTodayNanos: units(5) };
  const serving = await loadedInventory([spent]);
  expect(leaders(serving)).toEqual([]);
  const edited = campaignRows([{ ...spent, dailyBudgetNanos: units(9), rowVersion: '2' }]);
  await serving.replaceAdvertisers([1], [edited], performance.now());
  expect(leaders(serving)).toEqual([1]);
  expect(sidelined(serving)).toBe(0);
});

test('a clock that goes back a day · loses nobody', async () => {
  const serving = await loadedInventory([{ startDate: dayText(TODAY + 1) }]);
  expect(leaders(serving)).toEqual([]);
  expect(leaders(serving, later(DAY_MS))).toEqual([1]);
  expect(leaders(serving)).toEqual([]);
  expect(leaders(serving, later(DAY_MS))).toEqual([1]);
});

test('thousands that spend their day · leave a few at a time, and all are back in the morning', async () => {
  const count = 1_500;
  const serving = await loadedInventory(
    Array.from({ length: count }, () => ({ dailyBudgetNanos: units(5) })),
  );
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
  expect(serving.current().sidelined.stats().cutShort.LOOKS_LIMIT).toBe(1);
  const auctions = Math.ceil(count / 64);
  for (let at = 1; at < auctions; at += 1) expect(leaders(serving)).toEqual([]);
  expect(sidelined(serving)).toBe(count);
  expect(leaders(serving, later(DAY_MS)).length).toBeGreaterThan(0);
  expect(sidelined(serving)).toBe(0);
});

test('an auction · past more than it may look at · ends, and is counted', async () => {
  const tooMany = Array.from({ length: LOOKS_MAX + 1 }, () => ({ dailyBudgetNanos: units(5) }));
  const serving = await loadedInventory([...tooMany, { bidNanos: units(0.5) }]);
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
  expect(serving.current().sidelined.stats().cutShort.LOOKS_LIMIT).toBe(1);
});
