import { invalid } from './errors.ts';
import type { Nanos } from './money.ts';
import { ratio } from './report-counts.ts';

/** Roles of operators that read it, beside ADMIN. */
export const PLATFORM_REPORT_READERS = ['FINANCE', 'SUPPORT'] as const;

/**
 * What an operator asks of the whole platform (interface 5.22): what advertisers spent, what of it publishers
 * earned, and what is left. Two rollups tell of the same events, one by advertiser and one by publisher;
 * neither knows the other side's things.
 */
const SIDES = {
  ads: ['advertiser', 'campaign'],
  zones: ['publisher', 'site', 'zone'],
} as const;
const TIMES = ['date', 'hour'] as const;
const TRAITS = ['country', 'device', 'os', 'browser'] as const;
const PLATFORM_DIMENSIONS = [...TIMES, ...SIDES.ads, ...SIDES.zones, ...TRAITS] as const;
export type PlatformDimension = (typeof PLATFORM_DIMENSIONS)[number];
export type PlatformSide = keyof typeof SIDES;

export interface PlatformFilter {
  advertiser?: number | undefined;
  publisher?: number | undefined;
}

export interface PlatformPlan {
  groupBy: readonly PlatformDimension[];
  filter: PlatformFilter;
  timezone: string;
  /** `hours`: by quarter of an hour, hence in every time zone. `traits`: by viewer and UTC day, without requests. */
  rollup: 'hours' | 'traits';
  /** `ads` counts what was spent, `zones` what was earned and asked for. */
  sides: readonly PlatformSide[];
}

const GROUP_BY_MAX = 3;

const includesAny = (all: readonly string[], some: readonly string[]): boolean =>
  some.some((each) => all.includes(each));

/** What is read for `date, advertiser`, or 422 with every fault of it. */
export function planPlatformReport(
  text: string,
  { filter, timezone }: Pick<PlatformPlan, 'filter' | 'timezone'>,
): PlatformPlan {
  const groupBy = readDimensions(text);
  const ofAds = includesAny(groupBy, SIDES.ads) || filter.advertiser !== undefined;
  const ofZones = includesAny(groupBy, SIDES.zones) || filter.publisher !== undefined;
  if (ofAds && ofZones) {
    const message = 'what advertisers have and what publishers have is not counted together';
    throw invalid({ field: 'group_by', code: 'together', message });
  }
  const isByViewer = includesAny(groupBy, TRAITS);
  if (isByViewer && groupBy.includes('hour')) {
    const message = 'viewers are counted by day, not by hour';
    throw invalid({ field: 'group_by', code: 'together', message });
  }
  if (isByViewer && timezone !== 'UTC') {
    const message = 'viewers are counted by days of UTC';
    throw invalid({ field: 'timezone', code: 'utc', message });
  }
  return {
    groupBy,
    filter,
    timezone,
    rollup: isByViewer ? 'traits' : 'hours',
    sides: [...(ofZones ? [] : (['ads'] as const)), ...(ofAds ? [] : (['zones'] as const))],
  };
}

function readDimensions(text: string): PlatformDimension[] {
  const named = text.split(',').map((part) => part.trim().toLowerCase());
  const known = named.flatMap((part) => PLATFORM_DIMENSIONS.filter((each) => each === part));
  if (known.length < named.length) {
    const wrong = named.filter((part) => !PLATFORM_DIMENSIONS.some((each) => each === part));
    const message = `unknown dimension ${wrong.join(', ')}; known: ${PLATFORM_DIMENSIONS.join(', ')}`;
    throw invalid({ field: 'group_by', code: 'one_of', message });
  }
  if (named.length > GROUP_BY_MAX || new Set(named).size !== named.length) {
    const message = `at most ${GROUP_BY_MAX} different dimensions`;
    throw invalid({ field: 'group_by', code: 'max', message });
  }
  return known;
}

/** Null: not counted at this breakdown, which is not the same as none. */
export interface PlatformCounts {
  requests: number | null;
  filled: number | null;
  impressions: number;
  viewable: number;
  views: number;
  clicks: number;
  conversions: number;
  removed: number;
  spendNanos: Nanos | null;
  publisherNanos: Nanos | null;
}

export interface PlatformRow {
  /** Values of the dimensions as text; names of things beside their ids. */
  keys: Partial<Record<PlatformDimension, string>>;
  names: Partial<Record<PlatformDimension, string>>;
  counts: PlatformCounts;
}

export const countsRequestsOf = ({ rollup, sides }: PlatformPlan): boolean =>
  rollup === 'hours' && sides.includes('zones');

/** Sums of all lines; null stays what the plan does not count. */
export function sumPlatform(rows: readonly PlatformRow[], plan: PlatformPlan): PlatformCounts {
  const sum = (of: (counts: PlatformCounts) => number): number =>
    rows.reduce((total, { counts }) => total + of(counts), 0);
  const money = (of: (counts: PlatformCounts) => Nanos | null): Nanos =>
    rows.reduce((total, { counts }) => total + (of(counts) ?? 0n), 0n);
  const hasRequests = countsRequestsOf(plan);
  return {
    requests: hasRequests ? sum(({ requests }) => requests ?? 0) : null,
    filled: hasRequests ? sum(({ filled }) => filled ?? 0) : null,
    impressions: sum(({ impressions }) => impressions),
    viewable: sum(({ viewable }) => viewable),
    views: sum(({ views }) => views),
    clicks: sum(({ clicks }) => clicks),
    conversions: sum(({ conversions }) => conversions),
    removed: sum(({ removed }) => removed),
    spendNanos: plan.sides.includes('ads') ? money(({ spendNanos }) => spendNanos) : null,
    publisherNanos: plan.sides.includes('zones')
      ? money(({ publisherNanos }) => publisherNanos)
      : null,
  };
}

export interface PlatformRates {
  /** Requests that an ad answered, clicks per impression, conversions per click: 0 to 1, six decimals. */
  fillRate: number | null;
  ctr: number;
  cvr: number;
  /** What advertisers spent and publishers did not earn. */
  marginNanos: Nanos | null;
  /** What advertisers spent per thousand impressions. */
  ecpmNanos: Nanos | null;
}

export function platformRates(counts: PlatformCounts): PlatformRates {
  const { requests, filled, impressions, clicks, conversions, spendNanos, publisherNanos } = counts;
  return {
    fillRate: requests === null || filled === null ? null : ratio(filled, requests),
    ctr: ratio(clicks, impressions),
    cvr: ratio(conversions, clicks),
    marginNanos:
      spendNanos === null || publisherNanos === null ? null : spendNanos - publisherNanos,
    ecpmNanos:
      spendNanos === null
        ? null
        : impressions === 0
          ? 0n
          : (spendNanos * 1_000n) / BigInt(impressions),
  };
}
