import type { ServingInventory } from '../../../api/ad/snapshot.ts';
import type { AdvertiserInventory, ZoneRow } from '../../../db/serving/snapshot-rows.ts';
import { campaignRows, loadedInventory, ZONE_ROW } from '../../support/inventory-rows.ts';

/** An inventory comes in parts, and is shown whole. Advertisers, campaigns and ads have equal ids here. */
const EDITED = { totalBudgetNanos: 2n, rowVersion: '2' };

/** The rows of one advertiser out of those of three. */
function partOf(id: number, rows: AdvertiserInventory): AdvertiserInventory {
  const isTheirs = (row: { id: number }): boolean => row.id === id;
  return {
    advertisers: rows.advertisers.filter(isTheirs),
    campaigns: rows.campaigns.filter(isTheirs),
    adGroups: rows.adGroups.filter(isTheirs),
    ads: rows.ads.filter(isTheirs),
  };
}
const edited = (ids: readonly number[]): AdvertiserInventory[] => {
  const rows = campaignRows([1, 2, 3].map(() => EDITED));
  return ids.map((id) => partOf(id, rows));
};
const shown = (serving: ServingInventory): string[] =>
  serving
    .roster()
    .map(({ adId, campaign }) => `${adId} ${campaign.totalBudgetNanos ?? 1}`)
    .toSorted();

test('three advertisers · read one after another · are shown together, when the last has come', async () => {
  const serving = await loadedInventory([{}, {}, {}]);
  const seen: string[][] = [];
  function* parts(): Generator<AdvertiserInventory> {
    for (const part of edited([1, 2, 3])) {
      seen.push(shown(serving));
      yield part;
    }
  }
  await serving.replaceAdvertisers([1, 2, 3], parts(), performance.now());
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['1 1', '2 1', '3 1']));
  expect(shown(serving)).toEqual(['1 2', '2 2', '3 2']);
});

test.each([
  ['all are asked for', null, ['1 2']],
  ['two are asked for', [1, 2], ['1 2', '3 1']],
  ['it alone is asked for', [1], ['1 2', '2 1', '3 1']],
])('an advertiser in no part · where %s · is gone if it was', async (_what, ids, left) => {
  const serving = await loadedInventory([{}, {}, {}]);
  await serving.replaceAdvertisers(ids, edited([1]), performance.now());
  expect(shown(serving)).toEqual(left);
});

test('a part that cannot be read · after one that was · leaves all as it was', async () => {
  const serving = await loadedInventory([{}, {}, {}]);
  function* parts(): Generator<AdvertiserInventory> {
    yield* edited([1]);
    throw new Error('the connection is gone');
  }
  const loading = serving.replaceAdvertisers(null, parts(), performance.now());
  await expect(loading).rejects.toThrow('the connection is gone');
  expect(shown(serving)).toEqual(['1 1', '2 1', '3 1']);
  await serving.replaceAdvertisers(null, edited([1, 2, 3]), performance.now());
  expect(shown(serving)).toEqual(['1 2', '2 2', '3 2']);
});

describe('zones of two publishers', () => {
  const zoneRow = (id: number, publisherId: number, changes: Partial<ZoneRow> = {}): ZoneRow => ({
    ...ZONE_ROW,
    id,
    publisherId,
    zoneKey: `key_${id}`,
    ...changes,
  });
  const loaded = async (): Promise<ServingInventory> => {
    const serving = await loadedInventory([]);
    await serving.replacePublishers(null, [zoneRow(1, 1), zoneRow(2, 1), zoneRow(3, 2)]);
    return serving;
  };
  const zone = (serving: ServingInventory, id: number) => serving.current().zones.ofId(id);

  test('one publisher edits · its zones are what they are now, the other’s are the same objects', async () => {
    const serving = await loaded();
    const before = zone(serving, 3);
    const { settings } = serving.current();
    await serving.replacePublishers([1], [zoneRow(1, 1, { zoneKey: 'renamed', width: 728 })]);
    expect(zone(serving, 1)).toMatchObject({ width: 728 });
    const { zones } = serving.current();
    const named = ['key_1', 'key_2', 'key_3', 'renamed'].map((key) => zones.ofKey(key)?.id);
    expect(named).toEqual([undefined, undefined, 3, 1]);
    expect(zone(serving, 2)).toBeUndefined();
    serving.applySettings({ ...settings, 'ad.first_price': true });
    expect(before).toBeDefined();
    expect(zone(serving, 3)).toBe(before);
    expect(zones.ofKey('key_3')).toBe(before);
  });

  test('a look at all · who has none left · is forgotten', async () => {
    const serving = await loaded();
    await serving.replacePublishers(null, [zoneRow(3, 2)]);
    expect([1, 2, 3].map((id) => zone(serving, id)?.id)).toEqual([undefined, undefined, 3]);
    expect(serving.stats().zones).toBe(1);
    await serving.replacePublishers([2], []);
    expect(serving.stats().zones).toBe(0);
  });

  test('the platform’s floor · raised, then lowered · lies under each zone’s own', async () => {
    const serving = await loadedInventory([]);
    const own = { floorPriceCpmNanos: 200_000_000n };
    await serving.replacePublishers(null, [zoneRow(1, 1), zoneRow(2, 1, own)]);
    const { settings } = serving.current();
    const floors = (floor: number) => {
      serving.applySettings({ ...settings, 'auction.floor_cpm': floor });
      return [1, 2].map((id) => zone(serving, id)?.floorCpmNanos);
    };
    expect(floors(0.3)).toEqual([300_000_000n, 300_000_000n]);
    expect(floors(0.1)).toEqual([100_000_000n, 200_000_000n]);
  });
});
