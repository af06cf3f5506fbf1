import type { TestDatabase } from '../database.ts';
import { makeAdvertiser, makePublisher } from './account.ts';
import { makeCampaignTree } from './campaign.ts';
import { fundAdvertiser, nanos, UNIT } from './money.ts';
import { makeSite, makeZone } from './place.ts';

/** Ids from an advertiser's money to a publisher's zone: whatever an event can be about. */
export interface Line {
  advertiserId: number;
  publisherId: number;
  campaignId: number;
  adGroupId: number;
  adId: number;
  creativeId: number;
  siteId: number;
  zoneId: number;
}

export interface LineOptions {
  pricingModel?: 'CPM' | 'CPC' | 'CPA' | 'CPS' | 'CPV';
  dailyNanos?: bigint | null;
  totalNanos?: bigint | null;
  adGroupDailyNanos?: bigint | null;
  balanceNanos?: bigint;
  targetCountries?: string[] | null;
  /** Reuse accounts of another line. */
  advertiserId?: number;
  publisherId?: number;
}

export async function makeLine(
  { db }: Pick<TestDatabase, 'db'>,
  options: LineOptions = {},
): Promise<Line> {
  const { pricingModel = 'CPM', targetCountries = null, balanceNanos = 1_000n * UNIT } = options;
  const advertiserId = options.advertiserId ?? (await makeAdvertiser(db)).id;
  const publisherId = options.publisherId ?? (await makePublisher(db)).id;
  const { campaign, adGroup, creative, ad } = await makeCampaignTree(db, advertiserId, {
    campaign: {
      bidNanos: nanos(1),
      pricingModel,
      dailyBudgetNanos: options.dailyNanos ?? null,
      totalBudgetNanos: options.totalNanos ?? null,
      targetCountries,
    },
    adGroup: { dailyBudgetNanos: options.adGroupDailyNanos ?? null },
  });
  const site = await makeSite(db, publisherId);
  const zone = await makeZone(db, site);
  if (options.advertiserId === undefined) await fundAdvertiser(db, advertiserId, balanceNanos);
  return {
    advertiserId,
    publisherId,
    campaignId: campaign.id,
    adGroupId: adGroup.id,
    adId: ad.id,
    creativeId: creative.id,
    siteId: site.id,
    zoneId: zone.id,
  };
}
