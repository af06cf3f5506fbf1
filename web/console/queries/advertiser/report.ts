import { read } from '../../api.ts';
import type { Answer, Ask } from '../../../client/client.ts';

export type ReportQuery = NonNullable<Ask<'GET /api/advertiser/statistics/report'>['query']>;
export type Report = Answer<'GET /api/advertiser/statistics/report'>;
export type ReportRow = Report['items'][number];

export const report = (query: ReportQuery) =>
  read('GET /api/advertiser/statistics/report', { query });

const STATS = {
  campaign: 'GET /api/advertiser/campaigns/{id}/stats',
  adgroup: 'GET /api/advertiser/adgroups/{id}/stats',
  ad: 'GET /api/advertiser/ads/{id}/stats',
} as const;
type StatsQuery = Ask<(typeof STATS)['ad']>['query'];

/** The report of one thing. */
export const statsOf = (of: keyof typeof STATS, id: number, query: NonNullable<StatsQuery>) =>
  read(STATS[of], { path: { id }, query });

export const EXPORT = 'GET /api/advertiser/statistics/export';
export const EXPORTED = 'GET /api/advertiser/statistics/exports/{id}/file';
