import { storedFacts } from './event-inbox.ts';
import { nanos, ref, text } from '../schema/column.ts';
import { columnsOf, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { events } from '../tables/event.ts';

/** What an appeal is about: `day` in UTC. */
export interface RemovedPlace {
  publisherId: number;
  zoneId: number;
  day: string;
  reason: string;
}

const REMOVED = select({
  ...columnsOf(events, 'e', ['day', 'id', 'kind', 'shard', 'pricingModel']),
  advertiserId: ref().of('e.advertiser_id'),
  campaignId: ref().of('e.campaign_id'),
  adGroupId: ref().of('e.adgroup_id'),
  adId: ref().of('e.ad_id'),
  publisherId: ref().of('e.publisher_id'),
  receivedAt: events.columns.receivedAt.of('e.received_at'),
  /** Null when they are past their keeping time. */
  facts: storedFacts().orNull().of('i.facts'),
  /** Of the click or the conversion that the event stands for. */
  keptPriceNanos: nanos().orNull().of('COALESCE(v.price_nanos, k.bid_price_nanos)'),
  once: text().of(`CASE WHEN e.kind = 'conversion' THEN 'conversion:' || e.conversion_id
    ELSE e.kind || ':' || e.bid_id END`),
});
export type RemovedEvent = RowOf<typeof REMOVED>;

/**
 * Removed events that an upheld appeal bills: not corrected before, of a bid or conversion that does not count
 * already, each of them once, and whose price is still known. Under holdCorrections.
 */
export const removedEvents = async (
  sql: SqlRunner,
  { publisherId, zoneId, day, reason }: RemovedPlace,
  limit: number,
): Promise<RemovedEvent[]> =>
  await readRows(
    sql,
    REMOVED,
    `SELECT DISTINCT ON (once) ${REMOVED.list}
     FROM events e
     LEFT JOIN event_inbox i ON i.day = e.day AND i.id = e.id
     LEFT JOIN clicks k ON k.click_id = e.click_id AND e.kind = 'click_verify'
     LEFT JOIN conversions v ON v.id = e.conversion_id AND e.kind = 'conversion'
     WHERE e.day = $1::date AND e.zone_id = $2 AND e.publisher_id = $3 AND e.reason = $4 AND NOT e.billable
       AND e.kind IN ('impression', 'click_verify', 'conversion')
       AND e.advertiser_id IS NOT NULL AND e.campaign_id IS NOT NULL AND e.adgroup_id IS NOT NULL
       AND e.ad_id IS NOT NULL
       AND (i.id IS NOT NULL OR NOT (e.kind = 'impression' AND e.pricing_model = 'CPM'))
       AND NOT EXISTS (SELECT FROM event_corrections c WHERE c.day = e.day AND c.event_id = e.id)
       AND CASE WHEN e.kind = 'conversion' THEN v.status <> 'BILLED' AND NOT EXISTS (
             SELECT FROM event_corrections c JOIN events x ON x.day = c.day AND x.id = c.event_id
             WHERE c.appeal_id IS NOT NULL AND x.conversion_id = e.conversion_id)
           ELSE NOT EXISTS (SELECT FROM corrected_events x
             WHERE x.request_id = e.request_id AND x.bid_id = e.bid_id AND x.kind = e.kind AND x.billable
               AND x.day BETWEEN e.day - 1 AND e.day + 1) END
     ORDER BY once, e.received_at, e.id LIMIT $5`,
    [day, zoneId, publisherId, reason, limit],
  );

const RESTORED = select({
  campaignId: ref().of('e.campaign_id'),
  adGroupId: ref().of('e.adgroup_id'),
  day: events.columns.day.of('e.day'),
  nanos: nanos().of('sum(c.price_delta_nanos)::bigint'),
});

/** What appeals have charged these campaigns with before: budgets do not have it, and caps hold it too. */
export const restoredSpend = async (
  sql: SqlRunner,
  campaignIds: readonly number[],
): Promise<RowOf<typeof RESTORED>[]> =>
  await readRows(
    sql,
    RESTORED,
    `SELECT ${RESTORED.list} FROM event_corrections c JOIN events e ON e.day = c.day AND e.id = c.event_id
     WHERE c.appeal_id IS NOT NULL AND c.price_delta_nanos > 0 AND e.campaign_id = ANY($1::bigint[])
     GROUP BY 1, 2, 3`,
    [campaignIds],
  );
