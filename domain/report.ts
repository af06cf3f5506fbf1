import { type FieldError, invalid } from './errors.ts';
import type { ReportCounts } from './report-counts.ts';

const DAY_MS = 86_400_000;
/** The day after it is still written with four digits. */
const LAST_DAY = '9999-12-30';

/** What can be asked of a report, and what can answer (interface 4.5). */
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
  'page_host',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** Things that a report can be narrowed to. */
export type ReportFilter = Partial<Record<'campaign' | 'adgroup' | 'ad' | 'site' | 'zone', number>>;

/** Some things of one kind, whose lines alone are read: those that a list shows. */
export interface ReportOnly {
  dimension: Dimension;
  ids: readonly number[];
}

/**
 * `hours`: by quarter of an hour and thing, hence in every time zone. `traits`: by UTC day and viewer.
 * `events`: the judged events themselves, which hold every dimension, for as long as they are kept.
 */
export type ReportSource =
  | 'ad_hours'
  | 'ad_traits'
  | 'ad_events'
  | 'zone_hours'
  | 'zone_traits'
  | 'zone_events';

const TRAITS: readonly Dimension[] = ['country', 'device', 'os', 'browser'];
const HELD: Readonly<Record<ReportSource, readonly Dimension[]>> = {
  ad_hours: ['date', 'hour', 'campaign', 'adgroup', 'ad', 'creative'],
  ad_traits: ['date', 'campaign', ...TRAITS],
  ad_events: DIMENSIONS,
  zone_hours: ['date', 'hour', 'site', 'zone'],
  zone_traits: ['date', 'site', 'zone', ...TRAITS],
  // What a publisher's pages carry is the advertisers' business.
  zone_events: ['date', 'hour', 'site', 'zone', ...TRAITS, 'page_host'],
};

interface Sources {
  hours: ReportSource;
  traits: ReportSource;
  events: ReportSource;
}
export const SOURCES_OF: Readonly<Record<ReportSide, Sources>> = {
  advertiser: { hours: 'ad_hours', traits: 'ad_traits', events: 'ad_events' },
  publisher: { hours: 'zone_hours', traits: 'zone_traits', events: 'zone_events' },
};

/** What each side has of its own; all of it is held by the hour. */
const OWN_THINGS: Readonly<Record<ReportSide, readonly Dimension[]>> = {
  advertiser: ['campaign', 'adgroup', 'ad', 'creative'],
  publisher: ['site', 'zone'],
};
/** As many as a list shows at most. */
const ONLY_MAX = 100;

const GROUP_BY_MAX = 3;
const REPORT_DAYS_MAX = 366;
const DEFAULT_DAYS = 7;

/** `date, site` to dimensions, or every fault of it. */
export function readGroupBy(text: string, side: ReportSide): Dimension[] {
  const named = text.split(',').map((part) => part.trim().toLowerCase());
  const known = HELD[SOURCES_OF[side].events];
  const wrong = named.filter((part) => !known.includes(part as Dimension));
  if (wrong.length > 0) {
    const message = `unknown dimension ${wrong.join(', ')}; known: ${known.join(', ')}`;
    throw invalid({ field: 'group_by', code: 'one_of', message });
  }
  if (named.length > GROUP_BY_MAX || new Set(named).size !== named.length) {
    const message = `at most ${GROUP_BY_MAX} different dimensions`;
    throw invalid({ field: 'group_by', code: 'max', message });
  }
  return named as Dimension[];
}

/** `7,12`: lines of these things, of the first kind that the report is grouped by; or what is wrong with it. */
export function readOnly(
  text: string,
  groupBy: readonly Dimension[],
  side: ReportSide,
): ReportOnly {
  const dimension = groupBy.find((each) => OWN_THINGS[side].includes(each));
  if (dimension === undefined) {
    const message = `needs group_by of one of ${OWN_THINGS[side].join(', ')}`;
    throw invalid({ field: 'ids', code: 'group_by', message });
  }
  const named = text.split(',').map((part) => part.trim());
  if (named.some((part) => !/^[1-9]\d{0,14}$/.test(part))) {
    throw invalid({ field: 'ids', code: 'type', message: 'ids, separated by commas' });
  }
  if (named.length > ONLY_MAX) {
    throw invalid({ field: 'ids', code: 'max', message: `at most ${ONLY_MAX} ids` });
  }
  return { dimension, ids: named.map(Number) };
}

/** A source, and the half-open stretch of time that is read from it. */
export interface ReportPart {
  source: ReportSource;
  from: Date;
  to: Date;
}

