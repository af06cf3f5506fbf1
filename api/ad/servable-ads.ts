import { mediaUrl } from '../../db/files/media-store.ts';
import type {
  AdGroupRow,
  AdRow,
  AdvertiserInventory,
  CampaignRow,
  ZoneRow,
} from '../../db/serving/snapshot-rows.ts';
import { oneOf } from '../../db/schema/column.ts';
import type { AD_COPY } from '../../db/tables/ad.ts';
import { AD_TYPES } from '../../domain/inventory.ts';
import { type BidAdjustments, effectiveAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { ecpmOf, NO_COUNTS, yieldPpmOf } from '../../domain/auction/rates.ts';
import { compileTargeting } from '../../domain/auction/targeting.ts';
import type { AuctionZone, Candidate, Flight, FrequencyCap } from '../../domain/auction/types.ts';
import type { PricingModel } from '../../domain/tracking/facts.ts';
import type { VastCompanion, VastSource } from '../../domain/creative/vast.ts';
import type { AdvertiserCell, BudgetCells, SpendCell } from './live-budgets.ts';
import { companionOf, videoOf } from './video.ts';

/** Rows become what auctions and answers read: compiled once per load, not per request. */
export interface ServableAd extends Candidate {
  advertiser: AdvertiserCell;
  campaign: ServableCampaign;
  adGroup: ServableAdGroup;
  content: AdContent;
}

interface ServableCampaign extends Readonly<Candidate['campaign']> {
  readonly spend: SpendCell;
}

interface ServableAdGroup extends Readonly<Candidate['adGroup']> {
  readonly spend: SpendCell;
}

export interface AdContent extends Pick<AdRow, (typeof AD_COPY)[number]> {
  imageUrl: string | null;
  imageUrl2: string | null;
  videoUrl: string | null;
  iconUrl: string | null;
  html5Url: string | null;
  code: string | null;
  /** What a video player needs to play it; null for what is no video. */
  video: VastSource | null;
  /** Shown beside the video by players that have room for it. */
  companion: VastCompanion | null;
}

export interface ServableZone extends AuctionZone {
  zoneKey: string;
  publisherId: number;
  siteId: number;
  refresh: number;
  settings: Readonly<Record<string, unknown>>;
}

export interface AssembleOptions {
  cdnUrl: string;
  cells: BudgetCells;
  /** Only theirs. */
  tenants: ReadonlySet<number>;
}

/**
 * All ads of these advertisers in `inventory`, and undefined where the work may be put aside. An ad
 * whose ad group or campaign is archived is left out.
 */
export function* assembleAds(
  inventory: AdvertiserInventory,
  { tenants, ...options }: AssembleOptions,
): Generator<ServableAd | undefined> {
  const campaigns = new Map<number, { row: CampaignRow; terms: ServableCampaign }>();
  for (const row of inventory.campaigns) {
    if (tenants.has(row.advertiserId)) {
      campaigns.set(row.id, { row, terms: campaignTerms(row, options.cells) });
    }
    yield;
  }
  const adGroups = new Map<number, { row: AdGroupRow; terms: ServableAdGroup }>();
  for (const row of inventory.adGroups) {
    if (tenants.has(row.advertiserId)) {
      adGroups.set(row.id, { row, terms: adGroupTerms(row, options.cells) });
    }
    yield;
  }
  const compiled = new Map<number, GroupTerms>();
  for (const row of inventory.ads) {
    const campaign = campaigns.get(row.campaignId);
    const adGroup = adGroups.get(row.adGroupId);
    if (campaign === undefined || adGroup === undefined) {
      yield;
      continue;
    }
    let group = compiled.get(row.adGroupId);
    if (group === undefined) {
      group = groupTerms(campaign.row, adGroup.row);
      compiled.set(row.adGroupId, group);
    }
    yield {
      adId: row.id,
      weight: row.weight,
      status: row.status,
      audit: row.approvedRevision === null ? 'PENDING' : 'APPROVED',
      advertiser: options.cells.advertiser(row.advertiserId),
      campaign: campaign.terms,
      adGroup: adGroup.terms,
      creative: {
        id: row.creativeId,
        status: row.creativeStatus,
        approved: row.creativeApprovedRevision !== null,
        display: row.creativeType,
        width: row.width,
        height: row.height,
      },
      targeting: group.targeting,
      bidBaseNanos: group.bidBaseNanos,
      adjustments: group.adjustments,
      yieldPpm: group.yieldPpm,
      ceilingEcpmNanos: group.ceilingEcpmNanos,
      caps: capsOf(campaign.row, adGroup.row, row),
      content: contentOf(row, options.cdnUrl),
      isOut: false,
    };
  }
}

/** The columns that every auction looks at are named: their objects keep one shape, and no more than their size. */
function campaignTerms(row: CampaignRow, cells: BudgetCells): ServableCampaign {
  return {
    id: row.id,
    status: row.status,
    audit: row.auditStatus,
    adType: adTypeOf(row.adType),
    pricingModel: row.pricingModel,
    rotation: row.rotationMode,
    dailyBudgetNanos: row.dailyBudgetNanos,
    totalBudgetNanos: row.totalBudgetNanos,
    flight: flightOf(row),
    spend: cells.campaign(row.id),
  };
}

function adGroupTerms(row: AdGroupRow, cells: BudgetCells): ServableAdGroup {
  return {
    id: row.id,
    status: row.status,
    audit: row.auditStatus,
    dailyBudgetNanos: row.dailyBudgetNanos,
    flight: flightOf(row),
    spend: cells.adGroup(row.id),
  };
}

/** Any text of a column without a list, and of the known ones the one string. */
const adTypeOf = oneOf<string>(AD_TYPES);

/** What most ads have in common is one object of all of them: a sixteenth of the memory of 100,000. */
const UNLIMITED: Flight = { startDay: null, endDay: null };
const NO_CAPS: readonly FrequencyCap[] = [];

const DAY_MS = 86_400_000;
const flightOf = ({ startDate, endDate }: Pick<CampaignRow, 'startDate' | 'endDate'>): Flight =>
  startDate === null && endDate === null
    ? UNLIMITED
    : {
        startDay: startDate === null ? null : Date.parse(startDate) / DAY_MS,
        endDay: endDate === null ? null : Date.parse(endDate) / DAY_MS,
      };

type GroupTerms = Pick<
  Candidate,
  'targeting' | 'bidBaseNanos' | 'adjustments' | 'yieldPpm' | 'ceilingEcpmNanos'
>;

/** Shared by the ads of one ad group: what it says itself, and what it inherits (interface 2.3). */
function groupTerms(campaign: CampaignRow, adGroup: AdGroupRow): GroupTerms {
  const bidBaseNanos = adGroup.bidNanos ?? campaign.bidNanos;
  const adjustments = effectiveAdjustments(campaign.bidAdjustments, adGroup.bidAdjustments);
  const yieldPpm = yieldPpmOf(campaign.pricingModel, NO_COUNTS);
  return {
    targeting: compileTargeting({
      countries: adGroup.targetCountries ?? campaign.targetCountries,
      devices: adGroup.targetDevices ?? campaign.targetDevices,
      os: adGroup.targetOs ?? campaign.targetOs,
      browsers: adGroup.targetBrowsers ?? campaign.targetBrowsers,
      hours: adGroup.targetHours ?? campaign.targetHours,
      weekdays: adGroup.weekdays ?? campaign.weekdays,
      keywords: adGroup.targetKeywords ?? campaign.targetKeywords,
      categories: adGroup.targetCategories ?? campaign.targetCategories,
      languages: adGroup.targetLanguages ?? campaign.targetLanguages,
    }),
    bidBaseNanos,
    adjustments,
    yieldPpm,
    ceilingEcpmNanos: ecpmOf(highestBid(bidBaseNanos, adjustments), yieldPpm),
  };
}

/** Each dimension's best percentage, rounded up to a whole percent: no viewer can bid more. */
function highestBid(bidBaseNanos: bigint, adjustments: BidAdjustments | null): bigint {
  if (adjustments === null) return bidBaseNanos;
  const percents = [adjustments.device, adjustments.geo, adjustments.os].map((entries) =>
    Math.ceil(Math.max(0, ...Object.values(entries ?? {}))),
  );
  const percent = percents.reduce((sum, value) => sum + value, 100);
  return (bidBaseNanos * BigInt(percent)) / 100n;
}

function capsOf(campaign: CampaignRow, adGroup: AdGroupRow, ad: AdRow): readonly FrequencyCap[] {
  if (campaign.frequencyCap === null && adGroup.frequencyCap === null) return NO_CAPS;
  const ids = { campaign: campaign.id, adgroup: adGroup.id, ad: ad.id };
  return [campaign.frequencyCap, adGroup.frequencyCap]
    .filter((cap) => cap !== null)
    .map(({ impressions, window_seconds: windowSeconds, per }) => ({
      scope: per,
      id: ids[per],
      impressions,
      windowSeconds,
    }));
}

/** Named one by one: what is put together by its keys keeps its values beside itself, in more memory. */
function contentOf(row: AdRow, cdnUrl: string): AdContent {
  const url = (path: string | null): string | null =>
    path === null ? null : mediaUrl(cdnUrl, path);
  const imageUrl = url(row.imagePath);
  const videoUrl = url(row.videoPath);
  return {
    title: row.title,
    description: row.description,
    buttonText: row.buttonText,
    brandName: row.brandName,
    displayUrl: row.displayUrl,
    imageUrl,
    imageUrl2: url(row.imagePath2),
    videoUrl,
    iconUrl: url(row.iconPath),
    html5Url: url(row.html5Path),
    code: row.htmlCode,
    video: videoOf(row, videoUrl),
    companion: companionOf(row, imageUrl),
  };
}

export function assembleZone(row: ZoneRow): ServableZone {
  return {
    id: row.id,
    zoneKey: row.zoneKey,
    publisherId: row.publisherId,
    siteId: row.siteId,
    type: row.type,
    width: row.width,
    height: row.height,
    device: row.device.toUpperCase(),
    pricingModels: new Set(
      row.pricingTypes.split(',').map((model) => model.trim() as PricingModel),
    ),
    floorCpcNanos: row.floorPriceCpcNanos,
    floorCpmNanos: row.floorPriceCpmNanos,
    refresh: row.refresh,
    settings: { ...row.settings },
    status: row.status,
    audit: row.auditStatus,
    siteStatus: row.siteStatus,
    siteAudit: row.siteAuditStatus,
    publisherActive: row.publisherStatus === 'ACTIVE',
  };
}
