import { UNKNOWN_COUNTRY } from '../../domain/tracking/rollups.ts';
import {
  countsRequests,
  type Dimension,
  type ReportPart,
  type ReportQuery,
  type ReportSide,
} from '../../domain/report.ts';
import { HELD_NAMES, heldCounts, heldRows } from './report-held.ts';
import { COUNT_NAMES, type Source, SOURCES } from './report-sources.ts';

/** Text and values of one statement. Every identifier in the text is a constant of this file. */
export interface Statement {
  text: string;
  values: unknown[];
}

const OWNER: Readonly<Record<ReportSide, string>> = {
  advertiser: 'advertiser_id',
  publisher: 'publisher_id',
};

/** Hosts are in lower case, so none is called that. */
const UNKNOWN_HOST = 'UNKNOWN';

/** Values of a statement under way; each gets its place when it is first used. */
class Values {
  readonly list: unknown[];
  constructor(list: unknown[] = []) {
    this.list = list;
  }
  place(value: unknown): string {
    this.list.push(value);
    return `$${this.list.length}`;
  }
}

function keyOf(dimension: Dimension, source: Pick<Source, 'time'>, timezone: () => string): string {
  const instant = `r.${source.time}`;
  switch (dimension) {
    case 'date':
      return source.time === 'day'
        ? 'r.day'
        : `(${instant} AT TIME ZONE ${timezone()}::text)::date`;
    case 'hour':
      return `extract(hour FROM ${instant} AT TIME ZONE ${timezone()}::text)::int`;
    case 'country':
      return `COALESCE(r.country, '${UNKNOWN_COUNTRY}')`;
    case 'device':
    case 'os':
    case 'browser':
      return `COALESCE(r.${dimension}, 'OTHER')`;
    case 'page_host':
      return `COALESCE(pg.host, '${UNKNOWN_HOST}')`;
    case 'campaign':
    case 'adgroup':
    case 'ad':
    case 'creative':
    case 'site':
    case 'zone':
      return `r.${dimension}_id`;
  }
}

function conditionsOf(query: ReportQuery, part: ReportPart, values: Values): string {
  const source = SOURCES[part.source];
  const from = values.place(part.from.toISOString());
  const to = values.place(part.to.toISOString());
  // Partitions of events are chosen by the day; UTC days of the stretch, its last one included.
  const days = `BETWEEN (${from}::timestamptz AT TIME ZONE 'UTC')::date
    AND ((${to}::timestamptz - interval '1 microsecond') AT TIME ZONE 'UTC')::date`;
  const time =
    source.time === 'day'
      ? `r.day ${days}`
      : `r.${source.time} >= ${from}::timestamptz AND r.${source.time} < ${to}::timestamptz` +
        (source.table === 'corrected_events' ? ` AND r.day ${days}` : '');
  return [
    `r.${OWNER[query.side]} = ${values.place(query.ownerId)}`,
    time,
    ...(source.condition === undefined ? [] : [source.condition]),
    ...narrowing(query, values),
  ].join(' AND ');
}

const narrowing = ({ filter, only }: ReportQuery, values: Values): string[] => [
  ...Object.entries(filter).map(([name, id]) => `r.${name}_id = ${values.place(id)}`),
  ...(only === undefined
    ? []
    : [`r.${only.dimension}_id = ANY(${values.place([...only.ids])}::bigint[])`]),
];

function selectPart(query: ReportQuery, part: ReportPart, values: Values): string {
  const source = SOURCES[part.source];
  const keys = query.groupBy.map(
    (each, at) => `${keyOf(each, source, () => values.place(query.timezone))} AS k${at}`,
  );
  const counts = [
    ...COUNT_NAMES.map((name) => `${source.counts[name]} AS ${name}`),
    ...HELD_NAMES.map((name) => `0 AS ${name}`),
  ];
  const named = query.groupBy.includes('page_host')
    ? ' LEFT JOIN pages pg ON pg.id = r.page_id'
    : '';
  const rows = `${source.table} r${named} WHERE ${conditionsOf(query, part, values)}`;
  const read = source.time === 'hour' && query.groupBy.every(isTime) ? perSlot(source, rows) : rows;
  return `SELECT ${[...keys, ...counts].join(', ')} FROM ${read} GROUP BY ${placesOf(query)}`;
}

/** What waited for its advertiser, whatever the rest is summed from: it is rare, and its moment is exact. */
function selectHeld(query: ReportQuery, values: Values): string {
  const source = { time: 'created_at' } as const;
  const keys = query.groupBy.map(
    (each, at) => `${keyOf(each, source, () => values.place(query.timezone))} AS k${at}`,
  );
  const counts = [
    // Where requests are counted, none is better than not counted.
    `${countsRequests(query.parts) ? '0' : 'NULL'}::numeric AS requests`,
    ...COUNT_NAMES.slice(1).map((name) => `0 AS ${name}`),
    ...heldCounts(query.side),
  ];
  const { join, from } = heldRows(query);
  const instants = query.parts.flatMap((part) => [part.from.getTime(), part.to.getTime()]);
  const conditions = [
    `r.${OWNER[query.side]} = ${values.place(query.ownerId)}`,
    `r.created_at >= ${values.place(new Date(Math.min(...instants)).toISOString())}::timestamptz`,
    `r.created_at < ${values.place(new Date(Math.max(...instants)).toISOString())}::timestamptz`,
    ...narrowing(query, values),
  ];
  return `SELECT ${[...keys, ...counts].join(', ')} FROM ${from}${join}
    WHERE ${conditions.join(' AND ')} GROUP BY ${placesOf(query)}`;
}

