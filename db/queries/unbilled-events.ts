import { ref, text, time } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { events } from '../tables/event.ts';

export const UNBILLED_DIMENSIONS = ['date', 'reason', 'publisher', 'advertiser'] as const;
export type UnbilledDimension = (typeof UNBILLED_DIMENSIONS)[number];

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
}

const FILTER = `r.day BETWEEN $1::date AND $2::date
  AND NOT r.billable AND r.kind IN ('impression', 'click_verify', 'conversion')
  AND ($3::text IS NULL OR r.reason = $3) AND ($4::bigint IS NULL OR r.publisher_id = $4)
  AND ($5::bigint IS NULL OR r.advertiser_id = $5) AND ($6::bigint IS NULL OR r.site_id = $6)
  AND ($7::bigint IS NULL OR r.zone_id = $7)
  AND (NOT $8::boolean OR (r.ad_id IS NOT NULL AND r.zone_id IS NOT NULL))`;

const bound = (filter: UnbilledFilter): unknown[] => [
  filter.startDate,
  filter.endDate,
  filter.reason ?? null,
  filter.publisherId ?? null,
  filter.advertiserId ?? null,
  filter.siteId ?? null,
  filter.zoneId ?? null,
  filter.isReported ?? false,
];

/** Words of ours, never a caller's text. */
const KEYS: Readonly<Record<UnbilledDimension, string>> = {
  date: 'r.day',
  reason: 'r.reason',
  publisher: 'r.publisher_id',
  advertiser: 'r.advertiser_id',
};

/** Null where it was not asked for, or the event names none. */
const shownOf = (by: readonly UnbilledDimension[]) => {
  const key = (dimension: UnbilledDimension, type: string): string =>
    by.includes(dimension) ? `${KEYS[dimension]}::${type}` : `NULL::${type}`;
  return select({
    date: text().orNull().of(key('date', 'text')),
    reason: text().orNull().of(key('reason', 'text')),
    publisherId: ref().orNull().of(key('publisher', 'bigint')),
    advertiserId: ref().orNull().of(key('advertiser', 'bigint')),
    impressions: ref().of(`count(*) FILTER (WHERE r.kind = 'impression')`),
    clicks: ref().of(`count(*) FILTER (WHERE r.kind = 'click_verify')`),
    conversions: ref().of(`count(*) FILTER (WHERE r.kind = 'conversion')`),
    events: ref().of('count(*)'),
  });
};
export type UnbilledLine = RowOf<ReturnType<typeof shownOf>>;

/** Days upwards, then what there is most of; one line more than `limit` tells that there are more. */
export async function sumUnbilled(
  sql: SqlRunner,
  filter: UnbilledFilter,
  { by, limit }: { by: readonly UnbilledDimension[]; limit: number },
): Promise<UnbilledLine[]> {
  const shown = shownOf(by);
  const keys = by.map((dimension) => KEYS[dimension]);
  const order = by.includes('date') ? 'r.day, count(*) DESC' : 'count(*) DESC';
  return await readRows(
    sql,
    shown,
    `SELECT ${shown.list} FROM events r WHERE ${FILTER}
     GROUP BY ${keys.join(', ')} ORDER BY ${[order, ...keys].join(', ')} LIMIT $9`,
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
    `SELECT ${LATEST.list} FROM events r WHERE ${FILTER}
     ORDER BY r.day DESC, r.received_at DESC, r.id LIMIT $9`,
    [...bound(filter), limit],
  );
