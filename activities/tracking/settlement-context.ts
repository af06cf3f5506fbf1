import type { HeldCursor } from '../../db/events/event-log.ts';
import {
  type AdWithCaps,
  loadAds,
  loadShares,
  loadSpent,
  loadZones,
  lockBalances,
  lockClicks,
  lockConversions,
} from '../../db/queries/settlement.ts';
import { loadSettings } from '../../db/settings.ts';
import type { SqlRunner } from '../../db/sql-runner.ts';
import type { BatchContext } from '../../domain/tracking/batch.ts';
import type { RateCounts } from '../../domain/tracking/rates.ts';
import { createSpendingRoom } from '../../domain/tracking/spending-room.ts';
import type { ActivityDeps } from '../deps.ts';
import { loadBook } from './settlement-memory.ts';
import { loadRates } from './settlement-rates.ts';
import type { Read } from './settlement-read.ts';

interface Batch {
  take: { shard: number };
  held: HeldCursor;
  counts: RateCounts;
  read: Pick<Read, 'events' | 'names'>;
}

/** Everything the batch's events name, a query per table, money locked first. */
export async function loadContext(
  deps: ActivityDeps,
  sql: SqlRunner,
  batch: Batch,
): Promise<BatchContext & { ads: ReadonlyMap<number, AdWithCaps> }> {
  const { events, names } = batch.read;
  const ads = await loadAds(sql, [...names.adIds]);
  const zones = await loadZones(sql, [...names.zoneIds]);
  const adRows = [...ads.values()];
  const balances = await lockBalances(sql, unique(adRows.map((ad) => ad.advertiserId)));
  const spent = await loadSpent(sql, {
    campaignIds: unique(adRows.map((ad) => ad.campaignId)),
    adGroupIds: unique(adRows.map((ad) => ad.adGroupId)),
    days: [...names.days],
  });
  const settings = await loadSettings(sql);
  const rates = await loadRates(deps, sql, { ...batch, events, settings });
  return {
    settings,
    ads,
    zones,
    shares: await loadShares(
      sql,
      unique([...zones.values()].map((zone) => zone.publisherId)),
      names.firstReceivedAtMs,
    ),
    clicks: await lockClicks(sql, [...names.clickEventIds]),
    conversions: await lockConversions(sql, [...names.conversionIds]),
    book: await loadBook(sql, { names, held: batch.held, rates }),
    room: createSpendingRoom({
      balances,
      dailyCaps: {
        campaign: new Map(adRows.map((ad) => [ad.campaignId, ad.campaignDailyCapNanos])),
        adgroup: new Map(adRows.map((ad) => [ad.adGroupId, ad.adGroupDailyCapNanos])),
      },
      totalCaps: new Map(adRows.map((ad) => [ad.campaignId, ad.campaignTotalCapNanos])),
      spentDays: spent.days,
      spentTotals: spent.totals,
    }),
  };
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];
