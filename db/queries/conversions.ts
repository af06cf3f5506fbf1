import type { PricingModel } from '../../domain/tracking/facts.ts';
import type { ViewerTraits } from '../../domain/tracking/conversion-facts.ts';
import type { NearbyCounts } from '../../domain/tracking/conversion-findings.ts';
import { factsOf, storedFacts } from '../events/event-inbox.ts';
import { json, ref, text } from '../schema/column.ts';
import { columnsOf, readRow, readRows, type RowOf, select } from '../schema/selection.ts';
import type { SqlRunner } from '../sql-runner.ts';
import { clicks } from '../tables/click.ts';
import { type ConversionRow, conversions } from '../tables/conversion.ts';
import { type TrackerRow, trackers } from '../tables/tracker.ts';

const TRACKER = select(columnsOf(trackers, 't'));

/** A paused or archived tracker takes no conversions: its code is as unknown as any other. */
export async function trackerByCode(sql: SqlRunner, code: string): Promise<TrackerRow | undefined> {
  return await readRow(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t WHERE t.tracking_code = $1 AND t.status = 'ACTIVE'`,
    [code],
  );
}

/** Legacy mode: the clicked campaign's own tracker, so that both ways of reporting count once. */
export const TRACKER_OF_CLICK = `SELECT t.* FROM clicks k JOIN campaigns c ON c.id = k.campaign_id
  JOIN trackers t ON t.id = c.tracker_id AND t.advertiser_id = c.advertiser_id AND t.status = 'ACTIVE'`;

export async function trackerOfClick(
  sql: SqlRunner,
  clickId: string,
): Promise<TrackerRow | undefined> {
  return await readRow(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM (${TRACKER_OF_CLICK} WHERE k.click_id = $1) t`,
    [clickId],
  );
}

/** Lists go by the key, and their cursor is the public id of the last one that its advertiser saw. */
export const keyOfCursor = (cursor: string, advertiser: string): string =>
  `(SELECT s.id FROM conversions s WHERE s.public_id = ${cursor} AND s.advertiser_id = ${advertiser})`;

const CONVERSION = select(columnsOf(conversions, 'v'));

/**
 * Reports whose click was judged, or that name none, oldest first. Locked; what another worker has
 * locked is passed over.
 */
export async function lockDecidable(sql: SqlRunner, limit: number): Promise<ConversionRow[]> {
  return await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v LEFT JOIN clicks k ON k.click_id = v.click_id
     WHERE v.status = 'RECEIVED' AND (k.id IS NULL OR k.status NOT IN ('verify_pending', 'verified'))
     ORDER BY v.id LIMIT $1 FOR UPDATE OF v SKIP LOCKED`,
    [limit],
  );
}

/** Held ones whose window has ended, as above. */
export async function lockDue(sql: SqlRunner, limit: number): Promise<ConversionRow[]> {
  return await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v WHERE v.status = 'PENDING' AND v.due_at <= now()
     ORDER BY v.due_at LIMIT $1 FOR UPDATE OF v SKIP LOCKED`,
    [limit],
  );
}

/** Doubted ones whose time for a person's decision has ended, as above. */
export async function lockUndecided(sql: SqlRunner, limit: number): Promise<ConversionRow[]> {
  return await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v WHERE v.status = 'PENDING' AND v.decide_by <= now()
     ORDER BY v.decide_by LIMIT $1 FOR UPDATE OF v SKIP LOCKED`,
    [limit],
  );
}

/** As the index of their keys has it. */
const OF_CLICKS = `COALESCE(v.click_id, '') = ANY($1::text[])`;

/** Held ones of these clicks, for what takes their place. */
export async function lockHeldOfClicks(
  sql: SqlRunner,
  clickIds: readonly string[],
): Promise<ConversionRow[]> {
  return await readRows(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v WHERE v.status = 'PENDING' AND ${OF_CLICKS}
     ORDER BY v.id FOR UPDATE OF v`,
    [clickIds],
  );
}

/** One of its owner by its public id, locked; undefined when there is none. */
export async function lockConversion(
  sql: SqlRunner,
  key: { publicId: number; advertiserId: number },
): Promise<ConversionRow | undefined> {
  return await readRow(
    sql,
    CONVERSION,
    `SELECT ${CONVERSION.list} FROM conversions v WHERE v.public_id = $1 AND v.advertiser_id = $2 FOR UPDATE OF v`,
    [key.publicId, key.advertiserId],
  );
}

const STORED_CLICK = select({
  ...columnsOf(clicks, 'k'),
  /** The tracker that the campaign bills by; null when it names none. */
  campaignTrackerId: ref().orNull().of('c.tracker_id'),
  publisherId: ref().orNull().of('z.publisher_id'),
  /** As the click was stored; null when the inbox no longer has it. */
  facts: storedFacts()
    .orNull()
    .of(factsOf({ id: 'k.id', receivedAt: 'k.clicked_at' })),
  /** As it was judged; null when its event is not kept any more. */
  traits: json<ViewerTraits>().orNull()
    .of(`(SELECT jsonb_build_object('country', e.country, 'device', e.device, 'os', e.os,
        'browser', e.browser, 'ipPrefix', e.ip_prefix)
      FROM events e WHERE e.day = (k.clicked_at AT TIME ZONE 'UTC')::date AND e.id = k.id AND e.device IS NOT NULL)`),
  /** Where the click led to, as it would today: what waits for its review leads nobody yet. */
  landingUrl: text().of(
    `COALESCE(NULLIF(w.landing_url, ''), NULLIF(r.click_url, ''), c.approved_landing_url, '')`,
  ),
});
/** A click as a conversion needs it. */
export type StoredClick = RowOf<typeof STORED_CLICK>;

