import { mediaUrl } from '../../db/files/media-store.ts';
import type {
  AdGroupRow,
  AdRow,
  AdvertiserInventory,
  CampaignRow,
  ZoneRow,
} from '../../db/serving/snapshot-rows.ts';
import { type BidAdjustments, effectiveAdjustments } from '../../domain/auction/bid-adjustments.ts';
import { ecpmOf, NO_COUNTS, yieldPpmOf } from '../../domain/auction/rates.ts';
import { compileTargeting } from '../../domain/auction/targeting.ts';
import type {
  AuctionZone,
  AuditState,
  Candidate,
  DisplayType,
  FrequencyCap,
  OwnerState,
} from '../../domain/auction/types.ts';
import type { PricingModel } from '../../domain/tracking/facts.ts';
import type { VastCompanion, VastSource } from '../../domain/creative/vast.ts';
import type { BudgetCells } from './live-budgets.ts';
import { companionOf, videoOf } from './video.ts';

/** Rows become what auctions and answers read: compiled once per load, not per request. */
export interface ServableAd extends Candidate {
  content: AdContent;
}

export interface AdContent {
  title: string | null;
  description: string | null;
  buttonText: string | null;
  brandName: string | null;
  displayUrl: string | null;
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
}

/** All ads of the advertisers in `inventory`. An ad whose ad group or campaign is archived is left out. */
export function* assembleAds(
  inventory: AdvertiserInventory,
  options: AssembleOptions,
): Generator<ServableAd> {
  const campaigns = new Map(
    inventory.campaigns.map((row) => [row.id, { row, terms: campaignTerms(row, options.cells) }]),
  );
  const adGroups = new Map(
    inventory.adGroups.map((row) => [row.id, { row, terms: adGroupTerms(row, options.cells) }]),
  );
  const compiled = new Map<number, GroupTerms>();
  for (const row of inventory.ads) {
    const campaign = campaigns.get(row.campaignId);
    const adGroup = adGroups.get(row.adGroupId);
    if (campaign === undefined || adGroup === undefined) continue;
    let group = compiled.get(row.adGroupId);
    if (group === undefined) {
      group = groupTerms(campaign.row, adGroup.row);
      compiled.set(row.adGroupId, group);
    }
    yield {
      adId: row.id,
      weight: row.weight,
      status: row.status as OwnerState,
      audit: row.audit as AuditState,
      advertiser: options.cells.advertiser(row.advertiserId),
      campaign: campaign.terms,
      adGroup: adGroup.terms,
      creative: {
        id: row.creativeId,
        status: row.creativeStatus as OwnerState,
        approved: row.revision !== null,
        display: row.display as DisplayType,
        width: row.width,
        height: row.height,
      },
      ...group,
      caps: capsOf(campaign.row, adGroup.row, row),
      content: contentOf(row, options.cdnUrl),
    };
  }
}

function campaignTerms(row: CampaignRow, cells: BudgetCells): Candidate['campaign'] {
  return {
    id: row.id,
    status: row.status as OwnerState,
    audit: row.audit as AuditState,
    adType: row.adType,
    pricingModel: row.pricingModel as PricingModel,
    rotation: row.rotation === 'ASAP' ? 'ASAP' : 'EVEN',
    dailyBudgetNanos: row.dailyBudgetNanos,
    totalBudgetNanos: row.totalBudgetNanos,
    flight: { startDay: row.startDay, endDay: row.endDay },
    spend: cells.campaign(row.id),
  };
}

function adGroupTerms(row: AdGroupRow, cells: BudgetCells): Candidate['adGroup'] {
  return {
    id: row.id,
    status: row.status as OwnerState,
    audit: row.audit as AuditState,
    dailyBudgetNanos: row.dailyBudgetNanos,
    flight: { startDay: row.startDay, endDay: row.endDay },
    spend: cells.adGroup(row.id),
  };
}

type GroupTerms = Pick<
  Candidate,
  'targeting' | 'bidBaseNanos' | 'adjustments' | 'yieldPpm' | 'ceilingEcpmNanos'
>;

