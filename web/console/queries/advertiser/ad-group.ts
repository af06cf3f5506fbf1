import { read, write } from '../../api.ts';
import type { Ask } from '../../../client/client.ts';

/** What a group's change may show elsewhere: a campaign that cannot serve says why. */
const STALE = [
  'GET /api/advertiser/adgroups',
  'GET /api/advertiser/adgroups/{id}',
  'GET /api/advertiser/ads',
  'GET /api/advertiser/campaigns',
  'GET /api/advertiser/campaigns/{id}',
  'GET /api/advertiser/history',
] as const;

type Query = NonNullable<Ask<'GET /api/advertiser/adgroups'>['query']>;

export const list = (query: Query) =>
  read('GET /api/advertiser/adgroups', { query: { page_size: 20, ...query } });
export const one = (id: number) => read('GET /api/advertiser/adgroups/{id}', { path: { id } });

export const create = write('POST /api/advertiser/adgroups', STALE);
export const save = write('PUT /api/advertiser/adgroups/{id}', STALE);
export const toggle = write('POST /api/advertiser/adgroups/{id}/toggle', STALE);
export const submit = write('POST /api/advertiser/adgroups/{id}/submit-audit', STALE);
export const appeal = write('POST /api/advertiser/adgroups/{id}/appeal', STALE);
export const archive = write('DELETE /api/advertiser/adgroups/{id}', STALE);