/** What is read for one report. */
export interface ReportQuery {
  side: ReportSide;
  /** The account whose numbers these are; nobody else's row is ever read. */
  ownerId: number;
  groupBy: readonly Dimension[];
  filter: ReportFilter;
  /** Of these alone. Ids of somebody else have no lines here. */
  only?: ReportOnly | undefined;
  timezone: string;
  /** Stretches of time that do not overlap, from planReport. */
  parts: readonly ReportPart[];
}

/**
 * What a report is summed from. A rollup where one holds all that is asked; one of UTC days answers
 * another zone's days by its whole days inside and the events of the two ends. Else the events.
 */
export function planReport(
  side: ReportSide,
  query: Pick<ReportQuery, 'groupBy' | 'filter' | 'timezone'>,
  { from, to }: { from: Date; to: Date },
): ReportPart[] {
  const { hours, traits, events } = SOURCES_OF[side];
  const needed = [...query.groupBy, ...(Object.keys(query.filter) as Dimension[])];
  const holds = (source: ReportSource) => needed.every((each) => HELD[source].includes(each));
  if (holds(hours)) return [{ source: hours, from, to }];
  const daysFit = query.timezone === 'UTC' || !query.groupBy.includes('date');
  if (!holds(traits) || !daysFit) return [{ source: events, from, to }];
  const firstDay = new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const lastDay = new Date(Math.floor(to.getTime() / DAY_MS) * DAY_MS);
  if (firstDay >= lastDay) return [{ source: events, from, to }];
  return [
    { source: events, from, to: firstDay },
    { source: traits, from: firstDay, to: lastDay },
    { source: events, from: lastDay, to },
  ].filter((part) => part.from < part.to);
}

/** The first moment after all of its stretches. */
export const endOf = ({ parts }: Pick<ReportQuery, 'parts'>): Date =>
  new Date(Math.max(...parts.map(({ to }) => new Date(to).getTime())));

export const countsEvents = ({ source }: ReportPart): boolean => source.endsWith('events');

/** Only publishers are asked for ads, and only by zone and hour: viewers are known by what was shown. */
export const countsRequests = (parts: readonly ReportPart[]): boolean =>
  parts.every(({ source }) => source === 'zone_hours');

/** Raw events are kept that long (interface 4.13). */
const EVENTS_KEPT_DAYS = 90;

/** 422 when a part would have to count events that may be gone. */
export function requireKept(parts: readonly ReportPart[], now: Date): void {
  const oldest = now.getTime() - EVENTS_KEPT_DAYS * DAY_MS;
  if (!parts.some((part) => countsEvents(part) && part.from.getTime() < oldest)) return;
  const message = `these dimensions, or these in this time zone, are kept for ${EVENTS_KEPT_DAYS} days`;
  throw invalid({ field: 'start_date', code: 'kept', message });
}

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
export function readTimezone(text: string): string | undefined {
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
 * kept by the quarter of an hour; a zone that was off by less (before 1972) is refused.
 */
export function readRange(
  given: {
    startDate?: string | undefined;
    endDate?: string | undefined;
    timezone?: string | undefined;
  },
  now: Date,
  /** What stands before the names of its fields where it is refused. */
  prefix = '',
): ReportRange {
  const timezone = readTimezone(given.timezone ?? 'UTC');
  if (timezone === undefined) {
    throw invalid({ field: `${prefix}timezone`, code: 'unknown', message: 'no such time zone' });
  }
  const endDate = given.endDate ?? dayIn(timezone, now);
  const startDate = given.startDate ?? addDays(endDate, -DEFAULT_DAYS);
  const faults: FieldError[] = [];
  if (startDate > endDate) {
    faults.push({
      field: `${prefix}end_date`,
      code: 'min',
      message: 'must not be before start_date',
    });
  } else if (addDays(startDate, REPORT_DAYS_MAX - 1) < endDate) {
    const message = `at most ${REPORT_DAYS_MAX} days`;
    faults.push({ field: `${prefix}start_date`, code: 'range', message });
  }
  if (endDate > LAST_DAY) {
    throw invalid({
      field: `${prefix}end_date`,
      code: 'max',
      message: `must be ${LAST_DAY} or before`,
    });
  }
  const edges = [startDate, addDays(endDate, 1)].map((day) => new Date(`${day}T00:00:00Z`));
  if (edges.some((edge) => offsetMinutes(timezone, edge) % 15 !== 0)) {
    const message = 'must be whole quarters of an hour from UTC';
    faults.push({ field: `${prefix}timezone`, code: 'quarter_hours', message });
  }
  if (faults.length > 0) throw invalid(...faults);
  return { startDate, endDate, timezone };
}

/** One line of a report. */
export interface ReportRow {
  /** Values of the dimensions, as text; names of things beside their ids. */
  keys: Partial<Record<Dimension, string>>;
  names: Partial<Record<Dimension, string>>;
  counts: ReportCounts;
}
