import { read, write } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

/** Campaigns as one screen lists them; what each change makes stale stands beside it. */
const STALE = [
  'GET /api/advertiser/campaigns',
  'GET /api/advertiser/campaigns/{id}',
  'GET /api/advertiser/adgroups',
  'GET /api/advertiser/ads',
  'GET /api/advertiser/history',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/campaigns'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/campaigns', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/advertiser/campaigns/{id}', { path: { id } });
export const options = read('GET /api/advertiser/campaigns/options');

export const save = write('PUT /api/advertiser/campaigns/{id}', STALE);
export const toggle = write('POST /api/advertiser/campaigns/{id}/toggle', STALE);
export const submit = write('POST /api/advertiser/campaigns/{id}/submit-audit', STALE);
export const appeal = write('POST /api/advertiser/campaigns/{id}/appeal', STALE);
export const copy = write('POST /api/advertiser/campaigns/{id}/copy', STALE);
export const archive = write('DELETE /api/advertiser/campaigns/{id}', STALE);
