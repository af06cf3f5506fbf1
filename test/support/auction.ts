import { ecpmOf, NO_COUNTS, yieldPpmOf } from '../../domain/auction/rates.ts';
import { pageWords } from '../../domain/auction/page-targeting.ts';
import { compileTargeting } from '../../domain/auction/targeting.ts';
import type {
  AuctionTerms,
  AuctionZone,
  Candidate,
  FrequencyCap,
  PageWords,
} from '../../domain/auction/types.ts';
import { type BidAdjustments } from '../../domain/auction/bid-adjustments.ts';
import type { Nanos } from '../../domain/money.ts';
import { type PageTexts, readPageContext } from '../../domain/page-context.ts';
import type { PricingModel } from '../../domain/tracking/facts.ts';

/** Auctions in a few words: money in units, dates as days, everything else at its permissive default. */
export interface CandidateSketch {
  ad: number;
  advertiser?: number;
  campaign?: number;
  adgroup?: number;
  model?: PricingModel;
  bid?: number;
  weight?: number;
  display?: Candidate['creative']['display'];
  adType?: string;
  size?: [number, number] | null;
  balance?: number;
  suspended?: boolean;
  approved?: boolean;
  rotation?: 'EVEN' | 'ASAP';
  dailyBudget?: number;
  totalBudget?: number;
  groupBudget?: number;
  spentToday?: number;
  spentTotal?: number;
  groupSpent?: number;
  /** Was shown and is not known to be spent. */
  held?: number;
  start?: string;
  end?: string;
  status?: Partial<Record<'campaign' | 'adgroup' | 'ad' | 'creative', Candidate['status']>>;
  audit?: Partial<Record<'campaign' | 'adgroup' | 'ad', Candidate['audit']>>;
  countries?: string[];
  devices?: string[];
  os?: string[];
  browsers?: string[];
  hours?: number[];
  weekdays?: number[];
  keywords?: string[];
  categories?: string[];
  languages?: string[];
  adjustments?: BidAdjustments;
  cap?: Pick<FrequencyCap, 'scope' | 'id' | 'impressions'>;
}

export interface TermsSketch {
  zone?: Partial<Omit<AuctionZone, 'pricingModels' | 'floorCpcNanos' | 'floorCpmNanos'>> & {
    pricingTypes?: PricingModel[];
    floorCpc?: number;
    floorCpm?: number;
  };
  viewer?: Partial<AuctionTerms['viewer']>;
  page?: Partial<PageTexts>;
  now?: string;
  roll?: number;
  limit?: number;
  firstPrice?: boolean;
  /** Creatives that the page has just shown. */
  excluded?: number[];
}

const NOON = '2026-01-05T12:00:00Z';
const DAY_MS = 86_400_000;

export const units = (amount: number): Nanos => BigInt(Math.round(amount * 1e9));
const optionalUnits = (amount: number | undefined): Nanos | null =>
  amount === undefined ? null : units(amount);
const dayNumber = (text: string | undefined): number | null =>
  text === undefined ? null : Date.parse(text) / DAY_MS;

const DEFAULTS = {
  model: 'CPM',
  bid: 1,
  weight: 50,
  display: 'IMAGE',
  adType: 'BANNER',
  size: [300, 250] as [number, number] | null,
  balance: 1_000,
  suspended: false,
  approved: true,
  rotation: 'ASAP',
  spentToday: 0,
  spentTotal: 0,
  groupSpent: 0,
  held: 0,
} as const;