/** Shared by the ads of one ad group: what it says itself, and what it inherits (interface 2.3). */
function groupTerms(campaign: CampaignRow, adGroup: AdGroupRow): GroupTerms {
  const bidBaseNanos = adGroup.bidNanos ?? campaign.bidNanos ?? 0n;
  const adjustments = effectiveAdjustments(
    campaign.bidAdjustments as BidAdjustments | null,
    adGroup.bidAdjustments as BidAdjustments | null,
  );
  const yieldPpm = yieldPpmOf(campaign.pricingModel as PricingModel, NO_COUNTS);
  return {
    targeting: compileTargeting({
      countries: listOf(adGroup.targetCountries) ?? listOf(campaign.targetCountries),
      devices: listOf(adGroup.targetDevices) ?? listOf(campaign.targetDevices),
      os: listOf(adGroup.targetOs) ?? listOf(campaign.targetOs),
      browsers: listOf(adGroup.targetBrowsers) ?? listOf(campaign.targetBrowsers),
      hours: listOf(adGroup.targetHours) ?? listOf(campaign.targetHours),
      weekdays: listOf(adGroup.weekdays) ?? listOf(campaign.weekdays),
    }),
    bidBaseNanos,
    adjustments,
    yieldPpm,
    ceilingEcpmNanos: ecpmOf(highestBid(bidBaseNanos, adjustments), yieldPpm),
  };
}

const listOf = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

/** Each dimension's best percentage, rounded up to a whole percent: no viewer can bid more. */
function highestBid(bidBaseNanos: bigint, adjustments: BidAdjustments | null): bigint {
  if (adjustments === null) return bidBaseNanos;
  const percents = [adjustments.device, adjustments.geo, adjustments.os].map((entries) =>
    Math.ceil(Math.max(0, ...Object.values(entries ?? {}))),
  );
  const percent = percents.reduce((sum, value) => sum + value, 100);
  return (bidBaseNanos * BigInt(percent)) / 100n;
}

function capsOf(campaign: CampaignRow, adGroup: AdGroupRow, ad: AdRow): FrequencyCap[] {
  const owner = { campaign: campaign.id, adgroup: adGroup.id, ad: ad.id };
  return [
    readCap(campaign.frequencyCap, 'campaign', owner),
    readCap(adGroup.frequencyCap, 'adgroup', owner),
  ].filter((cap) => cap !== undefined);
}

function readCap(
  value: unknown,
  fallback: FrequencyCap['scope'],
  owner: Record<FrequencyCap['scope'], number>,
): FrequencyCap | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const stored = value as { impressions?: unknown; window_seconds?: unknown; per?: unknown };
  const impressions = Number(stored.impressions);
  const windowSeconds = Number(stored.window_seconds);
  if (!(impressions > 0) || !(windowSeconds > 0)) return undefined;
  const { per } = stored;
  const scope = per === 'campaign' || per === 'adgroup' || per === 'ad' ? per : fallback;
  return { scope, id: owner[scope], impressions, windowSeconds };
}

function contentOf(row: AdRow, cdnUrl: string): AdContent {
  const url = (path: string | null): string | null =>
    path === null ? null : mediaUrl(cdnUrl, path);
  return {
    title: row.title,
    description: row.description,
    buttonText: row.buttonText,
    brandName: row.brandName,
    displayUrl: row.displayUrl,
    imageUrl: url(row.imagePath),
    imageUrl2: url(row.imagePath2),
    videoUrl: url(row.videoPath),
    iconUrl: url(row.iconPath),
    html5Url: url(row.html5Path),
    code: row.html,
    video: videoOf(row, url(row.videoPath)),
    companion: companionOf(row, url(row.imagePath)),
  };
}

export function assembleZone(row: ZoneRow): ServableZone {
  const settings = typeof row.settings === 'object' && row.settings !== null ? row.settings : {};
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
    floorCpcNanos: row.floorCpcNanos,
    floorCpmNanos: row.floorCpmNanos,
    refresh: row.refresh,
    settings: { ...settings },
    status: row.status as OwnerState,
    audit: row.audit as AuditState,
    siteStatus: row.siteStatus as OwnerState,
    siteAudit: row.siteAudit as AuditState,
    publisherActive: row.publisherStatus === 'ACTIVE',
  };
}
