import type { Pool } from 'pg';
import type { ServedZone } from '../db/serving/serving-counters.ts';
import type { TrackFacts } from '../domain/tracking/facts.ts';

/** An ad that may run, with a place that shows it. */
export interface Place {
  advertiserId: number;
  campaignId: number;
  adId: number;
  creativeId: number;
  zoneId: number;
  zone: ServedZone;
  pricingModel: TrackFacts['pricingModel'];
  priceNanos: string;
  /** Under which its sales are reported. */
  trackingCode: string | null;
}

/** In one order, whenever they were made: chance falls on the same ones. */
export async function readPlaces(pool: Pool): Promise<Place[]> {
  const { rows } = await pool.query<Record<string, string>>(
    `SELECT a.advertiser_id, a.campaign_id, a.id AS ad_id, a.creative_id, z.id AS zone_id,
       z.site_id, s.publisher_id,
       c.pricing_model, c.bid_nanos, t.tracking_code
     FROM ads a JOIN campaigns c ON c.id = a.campaign_id
       LEFT JOIN trackers t ON t.id = c.tracker_id
       JOIN creatives k ON k.id = a.creative_id
       JOIN creative_revisions r ON r.creative_id = k.id AND r.revision = k.approved_revision
       JOIN zones z ON z.audit_status = 'APPROVED' AND z.type = c.ad_type
         AND z.width = r.width AND z.height = r.height
       JOIN sites s ON s.id = z.site_id
     WHERE a.audit_status = 'APPROVED' AND c.audit_status = 'APPROVED'
     ORDER BY a.id, z.id`,
  );
  return rows.map((row) => ({
    advertiserId: Number(row['advertiser_id']),
    campaignId: Number(row['campaign_id']),
    adId: Number(row['ad_id']),
    creativeId: Number(row['creative_id']),
    zoneId: Number(row['zone_id']),
    zone: {
      id: Number(row['zone_id']),
      siteId: Number(row['site_id']),
      publisherId: Number(row['publisher_id']),
    },
    pricingModel: row['pricing_model'] as Place['pricingModel'],
    priceNanos: String(
      row['pricing_model'] === 'CPM'
        ? BigInt(row['bid_nanos'] ?? '0') / 1_000n
        : BigInt(row['bid_nanos'] ?? '0'),
    ),
    trackingCode: row['tracking_code'] ?? null,
  }));
}
