import { read, write } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

const STALE = [
  'GET /api/advertiser/ads',
  'GET /api/advertiser/ads/{id}',
  'GET /api/advertiser/ads/{id}/revisions',
  'GET /api/advertiser/adgroups',
  'GET /api/advertiser/campaigns',
  'GET /api/advertiser/campaigns/{id}',
  'GET /api/advertiser/campaigns/{id}/zone-reach',
  'GET /api/advertiser/history',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/ads'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/ads', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/advertiser/ads/{id}', { path: { id } });

export const revisions = (id: number) =>
  read('GET /api/advertiser/ads/{id}/revisions', { path: { id }, query: { page_size: 20 } });

export const create = write('POST /api/advertiser/ads', STALE);
export const save = write('PUT /api/advertiser/ads/{id}', STALE);
export const toggle = write('POST /api/advertiser/ads/{id}/toggle', STALE);
export const submit = write('POST /api/advertiser/ads/{id}/submit-audit', STALE);
export const appeal = write('POST /api/advertiser/ads/{id}/appeal', STALE);
export const archive = write('DELETE /api/advertiser/ads/{id}', STALE);