/** By their public ids. */
export async function clicksNamed(
  sql: SqlRunner,
  clickIds: readonly string[],
  locking = '',
): Promise<Map<string, StoredClick>> {
  const rows = await readRows(
    sql,
    STORED_CLICK,
    `SELECT ${STORED_CLICK.list} FROM clicks k LEFT JOIN campaigns c ON c.id = k.campaign_id
       LEFT JOIN zones z ON z.id = k.zone_id LEFT JOIN ads a ON a.id = k.ad_id
       LEFT JOIN ad_revisions w ON w.ad_id = a.id AND w.revision = a.approved_revision
       LEFT JOIN creatives p ON p.id = k.creative_id
       LEFT JOIN creative_revisions r ON r.creative_id = p.id AND r.revision = p.approved_revision
     WHERE k.click_id = ANY($1::text[]) ${locking}`,
    [clickIds],
  );
  return new Map(rows.map((row) => [row.clickId, row]));
}

/** Locked in settlement's order, so that of two conversions of one click one is the first. */
export const lockClicksNamed = async (
  sql: SqlRunner,
  clickIds: readonly string[],
): Promise<Map<string, StoredClick>> =>
  await clicksNamed(sql, clickIds, 'ORDER BY k.id FOR NO KEY UPDATE OF k');

export async function trackersOf(
  sql: SqlRunner,
  ids: readonly number[],
): Promise<Map<number, TrackerRow>> {
  const rows = await readRows(
    sql,
    TRACKER,
    `SELECT ${TRACKER.list} FROM trackers t WHERE t.id = ANY($1::bigint[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const COUNTED = select(columnsOf(conversions, 'v', ['trackerId', 'clickId', 'status']));
export type CountedConversion = RowOf<typeof COUNTED>;

/** Of these clicks, what counts already or may still. Read after the clicks are locked. */
export async function countedOf(
  sql: SqlRunner,
  clickIds: readonly string[],
): Promise<CountedConversion[]> {
  return await readRows(
    sql,
    COUNTED,
    `SELECT ${COUNTED.list} FROM conversions v
     WHERE ${OF_CLICKS} AND v.status IN ('PENDING', 'ACCEPTED', 'BILLED', 'UNBILLED')`,
    [clickIds],
  );
}

/** Pricing models that a conversion is billed by. */
export const BILLS_CONVERSIONS: ReadonlySet<PricingModel> = new Set<PricingModel>(['CPA', 'CPS']);

export type NearbyOf = Pick<
  ConversionRow,
  'id' | 'trackerId' | 'clickId' | 'publisherId' | 'createdAt' | 'reporter'
>;

/** What else was reported beside each, unsigned, whatever became of it since. */
export async function nearbyCounts(
  sql: SqlRunner,
  rows: readonly NearbyOf[],
): Promise<Map<number, NearbyCounts>> {
  if (rows.length === 0) return new Map();
  const counted = await sql.query<Record<'id' | 'within' | 'of_click' | 'of_publisher', string>>(
    `SELECT i.id,
       (SELECT count(*) FROM conversions o
        WHERE o.tracker_id = i.tracker_id AND NOT o.is_signed
          AND o.created_at BETWEEN i.at - interval '1 minute' AND i.at + interval '1 minute'
          AND (o.click_id = i.click_id OR o.reporter ->> 'ipPrefix' = i.net)) AS within,
       (SELECT count(*) FROM conversions o
        WHERE o.click_id = i.click_id AND o.id < i.id AND NOT o.is_signed) AS of_click,
       (SELECT count(*) FROM conversions o
        WHERE o.publisher_id = i.publisher_id AND NOT o.is_signed AND o.id < i.id
          AND o.created_at > i.at - interval '1 hour' AND o.created_at <= i.at) AS of_publisher
     FROM json_to_recordset($1::json)
       AS i (id bigint, tracker_id bigint, click_id text, publisher_id bigint, at timestamptz, net text)`,
    [
      JSON.stringify(
        rows.map((row) => ({
          id: row.id,
          tracker_id: row.trackerId,
          click_id: row.clickId,
          publisher_id: row.publisherId,
          at: row.createdAt.toISOString(),
          net: row.reporter?.ipPrefix ?? null,
        })),
      ),
    ],
  );
  return new Map(
    counted.rows.map((row) => [
      Number(row.id),
      {
        within: Number(row.within),
        ofClick: Number(row.of_click),
        ofPublisher: Number(row.of_publisher),
      },
    ]),
  );
}
