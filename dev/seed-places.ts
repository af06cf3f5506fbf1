import type { Pool } from 'pg';
import type { ServedZone } from '../db/serving/serving-counters.ts';
import { SIZE_FREE } from '../domain/auction/formats.ts';
import type { TrackFacts } from '../domain/tracking/facts.ts';

/** An ad that may run, with a place that shows it. */
export interface Place {
  /** What a beacon says of it. */
  place: Pick<
    TrackFacts,
    'advertiserId' | 'campaignId' | 'adId' | 'creativeId' | 'zoneId' | 'pricingModel' | 'priceNanos'
  >;
  zone: ServedZone;
  zoneName: string;
  zoneType: string;
  campaignName: string;
  /** Under which its sales are reported. */
  trackingCode: string | null;
}

/** In one order, whenever they were made: chance falls on the same ones. */
export async function readPlaces(pool: Pool): Promise<Place[]> {
  const { rows } = await pool.query<Record<string, string>>(
    `SELECT a.advertiser_id, a.campaign_id, a.id AS ad_id, a.creative_id, z.id AS zone_id,
       z.name AS zone_name, z.type AS zone_type, c.name AS campaign_name, z.site_id, s.publisher_id,
       c.pricing_model, c.bid_nanos, t.tracking_code
     FROM ads a JOIN campaigns c ON c.id = a.campaign_id
       LEFT JOIN trackers t ON t.id = c.tracker_id
       JOIN creatives k ON k.id = a.creative_id
       JOIN creative_revisions r ON r.creative_id = k.id AND r.revision = k.approved_revision
       JOIN zones z ON z.audit_status = 'APPROVED' AND z.type = c.ad_type
         AND c.pricing_model = ANY (string_to_array(z.pricing_types, ','))
         AND (z.type = ANY ($1) OR c.ad_type = 'RESPONSIVE' OR z.width = r.width AND z.height = r.height)
       JOIN sites s ON s.id = z.site_id
     WHERE a.audit_status = 'APPROVED' AND c.audit_status = 'APPROVED'
     ORDER BY a.id, z.id`,
    [[...SIZE_FREE]],
  );
  return rows.map((row) => ({
    place: {
      advertiserId: Number(row['advertiser_id']),
      campaignId: Number(row['campaign_id']),
      adId: Number(row['ad_id']),
      creativeId: Number(row['creative_id']),
      zoneId: Number(row['zone_id']),
      pricingModel: row['pricing_model'] as TrackFacts['pricingModel'],
      priceNanos: String(
        row['pricing_model'] === 'CPM'
          ? BigInt(row['bid_nanos'] ?? '0') / 1_000n
          : BigInt(row['bid_nanos'] ?? '0'),
      ),
    },
    zone: {
      id: Number(row['zone_id']),
      siteId: Number(row['site_id']),
      publisherId: Number(row['publisher_id']),
    },
    zoneName: row['zone_name'] ?? '',
    zoneType: row['zone_type'] ?? '',
    campaignName: row['campaign_name'] ?? '',
    trackingCode: row['tracking_code'] ?? null,
  }));
}