export function sketchCandidate(given: CandidateSketch, now: string = NOON): Candidate {
  const { ad } = given;
  const sketch = { advertiser: ad, campaign: ad, adgroup: ad, ...DEFAULTS, ...given };
  const status = {
    campaign: 'ACTIVE',
    adgroup: 'ACTIVE',
    ad: 'ACTIVE',
    creative: 'ACTIVE',
    ...given.status,
  } as const;
  const audit = {
    campaign: 'APPROVED',
    adgroup: 'APPROVED',
    ad: 'APPROVED',
    ...given.audit,
  } as const;
  const { campaign, adgroup: adGroup, model } = sketch;
  const bidBaseNanos = units(sketch.bid);
  const yieldPpm = yieldPpmOf(model, NO_COUNTS);
  const adjustments = sketch.adjustments ?? null;
  const best = ['device', 'geo', 'os'] as const;
  const percent = best.reduce(
    (sum, key) => sum + Math.ceil(Math.max(0, ...Object.values(adjustments?.[key] ?? {}))),
    100,
  );
  const flight = { startDay: dayNumber(sketch.start), endDay: dayNumber(sketch.end) };
  const day = Math.floor(Date.parse(now) / DAY_MS);
  return {
    adId: ad,
    weight: sketch.weight,
    status: status.ad,
    audit: audit.ad,
    advertiser: {
      id: sketch.advertiser,
      active: !sketch.suspended,
      availableNanos: units(sketch.balance),
      heldNanos: units(sketch.held),
    },
    campaign: {
      id: campaign,
      status: status.campaign,
      audit: audit.campaign,
      adType: sketch.adType,
      pricingModel: model,
      rotation: sketch.rotation,
      dailyBudgetNanos: optionalUnits(sketch.dailyBudget),
      totalBudgetNanos: optionalUnits(sketch.totalBudget),
      flight,
      spend: {
        day,
        todayNanos: units(sketch.spentToday),
        totalNanos: units(sketch.spentTotal),
        heldNanos: units(sketch.held),
      },
    },
    adGroup: {
      id: adGroup,
      status: status.adgroup,
      audit: audit.adgroup,
      dailyBudgetNanos: optionalUnits(sketch.groupBudget),
      flight: { startDay: null, endDay: null },
      spend: { day, todayNanos: units(sketch.groupSpent), totalNanos: 0n, heldNanos: 0n },
    },
    creative: {
      id: ad,
      status: status.creative,
      approved: sketch.approved,
      display: sketch.display,
      width: sketch.size?.[0] ?? null,
      height: sketch.size?.[1] ?? null,
    },
    targeting: compileTargeting({
      countries: sketch.countries ?? null,
      devices: sketch.devices ?? null,
      os: sketch.os ?? null,
      browsers: sketch.browsers ?? null,
      hours: sketch.hours ?? null,
      weekdays: sketch.weekdays ?? null,
      keywords: sketch.keywords ?? null,
      categories: sketch.categories ?? null,
      languages: sketch.languages ?? null,
    }),
    bidBaseNanos,
    adjustments,
    yieldPpm,
    caps: sketch.cap === undefined ? [] : [{ ...sketch.cap, windowSeconds: 3_600 }],
    ceilingEcpmNanos: ecpmOf((bidBaseNanos * BigInt(percent)) / 100n, yieldPpm),
    isOut: false,
  };
}

export function sketchTerms(sketch: TermsSketch = {}): AuctionTerms {
  const { pricingTypes, floorCpc, floorCpm, ...zone } = sketch.zone ?? {};
  return {
    zone: {
      id: 1,
      type: 'BANNER',
      width: 300,
      height: 250,
      device: 'ALL',
      status: 'ACTIVE',
      audit: 'APPROVED',
      siteStatus: 'ACTIVE',
      siteAudit: 'APPROVED',
      publisherActive: true,
      ...zone,
      pricingModels: new Set(pricingTypes ?? ['CPM', 'CPC', 'CPA', 'CPS', 'CPV']),
      floorCpcNanos: units(floorCpc ?? 0),
      floorCpmNanos: units(floorCpm ?? 0),
    },
    viewer: {
      country: 'US',
      device: 'DESKTOP',
      os: 'WINDOWS',
      browser: 'CHROME',
      ...sketch.viewer,
    },
    page: sketch.page === undefined ? null : pageOf(sketch.page),
    now: new Date(sketch.now ?? NOON),
    roll: sketch.roll ?? 0.5,
    limit: sketch.limit ?? 1,
    firstPrice: sketch.firstPrice ?? false,
    ...(sketch.excluded === undefined ? {} : { excluded: new Set(sketch.excluded) }),
  };
}

function pageOf(texts: Partial<PageTexts>): PageWords | null {
  const none = { url: '', title: '', keywords: '', category: '', type: '', tags: '', lang: '' };
  const context = readPageContext({ ...none, ...texts });
  return context === null ? null : pageWords(context);
}
