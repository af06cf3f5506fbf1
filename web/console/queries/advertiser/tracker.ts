import { read, write } from '../../api.ts';
import type { Answer, Ask } from '../../../client/client.ts';

const STALE = [
  'GET /api/advertiser/trackers',
  'GET /api/advertiser/trackers/{id}',
  'GET /api/advertiser/trackers/{id}/code',
  'GET /api/advertiser/history',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/trackers'>['query']>;
type ConversionQuery = NonNullable<Ask<'GET /api/advertiser/trackers/{id}/conversions'>['query']>;
type PostbackQuery = NonNullable<Ask<'GET /api/advertiser/trackers/{id}/postbacks'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/trackers', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/advertiser/trackers/{id}', { path: { id } });
export const code = (id: number) =>
  read('GET /api/advertiser/trackers/{id}/code', { path: { id } });
export const secret = (id: number) =>
  read('GET /api/advertiser/trackers/{id}/postback-secret', { path: { id } });
export const conversions = (id: number, query: ConversionQuery) =>
  read('GET /api/advertiser/trackers/{id}/conversions', {
    path: { id },
    query: { page_size: 20, ...query },
  });
export const postbacks = (id: number, query: PostbackQuery) =>
  read('GET /api/advertiser/trackers/{id}/postbacks', {
    path: { id },
    query: { page_size: 20, ...query },
  });

export type TrackerStats = Answer<'GET /api/advertiser/trackers/{id}/stats'>;
type StatsQuery = NonNullable<Ask<'GET /api/advertiser/trackers/{id}/stats'>['query']>;
export const stats = (id: number, query: StatsQuery) =>
  read('GET /api/advertiser/trackers/{id}/stats', { path: { id }, query });

export const tests = (id: number) =>
  read('GET /api/advertiser/trackers/{id}/tests', { path: { id } });
export const testOf = (id: number, test: number) =>
  read('GET /api/advertiser/trackers/{id}/tests/{test_id}', {
    path: { id, test_id: String(test) },
  });

export const create = write('POST /api/advertiser/trackers', STALE);
export const save = write('PUT /api/advertiser/trackers/{id}', STALE);
export const archive = write('DELETE /api/advertiser/trackers/{id}', STALE);
export const renewCode = write('POST /api/advertiser/trackers/{id}/regenerate-code', STALE);
export const retryPostback = write(
  'POST /api/advertiser/trackers/{id}/postbacks/{postback_id}/retry',
  ['GET /api/advertiser/trackers/{id}/postbacks'],
);
export const beginTest = write('POST /api/advertiser/trackers/{id}/test', [
  'GET /api/advertiser/trackers/{id}/tests',
  'GET /api/advertiser/trackers/{id}/postbacks',
]);