const isTime = (dimension: Dimension): boolean => dimension === 'date' || dimension === 'hour';

/** Summed per slot first, in the order of the index: a time zone is then applied once for each. */
function perSlot(source: Source, rows: string): string {
  const sums = source.columns.map((column) => `sum(r.${column}) AS ${column}`);
  return `(SELECT r.hour, ${sums.join(', ')} FROM ${rows} GROUP BY r.hour) r`;
}

const placesOf = ({ groupBy }: ReportQuery): string => groupBy.map((_, at) => at + 1).join(', ');

/** One row per group, unordered, keys as k0, k1, k2 in their own types. */
function selectGroups(query: ReportQuery, values: Values): string {
  const parts = [
    ...query.parts.map((part) => selectPart(query, part, values)),
    selectHeld(query, values),
  ];
  const keys = query.groupBy.map((_, at) => `p.k${at}`);
  const sums = [...COUNT_NAMES, ...HELD_NAMES].map((name) => `sum(p.${name}) AS ${name}`);
  return `SELECT ${[...keys, ...sums].join(', ')} FROM (${parts.join(' UNION ALL ')}) p
    GROUP BY ${placesOf(query)}`;
}

/** The name beside each key. A thing of the other side goes by what any page shows of it. */
const NAMES: Readonly<Record<ReportSide, Partial<Record<Dimension, string>>>> = {
  advertiser: {
    campaign: 'SELECT n.name FROM campaigns n',
    adgroup: 'SELECT n.name FROM ad_groups n',
    ad: 'SELECT n.name FROM ads n',
    creative: 'SELECT n.name FROM creatives n',
    site: `SELECT CASE n.media_type WHEN 'WEB' THEN n.domain ELSE n.app_package END FROM sites n`,
    zone: `SELECT n.type || ' ' || n.width || 'x' || n.height FROM zones n`,
  },
  publisher: {
    site: 'SELECT n.name FROM sites n',
    zone: 'SELECT n.name FROM zones n',
  },
};

/** Keys of a line, as text; null where it has none. */
export type LineKeys = readonly (string | null)[];

/** Behind that line, in the order of the keys: those without a key come last. */
function behind(after: LineKeys, values: Values): string {
  const places = after.map((key) => (key === null ? null : values.place(key)));
  const ways = places.flatMap((place, at) => {
    if (place === null) return [];
    const same = places
      .slice(0, at)
      .map((other, key) => (other === null ? `g.k${key} IS NULL` : `g.k${key} = ${other}`));
    return [`(${[...same, `(g.k${at} > ${place} OR g.k${at} IS NULL)`].join(' AND ')})`];
  });
  return ways.length === 0 ? 'false' : ways.join(' OR ');
}

/**
 * Lines in the order of their keys; `limit` null for all of them. `after`: only those behind the line of
 * these keys.
 */
export function reportStatement(
  query: ReportQuery,
  limit: number | null,
  after: LineKeys | null = null,
): Statement {
  const values = new Values();
  const groups = selectGroups(query, values);
  const keys = query.groupBy.map((each, at) =>
    each === 'date' ? `to_char(g.k${at}, 'YYYY-MM-DD') AS k${at}` : `g.k${at}`,
  );
  const names = query.groupBy.flatMap((each, at) => {
    const name = NAMES[query.side][each];
    return name === undefined ? [] : [`(${name} WHERE n.id = g.k${at}) AS n${at}`];
  });
  const counts = [...COUNT_NAMES, ...HELD_NAMES].map((name) => `g.${name}`);
  const bounded = limit === null ? '' : ` LIMIT ${values.place(limit)}`;
  const wanted = after === null ? '' : ` WHERE ${behind(after, values)}`;
  // Named after the limit: a subselect per line that is not answered would be for nothing.
  return {
    text: `SELECT ${[...keys, ...names, ...counts].join(', ')}
      FROM (${groups} ORDER BY ${placesOf(query)}${bounded}) g${wanted} ORDER BY ${query.groupBy
        .map((_, at) => `g.k${at}`)
        .join(', ')}`,
    values: values.list,
  };
}

/** Lines as `k0, k1, k2` and their counts, unordered, for a statement that has `values` already and gets more. */
export const groupsStatement = (query: ReportQuery, values: unknown[]): string =>
  selectGroups(query, new Values(values));

/** How many lines there are, counted no further than `limit`. */
export function lineCountStatement(query: ReportQuery, limit: number): Statement {
  const values = new Values();
  const groups = selectGroups(query, values);
  return {
    text: `SELECT count(*) AS lines FROM (${groups} LIMIT ${values.place(limit)}) g`,
    values: values.list,
  };
}

/** How many counted events lie in those parts, from the rollup of hours: cheap before they are read. */
export function eventCountStatement(query: ReportQuery, parts: readonly ReportPart[]): Statement {
  const values = new Values();
  const hours = query.side === 'advertiser' ? 'ad_hours' : 'zone_hours';
  const counted = parts.map(
    (
      part,
    ) => `SELECT r.impressions + r.viewable + r.views + r.clicks + r.conversions + r.removed AS events
      FROM ${SOURCES[hours].table} r
      WHERE ${conditionsOf(query, { ...part, source: hours }, values)}`,
  );
  return {
    text: `SELECT COALESCE(sum(c.events), 0) AS events FROM (${counted.join(' UNION ALL ')}) c`,
    values: values.list,
  };
}
