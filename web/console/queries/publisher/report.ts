import type { Ask } from '../../../client/client.ts';
import { read } from '../../api.ts';
import { daysOfRange, todayIn } from '../../parts/report-range.ts';

/** What sites and zones have brought. An export is begun by a click, never by reading a page. */
export type ReportQuery = NonNullable<Ask<'GET /api/publisher/statistics/report'>['query']>;
type StatsQuery = NonNullable<Ask<'GET /api/publisher/sites/{id}/stats'>['query']>;

export const report = (query: ReportQuery) =>
  read('GET /api/publisher/statistics/report', { query });
export const siteStats = (id: number, query: StatsQuery = {}) =>
  read('GET /api/publisher/sites/{id}/stats', { path: { id }, query });
export const zoneStats = (id: number, query: StatsQuery = {}) =>
  read('GET /api/publisher/zones/{id}/stats', { path: { id }, query });

/** Seven days with today, as reports mean them. */
export const lastWeek = () => daysOfRange('week', todayIn('UTC'));

type RemovedQuery = NonNullable<Ask<'GET /api/publisher/statistics/removed'>['query']>;
export const removedEvents = (query: RemovedQuery) =>
  read('GET /api/publisher/statistics/removed', { query });

export const EXPORT = 'GET /api/publisher/statistics/export';
export const EXPORTED = 'GET /api/publisher/statistics/exports/{id}/file';
