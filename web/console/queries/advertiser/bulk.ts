import { write } from '../../api.ts';

const STALE = [
  'GET /api/advertiser/campaigns',
  'GET /api/advertiser/campaigns/{id}',
  'GET /api/advertiser/adgroups',
  'GET /api/advertiser/ads',
  'GET /api/advertiser/creatives',
] as const;

/** One request for many; each of them answers for itself. */
export const BULK = {
  campaign: write('POST /api/advertiser/campaigns/bulk', STALE),
  adgroup: write('POST /api/advertiser/adgroups/bulk', STALE),
  ad: write('POST /api/advertiser/ads/bulk', STALE),
  creative: write('POST /api/advertiser/creatives/bulk', STALE),
} as const;
export type BulkLevel = keyof typeof BULK;
