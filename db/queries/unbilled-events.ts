import { ref, text, time } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { events } from '../tables/event.ts';

export type UnbilledDimension = 'date' | 'reason' | 'publisher' | 'advertiser' | 'zone';

export interface UnbilledFilter {
  /** Whole UTC days, both ends included. */
  startDate: string;
  endDate: string;
  reason?: string | undefined;
  publisherId?: number | undefined;
  advertiserId?: number | undefined;
  siteId?: number | undefined;
  zoneId?: number | undefined;
  /** Only what reports count as removed: of a known ad in a known zone. */
  isReported?: boolean;
  /** Removed when it was judged, and not taken back later. */
  isJudgedSo?: boolean;
}

const SHOWN = `e.day, e.id, e.kind, e.received_at, e.request_id, e.click_id, e.publisher_id, e.advertiser_id,
  e.campaign_id, e.ad_id, e.site_id, e.zone_id`;
const KINDS = `e.kind IN ('impression', 'click_verify', 'conversion')`;
/** What was not billed and is not now, and what was taken back: each from its own index. */
const REMOVED = `(SELECT ${SHOWN}, e.reason, e.reasons, false AS corrected FROM events e
    WHERE NOT e.billable AND ${KINDS}
      AND NOT EXISTS (SELECT FROM event_corrections c WHERE c.day = e.day AND c.event_id = e.id)
  UNION ALL
  SELECT ${SHOWN}, c.reason, jsonb_build_array(c.reason), true
  FROM event_corrections c JOIN events e ON e.day = c.day AND e.id = c.event_id
    WHERE NOT c.billable AND ${KINDS}) r`;

const FILTER = `r.day BETWEEN $1::date AND $2::date
  AND ($3::text IS NULL OR r.reason = $3) AND ($4::bigint IS NULL OR r.publisher_id = $4)
  AND ($5::bigint IS NULL OR r.advertiser_id = $5) AND ($6::bigint IS NULL OR r.site_id = $6)
  AND ($7::bigint IS NULL OR r.zone_id = $7)
  AND (NOT $8::boolean OR (r.ad_id IS NOT NULL AND r.zone_id IS NOT NULL))
  AND NOT ($9::boolean AND r.corrected)`;

const bound = (filter: UnbilledFilter): unknown[] => [
  filter.startDate,
  filter.endDate,
  filter.reason ?? null,
  filter.publisherId ?? null,
  filter.advertiserId ?? null,
  filter.siteId ?? null,
  filter.zoneId ?? null,
  filter.isReported ?? false,
  filter.isJudgedSo ?? false,
];

/** Words of ours, never a caller's text. */
const KEYS: Readonly<Record<UnbilledDimension, string>> = {
  date: 'r.day',
  reason: 'r.reason',
  publisher: 'r.publisher_id',
  advertiser: 'r.advertiser_id',
  zone: 'r.zone_id',
};

/** As an account calls itself; null where nobody is named. */
const nameOf = (id: string) =>
  text()
    .orNull()
    .of(`(SELECT COALESCE(a.company_name, a.username) FROM accounts a WHERE a.id = ${id})`);

/** Null where it was not asked for, or the event names none. */
const shownOf = (by: readonly UnbilledDimension[]) => {
  const key = (dimension: UnbilledDimension, type: string): string =>
    by.includes(dimension) ? `${KEYS[dimension]}::${type}` : `NULL::${type}`;
  return select({
    date: text().orNull().of(key('date', 'text')),
    reason: text().orNull().of(key('reason', 'text')),
    publisherId: ref().orNull().of(key('publisher', 'bigint')),
    publisherName: nameOf(key('publisher', 'bigint')),
    advertiserId: ref().orNull().of(key('advertiser', 'bigint')),
    advertiserName: nameOf(key('advertiser', 'bigint')),
    zoneId: ref().orNull().of(key('zone', 'bigint')),
    zoneName: text()
      .orNull()
      .of(`(SELECT z.name FROM zones z WHERE z.id = ${key('zone', 'bigint')})`),
    impressions: ref().of(`count(*) FILTER (WHERE r.kind = 'impression')`),
    clicks: ref().of(`count(*) FILTER (WHERE r.kind = 'click_verify')`),
    conversions: ref().of(`count(*) FILTER (WHERE r.kind = 'conversion')`),
    events: ref().of('count(*)'),
  });
};
export type UnbilledLine = RowOf<ReturnType<typeof shownOf>>;

/** The newest day first, then what there is most of; one line more than `limit` tells that there are more. */
export async function sumUnbilled(
  sql: SqlRunner,
  filter: UnbilledFilter,
  { by, limit }: { by: readonly UnbilledDimension[]; limit: number },
): Promise<UnbilledLine[]> {
  const shown = shownOf(by);
  const keys = by.map((dimension) => KEYS[dimension]);
  const order = by.includes('date') ? 'r.day DESC, count(*) DESC' : 'count(*) DESC';
  return await readRows(
    sql,
    shown,
    `SELECT ${shown.list} FROM ${REMOVED} WHERE ${FILTER}
     GROUP BY ${keys.join(', ')} ORDER BY ${[order, ...keys].join(', ')} LIMIT $10`,
    [...bound(filter), limit],
  );
}

const LATEST = select({
  ...columnsOf(events, 'r', [
    'kind',
    'reasons',
    'requestId',
    'clickId',
    'publisherId',
    'advertiserId',
    'campaignId',
    'siteId',
    'zoneId',
  ]),
  publisherName: nameOf('r.publisher_id'),
  advertiserName: nameOf('r.advertiser_id'),
  reason: text().orNull().of('r.reason'),
  receivedAt: time().of('r.received_at'),
});
export type UnbilledEvent = RowOf<typeof LATEST>;

/** Newest first. */
export const latestUnbilled = async (
  sql: SqlRunner,
  filter: UnbilledFilter,
  limit: number,
): Promise<UnbilledEvent[]> =>
  await readRows(
    sql,
    LATEST,
    `SELECT ${LATEST.list} FROM ${REMOVED} WHERE ${FILTER}
     ORDER BY r.day DESC, r.received_at DESC, r.id LIMIT $10`,
    [...bound(filter), limit],
  );
