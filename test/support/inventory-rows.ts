import { createServingInventory, type ServingInventory } from '../../api/ad/snapshot.ts';
import {
  AD,
  AD_GROUP,
  type AdvertiserInventory,
  CAMPAIGN,
  type CampaignRow,
  type ZoneRow,
} from '../../db/serving/snapshot-rows.ts';
import { units } from './auction.ts';

/** An inventory in memory, of rows that no database has seen. */
const DAY_MS = 86_400_000;
/** Noon of today, so that a day before and after is far. */
export const NOON = new Date();
NOON.setUTCHours(12, 0, 0, 0);
export const TODAY = Math.floor(NOON.getTime() / DAY_MS);

export type GivenCampaign = Partial<CampaignRow> & { available?: bigint };

/** One advertiser with one campaign, ad group and ad per entry; numbers are those of the entries. */
export function campaignRows(given: readonly GivenCampaign[]): AdvertiserInventory {
  const of = <Row>(make: (entry: GivenCampaign, id: number) => Row): Row[] =>
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

/** A zone that whatever serves here fits. */
export const ZONE_ROW: ZoneRow = {
  id: 1,
  zoneKey: 'zone_in_memory',
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
};

/** With that zone alone. */
export async function loadedInventory(given: readonly GivenCampaign[]): Promise<ServingInventory> {
  const serving = createServingInventory({ cdnUrl: 'http://cdn.example' });
  await serving.replacePublishers(null, [ZONE_ROW]);
  await serving.replaceAdvertisers(null, [campaignRows(given)], performance.now());
  return serving;
}
