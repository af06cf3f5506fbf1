import { read, write } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

const STALE = [
  'GET /api/advertiser/creatives',
  'GET /api/advertiser/creatives/{id}',
  'GET /api/advertiser/creatives/{id}/revisions',
  'GET /api/advertiser/ads',
  'GET /api/advertiser/campaigns',
  'GET /api/advertiser/timeline',
  // It says which creatives show a file.
  'GET /api/advertiser/media',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/creatives'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/creatives', { query: { page_size: 24, ...query } });
export const one = (id: number) => read('GET /api/advertiser/creatives/{id}', { path: { id } });
export const revisions = (id: number, page = 1) =>
  read('GET /api/advertiser/creatives/{id}/revisions', {
    path: { id },
    query: { page, page_size: 20 },
  });

/** What a step of its review may have changed. */
export const REVIEWED = [
  'GET /api/advertiser/creatives/{id}',
  'GET /api/advertiser/creatives/{id}/revisions',
] as const;

export const create = write('POST /api/advertiser/creatives', STALE);
export const save = write('PUT /api/advertiser/creatives/{id}', STALE);
export const toggle = write('POST /api/advertiser/creatives/{id}/toggle', STALE);
export const submit = write('POST /api/advertiser/creatives/{id}/submit-audit', STALE);
export const appeal = write('POST /api/advertiser/creatives/{id}/appeal', STALE);
export const archive = write('DELETE /api/advertiser/creatives/{id}', STALE);
