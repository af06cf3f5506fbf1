import { type FieldError, invalid } from './errors.ts';
import type { Nanos } from './money.ts';

/** What can be asked of a report, and which rollup can answer (decisions 11). */
export type ReportSide = 'advertiser' | 'publisher';

const DIMENSIONS = [
  'date',
  'hour',
  'campaign',
  'adgroup',
  'ad',
  'creative',
  'site',
  'zone',
  'country',
  'device',
  'os',
  'browser',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Things that a report can be narrowed to. */
export type ReportFilter = Partial<Record<'campaign' | 'adgroup' | 'ad' | 'site' | 'zone', number>>;

/** `hours`: by hour and thing, in any whole-hour time zone. `traits`: by UTC day and viewer. */
export type RollupName = 'ad_hours' | 'ad_traits' | 'zone_hours' | 'zone_traits';

const HELD: Readonly<Record<RollupName, readonly Dimension[]>> = {
  ad_hours: ['date', 'hour', 'campaign', 'adgroup', 'ad', 'creative'],
  ad_traits: ['date', 'campaign', 'country', 'device', 'os', 'browser'],
  zone_hours: ['date', 'hour', 'site', 'zone'],
  zone_traits: ['date', 'site', 'zone', 'country', 'device', 'os', 'browser'],
};
const ROLLUPS: Readonly<Record<ReportSide, readonly RollupName[]>> = {
  advertiser: ['ad_hours', 'ad_traits'],
  publisher: ['zone_hours', 'zone_traits'],
};

const GROUP_BY_MAX = 3;
const REPORT_DAYS_MAX = 366;
const DEFAULT_DAYS = 7;

/** `date, site` to dimensions, or every fault of it. */
export function readGroupBy(text: string, side: ReportSide): Dimension[] {
  const named = text.split(',').map((part) => part.trim().toLowerCase());
  const known = new Set(ROLLUPS[side].flatMap((rollup) => HELD[rollup]));
  const wrong = named.filter((part) => !known.has(part as Dimension));
  if (wrong.length > 0) {
    const message = `unknown dimension ${wrong.join(', ')}; known: ${[...known].join(', ')}`;
    throw invalid({ field: 'group_by', code: 'one_of', message });
  }
  if (named.length > GROUP_BY_MAX || new Set(named).size !== named.length) {
    const message = `at most ${GROUP_BY_MAX} different dimensions`;
    throw invalid({ field: 'group_by', code: 'max', message });
  }
  return named as Dimension[];
}

/** The rollup that holds all of it. Raises 422 when none does, or when it knows UTC days only. */
export function chooseRollup(
  side: ReportSide,
  ask: { groupBy: readonly Dimension[]; filter: ReportFilter; timezone: string },
): RollupName {
  const needed = [...ask.groupBy, ...(Object.keys(ask.filter) as Dimension[])];
  const fitting = ROLLUPS[side].find((rollup) =>
    needed.every((each) => HELD[rollup].includes(each)),
  );
  if (fitting === undefined) {
    const message = 'these dimensions are not counted together';
    throw invalid({ field: 'group_by', code: 'combination', message });
  }
  if (fitting.endsWith('traits') && ask.timezone !== 'UTC') {
    const message = 'reports by country, device, os or browser are by UTC days';
    throw invalid({ field: 'timezone', code: 'utc_only', message });
  }
  return fitting;
}

const DAY_MS = 86_400_000;

/** `YYYY-MM-DD` some days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The day it is in a time zone. */
function dayIn(timezone: string, now: Date): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(now);
}

/** Minutes that the zone is ahead of UTC at that moment. */
function offsetMinutes(timezone: string, at: Date): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    timeZoneName: 'longOffset',
  }).formatToParts(at);
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? '';
  const match = /^GMT([+-])(\d{2}):(\d{2})/.exec(text);
  if (match === null) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}

/** Known to the platform, canonical spelling; undefined otherwise. Offsets such as +02:00 are not names. */
function readTimezone(text: string): string | undefined {
  if (/^(utc|gmt|etc\/utc|z)$/i.test(text)) return 'UTC';
  if (!/^[A-Za-z]+(?:[/_+-][A-Za-z0-9]+)*$/.test(text)) return undefined;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: text }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

export interface ReportRange {
  startDate: string;
  endDate: string;
  timezone: string;
}

/**
 * Whole days, both included; from 7 days ago until today when not told (interface 4.5). Numbers are
 * kept by the hour, so a zone that is off by a part of an hour cannot be answered exactly and is refused.
 */
export function readRange(
  ask: {
    startDate?: string | undefined;
    endDate?: string | undefined;
    timezone?: string | undefined;
  },
  now: Date,
): ReportRange {
  const timezone = readTimezone(ask.timezone ?? 'UTC');
  if (timezone === undefined) {
    throw invalid({ field: 'timezone', code: 'unknown', message: 'no such time zone' });
  }
  const endDate = ask.endDate ?? dayIn(timezone, now);
  const startDate = ask.startDate ?? addDays(endDate, -DEFAULT_DAYS);
  const faults: FieldError[] = [];
  if (startDate > endDate) {
    faults.push({ field: 'end_date', code: 'min', message: 'must not be before start_date' });
  } else if (addDays(startDate, REPORT_DAYS_MAX - 1) < endDate) {
    const message = `at most ${REPORT_DAYS_MAX} days`;
    faults.push({ field: 'start_date', code: 'range', message });
  }
  const edges = [startDate, addDays(endDate, 1)].map((day) => new Date(`${day}T00:00:00Z`));
  if (edges.some((edge) => offsetMinutes(timezone, edge) % 60 !== 0)) {
    const message = 'must be whole hours from UTC';
    faults.push({ field: 'timezone', code: 'whole_hours', message });
  }
  if (faults.length > 0) throw invalid(...faults);
  return { startDate, endDate, timezone };
}

/** Counted things; null where the rollup does not count them at this breakdown. */
export interface ReportCounts {
  requests: number | null;
  impressions: number;
  viewable: number;
  clicks: number;
  conversions: number;
  removed: number;
  moneyNanos: Nanos;
}

export function sumCounts(
  rows: readonly ReportCounts[],
  counted: { requests: boolean },
): ReportCounts {
  const total: ReportCounts = {
    requests: counted.requests ? 0 : null,
    impressions: 0,
    viewable: 0,
    clicks: 0,
    conversions: 0,
    removed: 0,
    moneyNanos: 0n,
  };
  for (const row of rows) {
    if (total.requests !== null) total.requests += row.requests ?? 0;
    total.impressions += row.impressions;
    total.viewable += row.viewable;
    total.clicks += row.clicks;
    total.conversions += row.conversions;
    total.removed += row.removed;
    total.moneyNanos += row.moneyNanos;
  }
  return total;
}

export interface ReportRates {
  /** Clicks per impression, conversions per click: 0 to 1, six decimals. */
  ctr: number;
  cvr: number;
  /** Money per thousand impressions. */
  ecpmNanos: Nanos;
}

const ratio = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1e6) / 1e6;

export function ratesOf(counts: ReportCounts): ReportRates {
  const { impressions, clicks, conversions, moneyNanos } = counts;
  return {
    ctr: ratio(clicks, impressions),
    cvr: ratio(conversions, clicks),
    ecpmNanos: impressions === 0 ? 0n : (moneyNanos * 1_000n) / BigInt(impressions),
  };
}
