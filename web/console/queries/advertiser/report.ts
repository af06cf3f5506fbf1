import { read } from '../../api.ts';
import type { Answer, Ask } from '../../../client/client.ts';

export type ReportQuery = NonNullable<Ask<'GET /api/advertiser/statistics/report'>['query']>;
export type Report = Answer<'GET /api/advertiser/statistics/report'>;
export type ReportRow = Report['items'][number];

export const report = (query: ReportQuery) =>
  read('GET /api/advertiser/statistics/report', { query });
export const campaignStats = (id: number, query: Omit<ReportQuery, 'campaign_id'>) =>
  read('GET /api/advertiser/campaigns/{id}/stats', { path: { id }, query });

export const EXPORT = 'GET /api/advertiser/statistics/export';
export const EXPORTED = 'GET /api/advertiser/statistics/exports/{id}/file';
