import { publicClickId, type TrackFacts } from '../../domain/tracking/facts.ts';
import { CLICK_TTL_SECONDS } from '../../domain/tracking/session-key.ts';
import {
  bigintArray,
  smallintArray,
  textArray,
  timeArray,
  uuidArray,
} from '../schema/binary-array.ts';
import type { SqlRunner } from '../sql-runner.ts';

/**
 * What the row of a click begins with. The click itself leaves an event in the log and nothing else; its
 * row is made by whoever needs it first: its verification, or settlement, which then waits for one.
 */
export interface ClickRecord {
  /** clicks.id, the click event's id */
  id: string;
  /** Public id for attribution, 32 hex */
  clickId: string;
  shard: number;
  clickedAtMs: number;
  /** Until when it may be verified, on the database's clock; Unix ms. */
  verifyByMs: number;
  /** As the track_id sealed it. */
  track: TrackFacts;
}

/** As every click begins: named by its event's id, with the interface's time to be verified in. */
export const pendingClick = (
  click: Pick<ClickRecord, 'id' | 'shard' | 'clickedAtMs' | 'track'> & {
    clickId?: string | undefined;
  },
): ClickRecord => ({
  ...click,
  clickId: click.clickId ?? publicClickId(click.id),
  verifyByMs: click.clickedAtMs + CLICK_TTL_SECONDS * 1_000,
});

export const CLICK_COLUMNS = `id, click_id, shard, verify_by, clicked_at, request_id, bid_id, advertiser_id,
  campaign_id, adgroup_id, ad_id, creative_id, zone_id, bid_price_nanos, pricing_model`;

/**
 * Rows for CLICK_COLUMNS out of clickArrays, whose first is parameter number `first`. Only track_ids of older builds
 * do not name the ad group: it is read from the ad, and a click of an ad that is gone has no row.
 */
export const clickRows = (
  first: number,
): string => `SELECT id, click_id, shard, verify_by, clicked_at, request_id,
    bid_id, advertiser_id, campaign_id, of_ad.adgroup_id, ad_id, creative_id, zone_id, price, model
  FROM unnest(${ARRAY_TYPES.map((type, at) => `$${first + at}::${type}[]`).join(', ')})
    AS c (id, click_id, shard, verify_by, clicked_at, request_id, bid_id, advertiser_id, campaign_id,
      adgroup_id, ad_id, creative_id, zone_id, price, model),
    LATERAL (SELECT CASE WHEN c.adgroup_id = 0 THEN (SELECT a.adgroup_id FROM ads a WHERE a.id = c.ad_id)
      ELSE c.adgroup_id END AS adgroup_id) of_ad
  WHERE of_ad.adgroup_id IS NOT NULL`;

const ARRAY_TYPES =
  'uuid text smallint timestamptz timestamptz text text bigint bigint bigint bigint bigint bigint bigint text'.split(
    ' ',
  );

export function clickArrays(clicks: readonly ClickRecord[]): Buffer[] {
  const ids = (of: (track: TrackFacts) => number | undefined): Buffer =>
    bigintArray(clicks.map(({ track }) => of(track) ?? 0));
  return [
    uuidArray(clicks.map(({ id }) => id)),
    textArray(clicks.map(({ clickId }) => clickId)),
    smallintArray(clicks.map(({ shard }) => shard)),
    timeArray(clicks.map(({ verifyByMs }) => verifyByMs)),
    timeArray(clicks.map(({ clickedAtMs }) => clickedAtMs)),
    textArray(clicks.map(({ track }) => track.requestId)),
    textArray(clicks.map(({ track }) => track.bidId)),
    ids((track) => track.advertiserId),
    ids((track) => track.campaignId),
    ids((track) => track.adGroupId),
    ids((track) => track.adId),
    ids((track) => track.creativeId),
    ids((track) => track.zoneId),
    bigintArray(clicks.map(({ track }) => BigInt(track.priceNanos))),
    textArray(clicks.map(({ track }) => track.pricingModel)),
  ];
}

/**
 * Rows of clicks that wait for their verification; one that is there already stays as it is. In the order of
 * their ids, as verifications make theirs, so that neither waits for the other in a circle. A public id is
 * made of the id: whichever of the two meets the row of a verification first, it is the same click.
 */
export async function makePendingClicks(
  sql: SqlRunner,
  clicks: readonly ClickRecord[],
): Promise<void> {
  if (clicks.length === 0) return;
  await sql.query(
    `INSERT INTO clicks (${CLICK_COLUMNS}) ${clickRows(1)} ORDER BY id ON CONFLICT DO NOTHING`,
    clickArrays(clicks),
  );
}
